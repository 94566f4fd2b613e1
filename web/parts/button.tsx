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
  /** Ignores the second click of a double one, which was meant for the button in its place before. */
  deliberate?: boolean | undefined;
  onClick?: (() => void) | undefined;
}

/** The last click on a button that leads somewhere. One that is deliberate may be pressed again at once, after an error. */
let before: Click | undefined;

/** While idle it ignores clicks, and keeps its place and the focus, which `disabled` would take away. */
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
  /** The id of what tells buttons of one name apart. */
  describedBy?: string | undefined;
  children: ComponentChildren;
  onClick?(): void;
}

/** Steady while it is busy or waiting. */
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
