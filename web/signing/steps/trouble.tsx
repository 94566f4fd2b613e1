import { Button } from '../../parts/button.tsx';
import { Heading } from '../../parts/heading.tsx';
import { usePage } from '../page.tsx';

export function Trouble() {
  const { texts } = usePage();
  return (
    <div class="card card-narrow">
      <Heading>{texts.trouble.heading}</Heading>
      <p>{texts.trouble.text}</p>
      <p class="actions">
        <Button kind="main" onClick={() => location.reload()}>
          {texts.trouble.again}
        </Button>
      </p>
    </div>
  );
}
