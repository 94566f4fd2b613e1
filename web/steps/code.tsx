import { useEffect, useRef, useState } from 'preact/hooks';
import type { CodeProblem } from '../flow/flow.ts';
import { formatTime, secondsUntil } from '../format.ts';
import { type Page, useNow, usePage } from '../page.tsx';
import { Button } from '../parts/button.tsx';
import { describedBy, FieldError } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';

/** Before the code is right, nothing is known here of the document, its sender or the signer. */
export function CodeStep() {
  const page = usePage();
  const { conductor, texts } = page;
  const { standing } = conductor.flow;
  const now = useNow(true);
  const [wantsField, setWantsField] = useState(false);
  if (!standing) return null;

  const locked = standing.locked_until !== null && secondsUntil(standing.locked_until, now) > 0;
  const codeAlive = standing.code_expires_at !== null && secondsUntil(standing.code_expires_at, now) > 0;
  return (
    <div class="card card-narrow">
      <Heading>{locked ? texts.code.lockedHeading : heading(page)}</Heading>
      <Notice />
      {locked ? (
        <Locked until={standing.locked_until ?? ''} />
      ) : codeAlive || wantsField ? (
        <CodeForm now={now} codeAlive={codeAlive} />
      ) : (
        <AskForCode now={now} onHaveCode={() => setWantsField(true)} />
      )}
      <About />
    </div>
  );
}

function heading({ conductor, texts }: Page) {
  const { standing, notice } = conductor.flow;
  if (standing?.signer_status === 'signed') return texts.code.headingSigned;
  return notice === 'session_ended' ? texts.code.headingAgain : texts.code.heading;
}

function CodeForm({ now, codeAlive }: { now: number; codeAlive: boolean }) {
  const { conductor, texts, locale } = usePage();
  const { codeProblem, standing, codeSent, notice } = conductor.flow;
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const error = useProblem('verify');

  useEffect(() => {
    if (codeProblem?.at === 'verify') input.current?.focus();
    if (codeProblem?.kind === 'wrong') setCode('');
  }, [codeProblem]);

  const attemptsLeft = standing?.attempts_left ?? 5;
  const hint =
    codeAlive && standing?.code_expires_at
      ? texts.code.worksUntil(formatTime(standing.code_expires_at, locale))
      : undefined;
  return (
    <>
      {notice === null && (
        <p class="lead">{standing?.signer_status === 'signed' ? texts.code.introSigned : texts.code.intro}</p>
      )}
      <form
        class="code-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void conductor.verify(code);
        }}
      >
        <div class={`field ${error ? 'field-wrong' : ''}`}>
          <label for="code">{texts.code.label}</label>
          <input
            ref={input}
            id="code"
            class="code-input"
            type="text"
            inputMode="numeric"
            autocomplete="one-time-code"
            autocapitalize="off"
            spellcheck={false}
            maxLength={20}
            value={code}
            aria-invalid={error ? true : undefined}
            aria-describedby={describedBy('code', hint, error)}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
          <div role="alert">
            <FieldError id="code">{error}</FieldError>
          </div>
          {hint && (
            <p class="hint" id="code-hint">
              {hint}
              {!error && attemptsLeft < 5 && ` ${texts.code.triesLeft(attemptsLeft)}`}
            </p>
          )}
        </div>
        <Button kind="main" submit busy={conductor.task === 'verify'}>
          {conductor.task === 'verify' ? texts.code.checking : texts.code.submit}
        </Button>
      </form>
      <div class="resend">
        <div role="status">{codeSent && <p class="said">{texts.code.sent}</p>}</div>
        <Problem at="send" />
        <SendButton now={now} kind="quiet" words={texts.code.sendAgain} />
        {codeSent && <p class="hint">{texts.code.notArrived}</p>}
      </div>
    </>
  );
}

function AskForCode({ now, onHaveCode }: { now: number; onHaveCode(): void }) {
  const { conductor, texts } = usePage();
  const { standing, notice } = conductor.flow;
  return (
    <>
      {notice === null && (
        <p class="lead">
          {standing?.signer_status === 'signed' ? texts.code.introSigned : texts.code.introSend}
        </p>
      )}
      <Problem at="verify" />
      <Problem at="send" />
      <div class="stack">
        <SendButton now={now} kind="main" words={texts.code.send} />
        <Button kind="quiet" onClick={onHaveCode}>
          {texts.code.haveCode}
        </Button>
      </div>
    </>
  );
}

const Problem = ({ at }: { at: CodeProblem['at'] }) => (
  <div role="alert">
    <FieldError id={at}>{useProblem(at)}</FieldError>
  </div>
);

/** A longer wait is told as a time of day, not counted down. */
const LONG_WAIT = 100;

function SendButton({ now, kind, words }: { now: number; kind: 'main' | 'quiet'; words: string }) {
  const { conductor, texts } = usePage();
  const { codeSent, codeProblem } = conductor.flow;
  const notBefore = codeProblem?.kind === 'too_many' ? codeProblem.until : codeSent?.next_code_at;
  const wait = notBefore ? secondsUntil(notBefore, now) : 0;
  const sending = conductor.task === 'code';
  return (
    <Button kind={kind} busy={sending} disabled={wait > 0} onClick={() => void conductor.sendCode()}>
      {sending ? texts.code.sending : wait > 0 && wait < LONG_WAIT ? texts.code.sendAgainIn(wait) : words}
    </Button>
  );
}

function Locked({ until }: { until: string }) {
  const { conductor, texts, locale } = usePage();
  return (
    <>
      <p class="lead">{texts.code.locked(formatTime(until, locale))}</p>
      <p class="actions">
        <Button onClick={() => void conductor.lookAgain()}>{texts.code.lockedCheck}</Button>
      </p>
    </>
  );
}

function About() {
  const { texts } = usePage();
  return (
    <details class="about more">
      <summary>{texts.code.about}</summary>
      {texts.code.aboutText.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </details>
  );
}

/** The sentence for what went wrong with this button, if anything did. */
function useProblem(at: CodeProblem['at']): string | null {
  const { conductor, texts, locale } = usePage();
  const { codeProblem } = conductor.flow;
  if (codeProblem?.at !== at) return null;
  switch (codeProblem.kind) {
    case 'wrong':
      return texts.code.wrong(codeProblem.attemptsLeft);
    case 'too_many':
      return texts.code.tooMany(formatTime(codeProblem.until, locale));
    case 'format':
      return texts.code.format;
    case 'expired':
      return texts.code.expired;
    case 'email_failed':
      return texts.code.emailFailed;
    case 'lost':
      return texts.code.lost;
    case 'fault':
      return texts.trouble.inline;
  }
}
