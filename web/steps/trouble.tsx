import { usePage } from '../page.tsx';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';

export function Trouble() {
  const { conductor, texts } = usePage();
  return (
    <div class="card card-narrow">
      <Heading>{texts.trouble.heading}</Heading>
      <p>{texts.trouble.text}</p>
      <p class="actions">
        <Button kind="main" busy={conductor.task === 'retry'} onClick={() => location.reload()}>
          {texts.trouble.again}
        </Button>
      </p>
    </div>
  );
}
