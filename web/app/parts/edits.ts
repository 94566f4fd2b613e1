import { signal } from '@preact/signals';

/** The unsaved entries of a form, for each owner. They outlive the form: its user may look elsewhere before saving. */
export class UnsavedEdits<Values extends object> {
  readonly #ofOwners = signal<Readonly<Record<string, Partial<Values>>>>({});

  of = (owner: string): Partial<Values> => this.#ofOwners.value[owner] ?? {};

  add(owner: string, change: Partial<Values>) {
    this.#set(owner, { ...this.of(owner), ...change });
  }

  saved(owner: string, sent: Partial<Values>) {
    this.#set(owner, withoutSent(this.of(owner), sent));
  }

  discard(owner: string) {
    this.#set(owner, {});
  }

  #set(owner: string, edited: Partial<Values>) {
    this.#ofOwners.value = { ...this.#ofOwners.peek(), [owner]: edited };
  }
}

/** The edits that are still to be sent: all but those that were sent as they are now. */
const withoutSent = <Values extends object>(
  edited: Partial<Values>,
  sent: Partial<Values>,
): Partial<Values> => {
  const known = new Map<string, unknown>(Object.entries(sent));
  const rest = Object.entries(edited).filter(
    ([name, value]) => !known.has(name) || known.get(name) !== value,
  );
  return Object.fromEntries(rest) as Partial<Values>;
};
