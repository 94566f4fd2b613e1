import { signal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { useCopy } from '../../parts/use-copy.ts';
import { usePage } from '../page.ts';
import { Dialog } from '../parts/dialog.tsx';

interface Secret {
  heading: string;
  text: string;
  secret: string;
}

const waiting = signal<readonly Secret[]>([]);

/** Shown over any page, because it is shown only once and the user may have moved on before it arrived. */
export function showSecret(secret: Secret) {
  waiting.value = [...waiting.peek(), secret];
}

export function ShownSecret() {
  const [first, ...others] = waiting.value;
  if (!first) return null;
  const close = () => {
    waiting.value = others;
  };
  return <SecretDialog key={first.secret} {...first} onClose={close} />;
}

/** The page keeps the secret nowhere. */
function SecretDialog({ heading, text, secret, onClose }: Secret & { onClose(): void }) {
  const { texts } = usePage();
  const { isCopied, copy } = useCopy(secret);
  return (
    <Dialog heading={heading} text={text} isForced>
      <output class="secret" translate={false}>
        {secret}
      </output>
      {/* A dialog hides the page's own messages from screen readers. */}
      <div role="status">{isCopied && <span>{texts.copied}</span>}</div>
      <FieldAlert id="secret">{isCopied === false && texts.copyFailed}</FieldAlert>
      <div class="actions">
        <Button kind="main" onClick={copy}>
          {texts.copy}
        </Button>
        <Button onClick={onClose}>{texts.settings.secretKept}</Button>
      </div>
    </Dialog>
  );
}
