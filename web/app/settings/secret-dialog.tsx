import { Button } from '../../parts/button.tsx';
import { usePage } from '../page.ts';
import { Dialog } from '../parts/dialog.tsx';

interface SecretDialogProps {
  heading: string;
  text: string;
  secret: string;
  onClose(): void;
}

/** A secret is shown once; the page keeps it nowhere. */
export function SecretDialog({ heading, text, secret, onClose }: SecretDialogProps) {
  const { texts, say } = usePage();
  const copy = () => navigator.clipboard.writeText(secret).then(() => say(texts.copied));
  return (
    <Dialog heading={heading} onClose={onClose}>
      <p>{text}</p>
      <output class="secret">{secret}</output>
      <div class="actions">
        <Button kind="main" onClick={() => void copy()}>
          {texts.copy}
        </Button>
        <Button onClick={onClose}>{texts.settings.secretKept}</Button>
      </div>
    </Dialog>
  );
}
