import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Changing, Paced } from '../../parts/changing.tsx';
import { CodeField } from '../../parts/code-field.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { formatTime, formatUntil, secondsUntil } from '../../parts/format.ts';
import { Heading } from '../../parts/heading.tsx';
import { useBusy } from '../../parts/use-busy.ts';
import type { LinkStatus } from '../contract.ts';
import type { CodeProblem } from '../flow/flow.ts';
import { type Page, useNow, usePage } from '../page.tsx';
import { Notice } from './notice.tsx';

/** Before a correct code, the page knows nothing of the document, its sender or the signer. */
export function CodeStep() {
  const page = usePage();
  const { controller, texts, locale } = page;
  const { linkStatus } = controller.flow;
  const now = useNow();
  const [hasCode, setHasCode] = useState(false);
  const codeIsValid = isAhead(linkStatus?.code_expires_at, now);
  const part = linkStatus && partOf(linkStatus, now, codeIsValid || hasCode);
  usePartChange(part, () => void controller.codeExpired());
  if (!linkStatus) return null;
  return (
    <div class="card card-narrow">
      <Heading>
        <Changing>{headingOf(part, page)}</Changing>
      </Heading>
      <Notice />
      {part === 'ended' && <Closed key="ended" text={texts.code.ended} />}
      {part === 'locked' && (
        <Closed
          key="locked"
          text={texts.code.locked(formatUntil(linkStatus.locked_until ?? '', now, locale))}
        />
      )}
      {part === 'enter' && <CodeForm now={now} codeIsValid={codeIsValid} />}
      {part === 'ask' && <AskForCode now={now} onHaveCode={() => setHasCode(true)} />}
      <About />
    </div>
  );
}

type Part = 'ended' | 'locked' | 'enter' | 'ask';

const isAhead = (time: string | null | undefined, now: number) =>
  typeof time === 'string' && secondsUntil(time, now) > 0;

function partOf(linkStatus: LinkStatus, now: number, hasCode: boolean): Part {
  if (linkStatus.code_entry_ended) return 'ended';
  if (isAhead(linkStatus.locked_until, now)) return 'locked';
  return hasCode ? 'enter' : 'ask';
}

/** Moves the focus when its part is replaced, but for the first. `onExpired`: the code has ended while its form was shown. */
function usePartChange(part: Part | null, onExpired: () => void) {
  const previous = useRef<Part | null>(null);
  useEffect(() => {
    const before = previous.current;
    previous.current = part;
    if (before === 'enter' && part === 'ask') onExpired();
    if (before === null || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(part === 'enter' ? '#code' : 'h1')?.focus();
  }, [part]);
}

function headingOf(part: Part | null, { controller, texts }: Page) {
  if (part === 'ended') return texts.code.endedHeading;
  if (part === 'locked') return texts.code.lockedHeading;
  const { linkStatus, notice } = controller.flow;
  if (linkStatus?.signer_status === 'signed') return texts.code.headingSigned;
  return notice === 'session_ended' ? texts.code.headingAgain : texts.code.heading;
}

function CodeForm({ now, codeIsValid }: { now: number; codeIsValid: boolean }) {
  const { controller, texts, locale, announce } = usePage();
  const { codeProblem, linkStatus, codeSent } = controller.flow;
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const error = useProblemText('verify');

  useEffect(() => {
    if (codeProblem?.at === 'verify') input.current?.focus();
    if (codeProblem?.kind === 'wrong') setCode('');
  }, [codeProblem]);
  useEffect(() => {
    if (codeSent) announce(texts.code.sent);
  }, [codeSent]);

  const attemptsLeft = linkStatus?.attempts_left ?? 5;
  const worksUntil =
    codeIsValid && linkStatus?.code_expires_at
      ? texts.code.worksUntil(formatTime(linkStatus.code_expires_at, locale))
      : undefined;
  const isTriesLeftShown = worksUntil && !error && attemptsLeft < 5;
  const hint = isTriesLeftShown ? `${worksUntil} ${texts.code.triesLeft(attemptsLeft)}` : worksUntil;
  return (
    <>
      <Intro text={texts.code.intro} />
      <Form class="stack-wide" onSubmit={() => void controller.verify(code)}>
        <CodeField
          label={texts.code.label}
          value={code}
          error={error}
          hint={hint}
          input={input}
          onInput={setCode}
        />
        <Button kind="main" submit busy={controller.task === 'verify'}>
          {controller.task === 'verify' ? texts.code.checking : texts.code.submit}
        </Button>
      </Form>
      <div class="resend stack-close">
        {codeSent && <p class="sent-note">{texts.code.sent}</p>}
        <Problem at="send" />
        <SendButton now={now} kind="quiet" label={texts.code.sendAgain} />
        {codeSent && <p class="hint">{texts.code.notArrived}</p>}
      </div>
    </>
  );
}

function AskForCode({ now, onHaveCode }: { now: number; onHaveCode(): void }) {
  const { texts } = usePage();
  return (
    <>
      <Intro text={texts.code.introSend} />
      <Problem at="verify" />
      <Problem at="send" />
      <div class="stack">
        <SendButton now={now} kind="main" label={texts.code.send} />
        <Button kind="quiet" onClick={onHaveCode}>
          {texts.code.haveCode}
        </Button>
      </div>
    </>
  );
}

/** `text` is for signers who have not signed. A notice replaces it. */
function Intro({ text }: { text: string }) {
  const { controller, texts } = usePage();
  const { linkStatus, notice } = controller.flow;
  if (notice !== null) return null;
  return <p class="lead">{linkStatus?.signer_status === 'signed' ? texts.code.introSigned : text}</p>;
}

const Problem = ({ at }: { at: CodeProblem['at'] }) => <FieldAlert id={at}>{useProblemText(at)}</FieldAlert>;

/** A longer wait has no countdown: the page shows the time of day instead. */
const MAX_COUNTDOWN_SECONDS = 100;

function SendButton({ now, kind, label }: { now: number; kind: 'main' | 'quiet'; label: string }) {
  const { controller, texts } = usePage();
  const { sendAgainIn } = texts.code;
  const { codeSent, codeProblem } = controller.flow;
  const notBefore = codeProblem?.kind === 'too_many' ? codeProblem.until : codeSent?.next_code_at;
  const wait = notBefore ? secondsUntil(notBefore, now) : 0;
  const sending = controller.task === 'code';
  return (
    <Button kind={kind} busy={sending} waiting={wait > 0} onClick={() => void controller.sendCode()}>
      {sending ? (
        texts.code.sending
      ) : wait > 0 && wait < MAX_COUNTDOWN_SECONDS ? (
        <Paced seen={sendAgainIn(wait)} heard={sendAgainIn(Math.ceil(wait / 10) * 10)} />
      ) : (
        label
      )}
    </Button>
  );
}

/** The sender can allow codes again, so the signer can check. The key of each reason lets the focus go to the heading. */
function Closed({ text }: { text: string }) {
  const { controller, texts } = usePage();
  const { isBusy, run } = useBusy(() => controller.refresh());
  return (
    <>
      <p class="lead">{text}</p>
      <p class="actions">
        <Button busy={isBusy} onClick={run}>
          {isBusy ? texts.code.checking : texts.code.lockedCheck}
        </Button>
      </p>
    </>
  );
}

function About() {
  const { texts } = usePage();
  return (
    <details class="about disclosure arrow">
      <summary>{texts.code.about}</summary>
      {texts.code.aboutText.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </details>
  );
}

/** The message about the last problem with this button, if any. */
function useProblemText(at: CodeProblem['at']): string | null {
  const { controller, texts, locale } = usePage();
  const { codeProblem } = controller.flow;
  if (codeProblem?.at !== at) return null;
  switch (codeProblem.kind) {
    case 'wrong':
      return texts.code.wrong(codeProblem.attemptsLeft);
    case 'too_many':
      return texts.code.tooMany(formatUntil(codeProblem.until, controller.now(), locale));
    case 'no_more':
      return texts.code.noMore;
    case 'email_failed':
      return texts.code.emailFailed;
    case 'fault':
      return texts.trouble.inline;
    default:
      return texts.code[codeProblem.kind];
  }
}
