import { useState } from 'preact/hooks';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { cleaned, withoutUnseen } from '../../../shared/runtime/visible.ts';
import { Button } from '../../parts/button.tsx';
import { Field, FieldAlert } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { isAddress } from '../new/people.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { Dialog } from '../parts/dialog.tsx';
import { isTooLong } from '../parts/too-long.ts';
import { focusFirstFaulty, useCheck } from '../parts/use-check.ts';

interface CorrectDialogProps {
  requestId: string;
  signer: SignatureRequest['signers'][number];
  onClose(): void;
  reload(): Promise<unknown>;
}

export function CorrectDialog({ requestId, signer, onClose, reload }: CorrectDialogProps) {
  const { service, texts, say } = usePage();
  const { correcting } = texts.request;
  const [email, setEmail] = useState(signer.email);
  const known = signer.name === signer.email ? '' : signer.name;
  const [name, setName] = useState(known);
  // If no name is sent, the service keeps the known one.
  const isNameMissing = known !== '' && cleaned(name) === '';
  const nameFault = isNameMissing
    ? texts.nameMissing
    : isTooLong(name, LIMITS.nameLength) && texts.create.faults.tooLong;
  const { isFaulty, check } = useCheck(isAddress(email) && !nameFault);
  const correct = useAction(async () => {
    const { email_sent } = await service.requests.correctSigner(requestId, signer.id, {
      email: withoutUnseen(email),
      name: cleaned(name) || undefined,
    });
    await reload();
    say(email_sent ? correcting.done : texts.problems.email_failed);
    onClose();
  });
  return (
    <Dialog heading={correcting.heading} text={correcting.text} isBusy={correct.isBusy} onClose={onClose}>
      <Form
        class="stack-wide"
        onSubmit={(form) => {
          if (check()) void correct.run();
          else focusFirstFaulty(form);
        }}
      >
        <Field
          id="correct-email"
          inputMode="email"
          label={texts.email}
          value={email}
          error={isFaulty && !isAddress(email) && texts.problems.invalid_signer_email}
          onInput={setEmail}
        />
        <Field
          id="correct-name"
          label={texts.create.name}
          optional={known === '' ? texts.optional : undefined}
          value={name}
          error={isFaulty && nameFault}
          onInput={setName}
        />
        <FieldAlert id="correct">{correct.problem}</FieldAlert>
        <div class="actions">
          <Button kind="main" submit deliberate busy={correct.isBusy}>
            {correcting.submit}
          </Button>
          <Button disabled={correct.isBusy} onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
