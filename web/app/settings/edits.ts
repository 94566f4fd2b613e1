import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';

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
export function useEdits<Values extends object, Stored extends object>(
  unsaved: UnsavedEdits<Values>,
  stored: Stored,
  send: (edited: Partial<Values>) => Promise<Stored>,
) {
  const { session, texts, say } = usePage();
  const owner = session.owner.value?.owner ?? '';
  const [saved, setSaved] = useState(stored);
  const edited = editsBeyond(saved, unsaved.of(owner));
  const save = useAction(async () => {
    // Sends only what was edited, so that two people do not overwrite each other's values.
    setSaved(await send(edited));
    unsaved.saved(owner, edited);
    say(texts.saved);
  });
  return {
    saved,
    edited,
    save,
    isUnsaved: Object.keys(edited).length > 0,
    set: (change: Partial<Values>) => unsaved.add(owner, change),
    discard: () => unsaved.discard(owner),
  };
}
