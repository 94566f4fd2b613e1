import type { ComponentChildren } from 'preact';
import { Changing } from './changing.tsx';
import { AlertIcon } from './icons.tsx';

interface FieldProps {
  id: string;
  label: string;
  value: string;
  /** The browser cuts longer pasted texts. Without it, the form must report a text that is too long. */
  maxLength?: number;
  hint?: ComponentChildren;
  error?: string | false | undefined;
  /** Its error is shown elsewhere, by a `FieldError` of the same id. */
  hasErrorElsewhere?: boolean;
  /** The word for “optional”. A field without it is required. */
  optional?: string | undefined;
  autocomplete?: string;
  /** Of a text of several lines. */
  rows?: number;
  /** The keyboard of phones. */
  inputMode?: 'email' | 'url';
  /** Words of a language, in contrast to a name, address or number. */
  isProse?: boolean;
  onInput(value: string): void;
}

/** For names and addresses. Written `autoCorrect`, Preact sets the attribute: the property is a boolean, which "off" turns on. */
export const AS_TYPED = { spellcheck: false, autoCorrect: 'off' } as const;

/** A text input with its label above it. Its hint and error are linked to it for screen readers. */
export function Field(props: FieldProps) {
  const { id, label, hint, error, optional } = props;
  const isInvalid = Boolean(error) || props.hasErrorElsewhere;
  return (
    <div class={`field ${isInvalid ? 'field-invalid' : ''}`}>
      <FieldLabel {...{ id, label, hint, optional }} />
      {props.rows ? (
        <textarea
          {...linksOf(id, hint, isInvalid)}
          rows={props.rows}
          value={props.value}
          dir="auto"
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      ) : (
        <input
          {...linksOf(id, hint, isInvalid)}
          {...(props.isProse ? {} : AS_TYPED)}
          type="text"
          inputMode={props.inputMode}
          autocapitalize={props.inputMode && 'none'}
          value={props.value}
          maxLength={props.maxLength}
          autocomplete={props.autocomplete ?? 'off'}
          dir="auto"
          required={!optional}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
      <FieldError id={id}>{error}</FieldError>
    </div>
  );
}

/** The label of any input, with the hint below it. */
export const FieldLabel = ({
  id,
  label,
  hint,
  optional,
}: Pick<FieldProps, 'id' | 'label' | 'hint' | 'optional'>) => (
  <>
    <label for={id}>
      {label}
      {optional && <span class="field-optional"> ({optional})</span>}
    </label>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
);

/** Links an input to its label, hint and error. */
export const linksOf = (id: string, hint: unknown, error?: unknown) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
});

export const FieldError = ({ id, children }: { id: string; children?: ComponentChildren }) =>
  children ? (
    <p class="error" id={`${id}-error`}>
      <AlertIcon />
      <Changing>{children}</Changing>
    </p>
  ) : null;

/** An error that screen readers announce at once. */
export const FieldAlert = (props: { id: string; children?: ComponentChildren }) => (
  <div role="alert">
    <FieldError {...props} />
  </div>
);
