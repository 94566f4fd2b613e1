import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Changing } from './changing.tsx';
import { type Click, isSecondClick } from './double-click.ts';
import { Spinner } from './spinner.tsx';

interface SteadyButtonProps
  extends Pick<
    ButtonHTMLAttributes<HTMLButtonElement>,
    'type' | 'class' | 'disabled' | 'aria-label' | 'aria-describedby' | 'children'
  > {
  /** Cannot be pressed at present. */
  idle?: boolean | undefined;
  /** Ignores the second click of a double click, which was meant for the button that was there before. */
  deliberate?: boolean | undefined;
  onClick?: (() => void) | undefined;
}

/** The last click on an ordinary button. A deliberate one can be pressed again at once, such as after an error. */
let before: Click | undefined;

/** Ignores clicks while idle, but keeps the focus, which `disabled` would take away. */
export const SteadyButton = ({ idle, deliberate, onClick, ...rest }: SteadyButtonProps) => (
  <button
    type="button"
    {...rest}
    aria-disabled={idle ? true : undefined}
    onClick={(event) => {
      if (!deliberate) before = event;
      if (idle || (deliberate && isSecondClick(event, before))) event.preventDefault();
      else onClick?.();
    }}
  />
);

interface ButtonProps {
  kind?: 'main' | 'plain' | 'quiet' | 'danger';
  submit?: boolean;
  busy?: boolean | undefined;
  /** Cannot be pressed yet. */
  waiting?: boolean | undefined;
  disabled?: boolean | undefined;
  deliberate?: boolean | undefined;
  /** The id of an element that tells apart buttons with the same label. */
  describedBy?: string | undefined;
  children: ComponentChildren;
  onClick?(): void;
}

/** Keeps the focus while it is busy or waiting. */
export const Button = ({
  kind = 'plain',
  submit,
  busy,
  waiting,
  disabled,
  deliberate,
  describedBy,
  children,
  onClick,
}: ButtonProps) => (
  <SteadyButton
    type={submit ? 'submit' : 'button'}
    class={`button button-${kind} ${waiting ? 'button-waiting' : ''}`}
    disabled={disabled}
    aria-describedby={describedBy}
    idle={busy || waiting}
    deliberate={deliberate}
    onClick={onClick}
  >
    {busy && <Spinner />}
    <Changing>{children}</Changing>
  </SteadyButton>
);
