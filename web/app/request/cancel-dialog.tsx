import { useState } from 'preact/hooks';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { cleaned } from '../../../shared/runtime/visible.ts';
import { Button } from '../../parts/button.tsx';
import { FieldAlert, FieldLabel, linksOf } from '../../parts/field.tsx';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { Dialog } from '../parts/dialog.tsx';

interface CancelDialogProps {
  request: SignatureRequest;
  onClose(): void;
  reload(): Promise<unknown>;
}

export function CancelDialog({ request, onClose, reload }: CancelDialogProps) {
  const { service, texts, say } = usePage();
  const { cancelling } = texts.request;
  const [reason, setReason] = useState('');
  const cancel = useAction(async () => {
    await service.requests.cancel(request.id, { reason: cleaned(reason) || undefined });
    await reload();
    say(cancelling.done);
    onClose();
  });
  return (
    <Dialog heading={texts.request.cancel} text={cancelling.text} isBusy={cancel.isBusy} onClose={onClose}>
      <form
        class="stack-wide"
        onSubmit={(event) => {
          event.preventDefault();
          void cancel.run();
        }}
      >
        <div class="field">
          <FieldLabel
            id="reason"
            label={cancelling.reason}
            hint={cancelling.reasonHint}
            optional={texts.optional}
          />
          <textarea
            {...linksOf('reason', true)}
            rows={3}
            dir="auto"
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </div>
        <FieldAlert id="cancel">{cancel.problem}</FieldAlert>
        <div class="actions">
          <Button kind="danger" submit deliberate busy={cancel.isBusy}>
            {cancelling.submit}
          </Button>
          <Button disabled={cancel.isBusy} onClick={onClose}>
            {cancelling.keep}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
