import type { RefObject } from 'preact';
import { Changing } from './changing.tsx';
import { FieldAlert, linksOf } from './field.tsx';

interface CodeFieldProps {
  label: string;
  value: string;
  error: string | null;
  hint?: string | undefined;
  input: RefObject<HTMLInputElement | null>;
  onInput(value: string): void;
}

/** The input for a mailed code. Phones offer the code from the mail; the whole mail may be pasted too. */
export function CodeField({ label, value, error, hint, input, onInput }: CodeFieldProps) {
  return (
    <div class={`field ${error ? 'field-invalid' : ''}`}>
      <label for="code">{label}</label>
      <input
        {...linksOf('code', hint, error)}
        ref={input}
        class="code-input"
        type="text"
        inputMode="numeric"
        autocomplete="one-time-code"
        autocapitalize="off"
        spellcheck={false}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <FieldAlert id="code">{error}</FieldAlert>
      {hint && (
        <p class="hint" id="code-hint">
          <Changing>{hint}</Changing>
        </p>
      )}
    </div>
  );
}
