import { SignatureRequestsError } from '../../../client/src/errors.ts';
import type { AppTexts } from '../../../shared/texts/en/app.ts';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { AlertIcon } from '../../parts/icons.tsx';
import { useBusy } from '../../parts/use-busy.ts';
import { useReload } from '../../parts/use-reload.ts';
import { usePage } from '../page.ts';

const hasText = (code: string, problems: AppTexts['problems']): code is keyof AppTexts['problems'] =>
  Object.hasOwn(problems, code);

/** A longer pause means a daily limit. */
const LONGEST_MOMENT_MS = 90_000;
const HOUR_MS = 3_600_000;

/** Says what to do about an error. For an unknown error, names the request id for the operator. */
export function messageOf(thrown: unknown, { problems, unknownProblem, limitReached }: AppTexts): string {
  if (!(thrown instanceof SignatureRequestsError)) return unknownProblem('');
  const { code, retryAfterMs = 0, requestId = '' } = thrown;
  if (code === 'too_many_requests' && retryAfterMs > LONGEST_MOMENT_MS)
    return limitReached(Math.ceil(retryAfterMs / HOUR_MS));
  return hasText(code, problems) ? problems[code] : unknownProblem(requestId);
}

interface ProblemProps {
  text: string;
  isBusy: boolean;
  again(): void;
}

/** Shown instead of what could not be loaded. */
function Problem({ text, isBusy, again }: ProblemProps) {
  const { texts } = usePage();
  const notice = useFocusFallback<HTMLDivElement>();
  return (
    <div ref={notice} class="notice notice-warn" role="alert">
      <AlertIcon />
      <div class="stack">
        <p>
          <Changing>{isBusy ? texts.loading : text}</Changing>
        </p>
        <Button busy={isBusy} onClick={again}>
          {texts.trouble.again}
        </Button>
      </div>
    </div>
  );
}

/** The calls of a new attempt may be repeated for seconds before it fails too. */
export function LoadProblem({ thrown, again }: { thrown: unknown; again(): Promise<unknown> }) {
  const { texts } = usePage();
  const { isBusy, run } = useBusy(again);
  return <Problem text={messageOf(thrown, texts)} isBusy={isBusy} again={run} />;
}

/** Some browsers remember a failed import until the page is reloaded. */
export function PartNotLoaded() {
  const { session, texts } = usePage();
  const { isBusy, reload } = useReload(async () => {
    await session.tryNow();
    return !session.isOffline.peek();
  });
  return <Problem text={texts.trouble.notLoaded} isBusy={isBusy} again={reload} />;
}
