/** Leads to the first field that has to be corrected, once it is marked. */
export const focusFirstFaulty = (form: HTMLElement) =>
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
