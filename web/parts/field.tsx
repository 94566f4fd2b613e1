import type { ComponentChildren } from 'preact';
import { usePage } from '../page.tsx';
import { AlertIcon } from './icons.tsx';

interface FieldProps {
  id: string;
  label: string;
  value: string;
  maxLength: number;
  hint?: string | undefined;
  error?: string | false | undefined;
  optional?: boolean;
  autocomplete?: string;
  /** Ours to show in the signer's own language, theirs to write in any. */
  class?: string;
  onInput(value: string): void;
}

/** A line of text with its label above, and its hint or error tied to it. */
export function Field(props: FieldProps) {
  const { id, label, hint, error, optional } = props;
  const { texts } = usePage();
  return (
    <div class={`field ${error ? 'field-wrong' : ''}`}>
      <label for={id}>
        {label}
        {optional && <span class="field-optional"> ({texts.optional})</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        id={id}
        class={props.class}
        type="text"
        value={props.value}
        maxLength={props.maxLength}
        autocomplete={props.autocomplete ?? 'off'}
        dir="auto"
        required={!optional}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
      <FieldError id={id}>{error}</FieldError>
    </div>
  );
}

export const describedBy = (id: string, hint: unknown, error: unknown) =>
  [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;

export const FieldError = ({ id, children }: { id: string; children?: ComponentChildren }) =>
  children ? (
    <p class="error" id={`${id}-error`}>
      <AlertIcon />
      <span>{children}</span>
    </p>
  ) : null;
