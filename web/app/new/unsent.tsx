import { signal } from '@preact/signals';
import { Changing } from '../../parts/changing.tsx';
import { AlertIcon } from '../../parts/icons.tsx';
import { usePage } from '../page.ts';

const failures = signal<readonly string[]>([]);

/** Reports a request that failed, or was not sent to everyone, after its page was left. */
export function reportUnsent(sentence: string) {
  failures.value = [...failures.peek(), sentence];
}

/** Stays until it is closed, because the user is elsewhere and assumes that the request was sent. */
export function Unsent() {
  const { texts } = usePage();
  const close = () => {
    failures.value = [];
    document.getElementById('main')?.focus();
  };
  return (
    <div role="alert">
      {failures.value.length > 0 && (
        <p class="banner">
          <span>
            <AlertIcon /> <Changing>{failures.value.join(' ')}</Changing>
          </span>
          <button type="button" class="banner-button" onClick={close}>
            {texts.close}
          </button>
        </p>
      )}
    </div>
  );
}
