import type { ConnectionTexts } from '../../shared/texts/en/service.ts';
import { Changing } from './changing.tsx';
import type { Delay } from './delay.ts';
import { useFocusFallback } from './focus-fallback.ts';
import { Spinner } from './spinner.tsx';

interface ConnectionProps {
  delay: Delay | null;
  texts: ConnectionTexts;
  tryNow(): void;
}

/** Says why the page waits. The container is always there, because screen readers announce changes in it only. */
export const Connection = ({ delay, texts, tryNow }: ConnectionProps) => (
  <div class="banner-area" role="status">
    {delay && <Waiting text={texts[delay]} label={texts.tryNow} tryNow={tryNow} />}
  </div>
);

interface WaitingProps {
  text: string;
  label: string;
  tryNow(): void;
}

function Waiting({ text, label, tryNow }: WaitingProps) {
  const banner = useFocusFallback<HTMLParagraphElement>();
  return (
    <p ref={banner} class="banner banner-lost">
      <span>
        <Spinner /> <Changing>{text}</Changing>
      </span>
      <button type="button" class="banner-button" onClick={tryNow}>
        {label}
      </button>
    </p>
  );
}
