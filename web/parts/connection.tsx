import type { ConnectionTexts } from '../../shared/texts/en/page.ts';
import { useFocusFallback } from './focus-fallback.ts';
import { Spinner } from './spinner.tsx';

interface ConnectionProps {
  lost: boolean;
  texts: ConnectionTexts;
  tryNow(): void;
}

/** Says that the connection is lost. The container is always there, because screen readers announce changes in it only. */
export const Connection = ({ lost, texts, tryNow }: ConnectionProps) => (
  <div class="banner-area" role="status">
    {lost && <Lost texts={texts} tryNow={tryNow} />}
  </div>
);

function Lost({ texts, tryNow }: Omit<ConnectionProps, 'lost'>) {
  const banner = useFocusFallback<HTMLParagraphElement>();
  return (
    <p ref={banner} class="banner banner-lost">
      <span>
        <Spinner /> {texts.lost}
      </span>
      <button type="button" class="banner-button" onClick={tryNow}>
        {texts.tryNow}
      </button>
    </p>
  );
}
