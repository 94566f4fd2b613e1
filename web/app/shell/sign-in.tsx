import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { withoutUnseen } from '../../../shared/runtime/visible.ts';
import { Button } from '../../parts/button.tsx';
import { CodeField } from '../../parts/code-field.tsx';
import { codeIn } from '../../parts/digits.ts';
import { Field, FieldAlert } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { formatTime } from '../../parts/format.ts';
import { Heading } from '../../parts/heading.tsx';
import { useMessage } from '../../parts/message.ts';
import { ownMemory } from '../memory.ts';
import { isAddress } from '../new/people.ts';
import { useNow, usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { useCheck } from '../parts/use-check.ts';
import { type Attempt, forgetAttempt, isOpen, keepAttempt, openAttempt } from './open-attempt.ts';
import { isEndOfCode, signInProblem } from './sign-in-problem.ts';

export function SignIn() {
  const { texts } = usePage();
  return (
    <div class="card card-narrow">
      <Heading>{texts.signIn.heading}</Heading>
      <SignInForm intro={texts.signIn.intro} />
    </div>
  );
}

interface SignInFormProps {
  intro?: string;
  /** The address of the user whose session has ended. */
  email?: string | undefined;
}

/** Asks for the address, then for the code that was mailed to it. */
export function SignInForm({ intro, email: known = '' }: SignInFormProps) {
  const { session, service, locale } = usePage();
  const [attempt, setAttempt] = useState(() => openAttempt(ownMemory, session.now()));
  const [hasCode, setHasCode] = useState(attempt !== null);
  const [isSpent, setSpent] = useState(false);
  const [email, setEmail] = useState(attempt?.email ?? known);
  const sending = useAction(async (to: string) => {
    const { code_expires_at } = await service.requestCode(to, locale);
    const started = { email: to, code_expires_at };
    keepAttempt(ownMemory, started);
    setAttempt(started);
    setSpent(false);
  });
  // Not as part of sending: a code that is sent again may arrive when another address is being entered.
  const start = async (to: string) => {
    if (await sending.run(to)) setHasCode(true);
  };
  const toAddress = () => {
    sending.forget();
    setHasCode(false);
    requestAnimationFrame(() => document.getElementById('email')?.focus());
  };
  const toCode = () => {
    sending.forget();
    setHasCode(true);
  };
  const onSpent = () => {
    forgetAttempt(ownMemory);
    setSpent(true);
  };
  if (attempt && hasCode)
    return <CodeForm {...{ attempt, isSpent, sending, onSpent }} onOtherAddress={toAddress} />;
  const onHaveCode = attempt && !isSpent && isOpen(attempt, session.now()) ? toCode : null;
  return <AddressForm {...{ intro, email, setEmail, sending, start, onHaveCode }} />;
}

type Sending = ReturnType<typeof useAction<[to: string]>>;

function useProblem({ thrown }: Pick<Sending, 'thrown'>, hasCode: boolean): string | null {
  const { session, texts, locale } = usePage();
  return thrown === null ? null : signInProblem(thrown, texts, locale, session.now(), hasCode);
}

interface AddressFormProps {
  intro: string | undefined;
  email: string;
  setEmail(email: string): void;
  sending: Sending;
  start(email: string): Promise<void>;
  /** Null if there is no code to enter. */
  onHaveCode: (() => void) | null;
}

function AddressForm({ intro, email, setEmail, sending, start, onHaveCode }: AddressFormProps) {
  const { texts } = usePage();
  const { isFaulty, check } = useCheck(isAddress(email));
  const problem = useProblem(sending, onHaveCode !== null);
  return (
    <Form
      class="stack-wide"
      onSubmit={() => {
        if (check()) void start(withoutUnseen(email));
        else document.getElementById('email')?.focus();
      }}
    >
      {intro && <p class="lead">{intro}</p>}
      <Field
        id="email"
        inputMode="email"
        label={texts.email}
        value={email}
        autocomplete="email"
        error={isFaulty && texts.problems.invalid_signer_email}
        onInput={setEmail}
      />
      <FieldAlert id="sign-in">{problem}</FieldAlert>
      <div class="stack">
        <Button kind="main" submit busy={sending.isBusy}>
          {texts.signIn.send}
        </Button>
        {onHaveCode && (
          <Button kind="quiet" onClick={onHaveCode}>
            {texts.signIn.haveCode}
          </Button>
        )}
      </div>
      <p class="hint">{texts.signIn.noAccount}</p>
    </Form>
  );
}

interface CodeFormProps {
  attempt: Attempt;
  /** The code can no longer be used. */
  isSpent: boolean;
  sending: Sending;
  onSpent(): void;
  onOtherAddress(): void;
}

function CodeForm({ attempt, isSpent, sending, onSpent, onOtherAddress }: CodeFormProps) {
  const { session, texts, locale } = usePage();
  const now = useNow();
  const [code, setCode] = useState('');
  const [isIncomplete, setIncomplete] = useState(false);
  // A message of its own: a dialog hides the page's messages from screen readers.
  const [message, announce] = useMessage();
  const input = useRef<HTMLInputElement>(null);
  const entering = useAction(async () => {
    await session.signIn(codeIn(code)).catch((error) => {
      if (isEndOfCode(error)) onSpent();
      throw error;
    });
    forgetAttempt(ownMemory);
  });
  useLayoutEffect(() => input.current?.focus(), []);
  const isLate = !isSpent && !isOpen(attempt, now);
  const hasCode = !isSpent && !isLate;
  const problem = useProblem(sending, hasCode);
  const refusal = useProblem(entering, hasCode);
  const ending = isLate ? texts.problems.code_expired : refusal;
  const error = isIncomplete ? texts.signIn.codeInvalid : ending;
  const sendAgain = async () => {
    announce('');
    if (!(await sending.run(attempt.email))) return;
    entering.forget();
    setIncomplete(false);
    setCode('');
    announce(texts.signIn.sentAgain);
    input.current?.focus();
  };
  return (
    <Form
      class="stack-wide"
      onSubmit={() => {
        announce('');
        const isComplete = codeIn(code).length === 6;
        setIncomplete(!isComplete);
        if (isComplete) void entering.run();
        input.current?.focus();
      }}
    >
      <p class="lead">
        {texts.signIn.sentTo} <bdi>{attempt.email}</bdi>
      </p>
      <CodeField
        label={texts.signIn.code}
        value={code}
        error={error}
        hint={hasCode ? texts.signIn.worksUntil(formatTime(attempt.code_expires_at, locale)) : undefined}
        input={input}
        onInput={setCode}
      />
      <Button kind="main" submit busy={entering.isBusy}>
        {texts.signIn.submit}
      </Button>
      <div class="actions">
        <Button kind="quiet" busy={sending.isBusy} onClick={sendAgain}>
          {texts.signIn.sendAgain}
        </Button>
        <Button kind="quiet" onClick={onOtherAddress}>
          {texts.signIn.otherAddress}
        </Button>
      </div>
      <div role="status">{message && <p key={message.number}>{message.sentence}</p>}</div>
      <FieldAlert id="sending">{problem}</FieldAlert>
      <p class="hint">{texts.signIn.notArrived}</p>
    </Form>
  );
}
