import { signal } from '@preact/signals';
import { type Secret, SecretDialog } from './secret-dialog.tsx';

const waiting = signal<readonly Secret[]>([]);

/** Over any page: a secret is shown only once, and whoever asked for it may have gone on meanwhile. */
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
