import { Button } from '../../parts/button.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { useCopy } from '../../parts/use-copy.ts';
import { usePage } from '../page.ts';
import { Dialog } from '../parts/dialog.tsx';

export interface Secret {
  heading: string;
  text: string;
  secret: string;
}

/** A secret is shown once; the page keeps it nowhere. */
export function SecretDialog({ heading, text, secret, onClose }: Secret & { onClose(): void }) {
  const { texts } = usePage();
  const { isCopied, copy } = useCopy(secret);
  return (
    <Dialog heading={heading} text={text} isForced>
      <output class="secret" translate={false}>
        {secret}
      </output>
      {/* The page's own messages are out of reach under a dialog. */}
      <div role="status">{isCopied && <span>{texts.copied}</span>}</div>
      <FieldAlert id="secret">{isCopied === false && texts.copyFailed}</FieldAlert>
      <div class="actions">
        <Button kind="main" onClick={() => void copy()}>
          {texts.copy}
        </Button>
        <Button onClick={onClose}>{texts.settings.secretKept}</Button>
      </div>
    </Dialog>
  );
}
