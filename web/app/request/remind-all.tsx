import { useRef, useState } from 'preact/hooks';
import { SignatureRequestsError } from '../../../client/src/errors.ts';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import { isolated } from '../../../shared/texts/isolate.ts';
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
  const isOffered = awaitedOf(props.request).length > 1 && !isInviting(props.request);
  if (!isOffered) return null;
  return (
    <>
      <p>
        <Button onClick={() => ask(true)}>{texts.request.all.label}</Button>
      </p>
      {isAsking && <RemindDialog {...props} onClose={() => ask(false)} />}
    </>
  );
}

/** Mails everyone who has not signed, one after the other. */
function RemindDialog({ request, reload, onClose }: RemindAllProps & { onClose(): void }) {
  const { service, texts, locale, say } = usePage();
  const { all } = texts.request;
  /** The outcomes by signer, which another try after an error leaves out. */
  const sent = useRef(new Map<string, boolean>());
  const awaited = awaitedOf(request);
  const remind = async () => {
    // The user may leave the page meanwhile, and switch owner or mode.
    const { requests } = service.pinned();
    let refusal: unknown;
    for (const { id } of awaited.filter((signer) => !sent.current.has(signer.id))) {
      try {
        const { email_sent } = await requests.resend(request.id, id);
        sent.current.set(id, email_sent);
      } catch (thrown) {
        if (!isNotAwaited(thrown)) throw thrown;
        refusal = thrown;
      }
    }
    if (sent.current.size === 0) throw refusal;
    const missed = awaited.filter(({ id }) => sent.current.get(id) === false);
    await reload();
    const names = missed.map(({ name }) => isolated(visible(name)));
    say(names.length === 0 ? all.done : all.failed(namesIn(names, locale, texts)));
  };
  return (
    <ConfirmDialog
      label={all.label}
      about={visible(request.title)}
      question={all.text(awaited.length)}
      work={remind}
      onClose={onClose}
    />
  );
}
