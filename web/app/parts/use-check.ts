import { useState } from 'preact/hooks';

/** Shows the fault of an incomplete form from the first attempt to send it, until the form is complete. */
export function useCheck(isComplete: boolean) {
  const [isChecked, setChecked] = useState(false);
  const check = () => {
    setChecked(!isComplete);
    return isComplete;
  };
  return { isFaulty: isChecked && !isComplete, check };
}

/** Focuses the first invalid field once it is rendered as such. */
export const focusFirstFaulty = (form: HTMLElement) =>
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
