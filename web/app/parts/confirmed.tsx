import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { FieldError } from '../../parts/field.tsx';
import { usePage } from '../page.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmedProps {
  label: string;
  /** Tells buttons with the same label apart. */
  about: string;
  question: string;
  work(): Promise<unknown>;
}

/** A button for something that cannot be undone: it asks first. */
export function Confirmed({ label, about, question, work }: ConfirmedProps) {
  const { texts } = usePage();
  const [isAsking, ask] = useState(false);
  const action = useAction(async () => {
    await work();
    ask(false);
  });
  return (
    <>
      <button type="button" class="link" onClick={() => ask(true)}>
        {label}
        <span class="visually-hidden">: {about}</span>
      </button>
      {isAsking && (
        <Dialog heading={`${label}: ${about}`} onClose={() => ask(false)}>
          <p>{question}</p>
          <div role="alert">
            <FieldError id="confirmed">{action.problem}</FieldError>
          </div>
          <div class="actions">
            <Button kind="danger" busy={action.isBusy} onClick={() => void action.run()}>
              {label}
            </Button>
            <Button onClick={() => ask(false)}>{texts.cancel}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
