import { withoutUnseen } from '../../../shared/runtime/visible.ts';
import { Field } from '../../parts/field.tsx';
import type { Notices } from '../contract.ts';
import { isAddress } from '../new/people.ts';
import { usePage } from '../page.ts';
import { Check } from '../parts/check.tsx';
import { useCheck } from '../parts/use-check.ts';
import { UnsavedEdits, useEdits } from './edits.ts';
import { ActionForm, Section } from './section.tsx';

export function NoticeSettings() {
  const { service } = usePage();
  return <Section load={service.notices}>{(notices) => <NoticeForm stored={notices} />}</Section>;
}

const unsaved = new UnsavedEdits<Notices>();

const asSent = (edited: Partial<Notices>) =>
  edited.notify ? { ...edited, notify: withoutUnseen(edited.notify) || null } : edited;

function NoticeForm({ stored }: { stored: Notices }) {
  const { service, texts } = usePage();
  const { notices } = texts.settings;
  const { saved, edited, save, isUnsaved, set, discard } = useEdits(unsaved, stored, (changes) =>
    service.changeNotices(asSent(changes)),
  );
  const shown = { ...saved, ...edited };
  const address = withoutUnseen(shown.notify ?? '');
  const { isFaulty, check } = useCheck(address === '' || isAddress(address));
  return (
    <ActionForm label={texts.save} action={save} check={check} onDiscard={isUnsaved ? discard : null}>
      <Field
        id="notify"
        inputMode="email"
        label={notices.notify}
        hint={notices.notifyHint}
        optional={texts.optional}
        value={shown.notify ?? ''}
        error={isFaulty && texts.problems.invalid_signer_email}
        onInput={(notify) => set({ notify: notify || null })}
      />
      <Check
        label={notices.signerNotices}
        isChecked={shown.signer_notices}
        onChange={(signer_notices) => set({ signer_notices })}
      />
      <Check
        label={notices.reminders}
        isChecked={shown.reminders}
        onChange={(reminders) => set({ reminders })}
      />
    </ActionForm>
  );
}
