import { signal } from '@preact/signals';
import { usePage } from '../page.ts';

/** The unsaved edits of a form, per owner. They outlive the form, because users look elsewhere before saving. */
export class UnsavedEdits<Values extends object> {
  readonly #ofOwners = signal<Readonly<Record<string, Partial<Values>>>>({});

  of = (owner: string): Partial<Values> => this.#ofOwners.value[owner] ?? {};

  add(owner: string, change: Partial<Values>) {
    this.#set(owner, { ...this.of(owner), ...change });
  }

  saved(owner: string, sent: Partial<Values>) {
    this.#set(owner, editsBeyond(sent, this.of(owner)));
  }

  discard(owner: string) {
    this.#set(owner, {});
  }

  #set(owner: string, edited: Partial<Values>) {
    this.#ofOwners.value = { ...this.#ofOwners.peek(), [owner]: edited };
  }
}

/** The edits that differ from what was stored or sent. An undefined one is none. */
export const editsBeyond = <Values extends object>(
  known: object,
  edited: Partial<Values>,
): Partial<Values> => {
  const values = new Map<string, unknown>(Object.entries(known));
  const rest = Object.entries(edited).filter(([name, value]) => values.get(name) !== value);
  return Object.fromEntries(rest) as Partial<Values>;
};

/** Empties a field whose value was sent, unless another was typed meanwhile. */
export const withoutSent = (sent: string) => (typed: string) => (typed === sent ? '' : typed);

/** The edits of the current owner's settings. A value that was typed back to the stored one is no edit. */
export function useEdits<Values extends object>(unsaved: UnsavedEdits<Values>, stored: object) {
  const owner = usePage().session.owner.value?.owner ?? '';
  const edited = editsBeyond(stored, unsaved.of(owner));
  return {
    edited,
    isUnsaved: Object.keys(edited).length > 0,
    set: (change: Partial<Values>) => unsaved.add(owner, change),
    discard: () => unsaved.discard(owner),
    forgetSent: (sent: Partial<Values>) => unsaved.saved(owner, sent),
  };
}
