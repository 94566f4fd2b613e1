import { useState } from 'preact/hooks';
import { SignatureRequestsError } from '../../../client/src/errors.ts';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import { Button } from '../../parts/button.tsx';
import { usePage } from '../page.ts';
import { ConfirmDialog } from '../parts/confirm-button.tsx';
import { awaitedOf, isInviting, namesIn } from './timeline.ts';

interface RemindAllProps {
  request: SignatureRequest;
  reload(): Promise<unknown>;
}

/** The signer has signed or declined meanwhile, or the request has ended. */
const isNotAwaited = (thrown: unknown) =>
  thrown instanceof SignatureRequestsError && thrown.code === 'signer_not_active';

export function RemindAll(props: RemindAllProps) {
  const { texts } = usePage();
  const [isAsking, ask] = useState(false);
  const [mailed, setMailed] = useState<readonly string[]>([]);
  const isOffered = awaitedOf(props.request).length > 1 && !isInviting(props.request);
  return (
    <>
      {isOffered && (
        <p>
          <Button onClick={() => ask(true)}>{texts.request.all.label}</Button>
        </p>
      )}
      {isAsking && (
        <RemindDialog {...props} mailed={mailed} onMailed={setMailed} onClose={() => ask(false)} />
      )}
    </>
  );
}

interface RemindDialogProps extends RemindAllProps {
  /** The signers whom the last attempt has mailed. */
  mailed: readonly string[];
  onMailed(mailed: readonly string[]): void;
  onClose(): void;
}

/** Mails everyone who has not signed, one after the other. */
function RemindDialog({ request, reload, mailed, onMailed, onClose }: RemindDialogProps) {
  const { service, texts, locale, say } = usePage();
  const { all } = texts.request;
  // Stays what was asked, whoever signs meanwhile: the service refuses to mail them.
  const [awaited] = useState(() => awaitedOf(request));
  const unmailed = awaited.filter(({ id }) => !mailed.includes(id));
  // After an incomplete attempt, another mail would replace the code that the others have just got.
  const isRest = unmailed.length > 0 && unmailed.length < awaited.length;
  const remind = async () => {
    // The user may leave the page meanwhile, and switch owner or mode.
    const { requests } = service.pinned();
    const sent = isRest ? [...mailed] : [];
    const mail = (id: string) => requests.resend(request.id, id);
    try {
      const missed = await mailEach(isRest ? unmailed : awaited, mail, sent);
      await reload();
      say(missed.length === 0 ? all.done : all.failed(named(missed)));
    } finally {
      onMailed(sent);
    }
  };
  const named = (signers: typeof awaited) => namesIn(signers, locale, texts);
  return (
    <ConfirmDialog
      label={isRest ? texts.sendAgain : all.label}
      about={visible(request.title)}
      question={isRest ? all.rest(named(unmailed)) : all.text(awaited.length)}
      work={remind}
      onClose={onClose}
    />
  );
}

/** Adds everyone whose mail was sent to `sent`, also if it throws later. Returns those whose mail could not be sent. */
async function mailEach<One extends { id: string }>(
  signers: readonly One[],
  mail: (id: string) => Promise<{ email_sent: boolean }>,
  sent: string[],
): Promise<One[]> {
  const missed: One[] = [];
  let refusal: unknown;
  for (const signer of signers) {
    try {
      const { email_sent } = await mail(signer.id);
      if (email_sent) sent.push(signer.id);
      else missed.push(signer);
    } catch (thrown) {
      if (!isNotAwaited(thrown)) throw thrown;
      refusal = thrown;
    }
  }
  if (sent.length + missed.length === 0) throw refusal;
  return missed;
}
