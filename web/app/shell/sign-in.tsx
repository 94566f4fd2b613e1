import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { CodeField } from '../../parts/code-field.tsx';
import { Field, FieldError } from '../../parts/field.tsx';
import { formatTime } from '../../parts/format.ts';
import { Heading } from '../../parts/heading.tsx';
import { useMessage } from '../../parts/message.ts';
import type { CodeSent } from '../contract.ts';
import { isAddress } from '../new/people.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { signInProblem } from './sign-in-problem.ts';

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
  intro: string;
  /** Of the person whose session has ended. */
  email?: string | undefined;
}

/** An address first, then the code that was mailed to it. */
export function SignInForm({ intro, email: known = '' }: SignInFormProps) {
  const { service, locale } = usePage();
  const [email, setEmail] = useState(known);
  const [sent, setSent] = useState<CodeSent | null>(null);
  const sending = useAction(async () => setSent(await service.requestCode(email.trim(), locale)));
  const toAddress = () => {
    setSent(null);
    requestAnimationFrame(() => document.getElementById('email')?.focus());
  };
  return sent ? (
    <CodeForm email={email} sent={sent} sending={sending} onOtherAddress={toAddress} />
  ) : (
    <AddressForm intro={intro} email={email} setEmail={setEmail} sending={sending} />
  );
}

type Action = ReturnType<typeof useAction>;

function useProblem({ thrown }: Action): string | null {
  const { texts, locale } = usePage();
  return thrown === null ? null : signInProblem(thrown, texts, locale, Date.now());
}

interface AddressFormProps {
  intro: string;
  email: string;
  setEmail(email: string): void;
  sending: Action;
}

function AddressForm({ intro, email, setEmail, sending }: AddressFormProps) {
  const { texts } = usePage();
  const [isIncomplete, setIncomplete] = useState(false);
  const problem = useProblem(sending);
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const isComplete = isAddress(email);
        setIncomplete(!isComplete);
        if (isComplete) void sending.run();
        else document.getElementById('email')?.focus();
      }}
    >
      <p class="lead">{intro}</p>
      <Field
        id="email"
        inputMode="email"
        label={texts.signIn.email}
        value={email}
        maxLength={254}
        autocomplete="email"
        error={isIncomplete && texts.signIn.emailInvalid}
        onInput={setEmail}
      />
      <div role="alert">
        <FieldError id="sign-in">{problem}</FieldError>
      </div>
      <Button kind="main" submit busy={sending.isBusy}>
        {texts.signIn.send}
      </Button>
      <p class="hint">{texts.signIn.noAccount}</p>
    </form>
  );
}

interface CodeFormProps {
  email: string;
  sent: CodeSent;
  sending: Action;
  onOtherAddress(): void;
}

function CodeForm({ email, sent, sending, onOtherAddress }: CodeFormProps) {
  const { session, texts, locale } = usePage();
  const [code, setCode] = useState('');
  const [isIncomplete, setIncomplete] = useState(false);
  // Not the page's own message: a dialog over the page keeps that from screen readers.
  const [message, announce] = useMessage();
  const input = useRef<HTMLInputElement>(null);
  const entering = useAction(() => session.signIn(code.replaceAll(/\D/g, '')));
  useEffect(() => input.current?.focus(), []);
  const problem = useProblem(sending);
  const refusal = useProblem(entering);
  const error = isIncomplete ? texts.signIn.codeInvalid : refusal;
  const sendAgain = async () => {
    announce('');
    if (!(await sending.run())) return;
    entering.forget();
    setIncomplete(false);
    setCode('');
    announce(texts.signIn.sentAgain);
    input.current?.focus();
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        announce('');
        const isComplete = code.replaceAll(/\D/g, '').length === 6;
        setIncomplete(!isComplete);
        if (isComplete) void entering.run();
        input.current?.focus();
      }}
    >
      <p class="lead">
        {texts.signIn.sentTo} <bdi>{email}</bdi>
      </p>
      <CodeField
        label={texts.signIn.code}
        value={code}
        error={error}
        hint={texts.signIn.worksUntil(formatTime(sent.code_expires_at, locale))}
        input={input}
        onInput={setCode}
      />
      <Button kind="main" submit busy={entering.isBusy}>
        {texts.signIn.submit}
      </Button>
      <div class="actions">
        <Button kind="quiet" busy={sending.isBusy} onClick={() => void sendAgain()}>
          {texts.signIn.sendAgain}
        </Button>
        <Button kind="quiet" onClick={onOtherAddress}>
          {texts.signIn.otherAddress}
        </Button>
      </div>
      <div role="status">{message && <p key={message.number}>{message.sentence}</p>}</div>
      <div role="alert">
        <FieldError id="sending">{problem}</FieldError>
      </div>
      <p class="hint">{texts.signIn.notArrived}</p>
    </form>
  );
}
