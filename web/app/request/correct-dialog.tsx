import { useState } from 'preact/hooks';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { Button } from '../../parts/button.tsx';
import { Field, FieldError } from '../../parts/field.tsx';
import { isAddress } from '../new/people.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { Dialog } from '../parts/dialog.tsx';

interface CorrectDialogProps {
  requestId: string;
  signer: SignatureRequest['signers'][number];
  onClose(): void;
  reload(): Promise<void>;
}

export function CorrectDialog({ requestId, signer, onClose, reload }: CorrectDialogProps) {
  const { service, texts, say } = usePage();
  const { correcting } = texts.request;
  const [email, setEmail] = useState(signer.email);
  const [name, setName] = useState(signer.name === signer.email ? '' : signer.name);
  const [isIncomplete, setIncomplete] = useState(false);
  const correct = useAction(async () => {
    const { email_sent } = await service.requests.correctSigner(requestId, signer.id, {
      email: email.trim(),
      ...(name.trim() && { name: name.trim() }),
    });
    await reload();
    say(email_sent ? correcting.done : texts.problems.email_failed);
    onClose();
  });
  return (
    <Dialog heading={correcting.heading} onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIncomplete(!isAddress(email));
          if (isAddress(email)) void correct.run();
        }}
      >
        <p>{correcting.text}</p>
        <Field
          id="correct-email"
          inputMode="email"
          label={texts.create.email}
          value={email}
          maxLength={254}
          error={isIncomplete && texts.create.faults.email}
          onInput={setEmail}
        />
        <Field
          id="correct-name"
          label={texts.create.name}
          optional={texts.optional}
          value={name}
          maxLength={200}
          onInput={setName}
        />
        <div role="alert">
          <FieldError id="correct">{correct.problem}</FieldError>
        </div>
        <div class="actions">
          <Button kind="main" submit busy={correct.isBusy}>
            {correcting.submit}
          </Button>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
