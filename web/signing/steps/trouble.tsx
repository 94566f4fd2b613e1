import type { PageTexts } from '../../../shared/texts/en/page.ts';
import { Button } from '../../parts/button.tsx';
import { Heading } from '../../parts/heading.tsx';
import { usePage } from '../page.tsx';

export function Trouble() {
  const { texts } = usePage();
  return <TroubleCard texts={texts} text={texts.trouble.text} />;
}

export const TroubleCard = ({ texts, text }: { texts: PageTexts; text: string }) => (
  <div class="card card-narrow">
    <Heading>{texts.trouble.heading}</Heading>
    <p>{text}</p>
    <p class="actions">
      <Button kind="main" onClick={() => location.reload()}>
        {texts.trouble.again}
      </Button>
    </p>
  </div>
);
