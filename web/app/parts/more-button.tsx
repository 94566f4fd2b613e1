import { Button } from '../../parts/button.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { usePage } from '../page.ts';

/** Loads the next page of a list. It disappears at the end. */
export function MoreButton({ isBusy, onClick }: { isBusy: boolean; onClick(): void }) {
  const { texts } = usePage();
  const frame = useFocusFallback<HTMLDivElement>();
  return (
    <div ref={frame}>
      <Button busy={isBusy} onClick={onClick}>
        {texts.list.more}
      </Button>
    </div>
  );
}
