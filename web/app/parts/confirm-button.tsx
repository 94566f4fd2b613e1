import { useState } from 'preact/hooks';
import { Button, SteadyButton } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { usePage } from '../page.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  label: string;
  /** Tells buttons with the same label apart. */
  about: string;
  question: string;
  work(): Promise<unknown>;
}

/** A button that asks for confirmation, for what cannot be undone. */
export function ConfirmButton(props: ConfirmProps) {
  const [isAsking, ask] = useState(false);
  return (
    <>
      <SteadyButton class="link" onClick={() => ask(true)}>
        {props.label}
        <span class="visually-hidden">
          <Changing>{`: ${props.about}`}</Changing>
        </span>
      </SteadyButton>
      {isAsking && <ConfirmDialog {...props} onClose={() => ask(false)} />}
    </>
  );
}

/** Asks for confirmation of what cannot be undone. */
export function ConfirmDialog({ label, about, question, work, onClose }: ConfirmProps & { onClose(): void }) {
  const { texts } = usePage();
  const { run, isBusy, problem } = useAction(async () => {
    await work();
    onClose();
  });
  const heading = (
    <>
      {label} – <bdi>{about}</bdi>
    </>
  );
  return (
    <Dialog heading={heading} isBusy={isBusy} onClose={onClose} text={question}>
      <FieldAlert id="confirm">{problem}</FieldAlert>
      <div class="actions">
        <Button kind="danger" deliberate busy={isBusy} onClick={run}>
          {label}
        </Button>
        <Button disabled={isBusy} onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
