import type { PageTexts } from '../../../shared/texts/en/service.ts';
import { Button } from '../../parts/button.tsx';
import { Heading } from '../../parts/heading.tsx';
import { useReload } from '../../parts/use-reload.ts';
import { usePage } from '../page.tsx';

export function Trouble() {
  const { controller, texts } = usePage();
  return <TroubleCard texts={texts} text={texts.trouble.text} reach={controller.reach} />;
}

interface TroubleProps {
  texts: PageTexts;
  text: string;
  reach(): Promise<boolean>;
}

export function TroubleCard({ texts, text, reach }: TroubleProps) {
  const { isBusy, reload } = useReload(reach);
  return (
    <div class="card card-narrow">
      <Heading>{texts.trouble.heading}</Heading>
      <p>{text}</p>
      <p class="actions">
        <Button kind="main" busy={isBusy} onClick={reload}>
          {texts.trouble.again}
        </Button>
      </p>
    </div>
  );
}
