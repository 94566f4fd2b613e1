import { useState } from 'preact/hooks';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { cleaned } from '../../../shared/runtime/visible.ts';
import { Button } from '../../parts/button.tsx';
import { Field, FieldAlert } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
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
      <Form class="stack-wide" onSubmit={() => void cancel.run()}>
        <Field
          id="reason"
          rows={3}
          label={cancelling.reason}
          hint={cancelling.reasonHint}
          optional={texts.optional}
          value={reason}
          onInput={setReason}
        />
        <FieldAlert id="cancel">{cancel.problem}</FieldAlert>
        <div class="actions">
          <Button kind="danger" submit deliberate busy={cancel.isBusy}>
            {cancelling.submit}
          </Button>
          <Button disabled={cancel.isBusy} onClick={onClose}>
            {cancelling.keep}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
