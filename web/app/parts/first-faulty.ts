/** Focuses the first invalid field once it is rendered as such. */
export const focusFirstFaulty = (form: HTMLElement) =>
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
