import { usePage } from '../page.ts';
import { editsBeyond, type UnsavedEdits } from '../parts/edits.ts';

/** The edits of the owner whose settings are shown. One that was typed back to the stored value is none. */
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
