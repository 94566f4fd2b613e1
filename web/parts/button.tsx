import type { ComponentChildren } from 'preact';
import { Spinner } from './spinner.tsx';

interface ButtonProps {
  kind?: 'main' | 'plain' | 'quiet' | 'danger';
  submit?: boolean;
  busy?: boolean | undefined;
  /** Cannot be pressed yet. */
  waiting?: boolean | undefined;
  disabled?: boolean | undefined;
  children: ComponentChildren;
  onClick?(): void;
}

/** A busy or waiting button keeps its place and the focus, and ignores clicks. */
export const Button = ({
  kind = 'plain',
  submit,
  busy,
  waiting,
  disabled,
  children,
  onClick,
}: ButtonProps) => (
  <button
    type={submit ? 'submit' : 'button'}
    class={`button button-${kind} ${waiting ? 'button-waiting' : ''}`}
    disabled={disabled}
    aria-disabled={busy || waiting ? true : undefined}
    onClick={(event) => {
      if (busy || waiting) event.preventDefault();
      else onClick?.();
    }}
  >
    {busy && <Spinner />}
    <span>{children}</span>
  </button>
);
