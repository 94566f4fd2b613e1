import type { ComponentChildren } from 'preact';
import { Spinner } from './spinner.tsx';

interface ButtonProps {
  kind?: 'main' | 'plain' | 'quiet' | 'danger';
  submit?: boolean;
  busy?: boolean | undefined;
  disabled?: boolean | undefined;
  children: ComponentChildren;
  onClick?(): void;
}

/** A busy button keeps its place and the focus, and ignores clicks. */
export const Button = ({ kind = 'plain', submit, busy, disabled, children, onClick }: ButtonProps) => (
  <button
    type={submit ? 'submit' : 'button'}
    class={`button button-${kind}`}
    disabled={disabled}
    aria-disabled={busy ? true : undefined}
    onClick={(event) => {
      if (busy) event.preventDefault();
      else onClick?.();
    }}
  >
    {busy && <Spinner />}
    <span>{children}</span>
  </button>
);
