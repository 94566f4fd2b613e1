import type { FormHTMLAttributes, RefObject } from 'preact';

interface FormProps extends Pick<FormHTMLAttributes, 'class' | 'onKeyDown' | 'children'> {
  ref?: RefObject<HTMLFormElement | null>;
  onSubmit(form: HTMLFormElement): void;
}

/** A form that the page checks and sends itself. */
export const Form = ({ onSubmit, ...rest }: FormProps) => (
  <form
    {...rest}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(event.currentTarget);
    }}
  />
);
