import { usePage } from '../page.ts';
import type { UnsavedEdits } from '../parts/edits.ts';

/** The edits of the owner whose settings are shown. */
export function useEdits<Values extends object>(unsaved: UnsavedEdits<Values>, stored: object) {
  const owner = usePage().session.owner.value?.owner ?? '';
  const edited = unsaved.of(owner);
  return {
    edited,
    isUnsaved: Object.keys(edited).length > 0,
    set: (change: Partial<Values>) => unsaved.add(owner, change, stored),
    discard: () => unsaved.discard(owner),
    forgetSent: (sent: Partial<Values>) => unsaved.saved(owner, sent),
  };
}
