import { useState } from 'preact/hooks';
import { withoutUnseen } from '../../../shared/runtime/visible.ts';
import { Field, FieldAlert } from '../../parts/field.tsx';
import { formatDay } from '../../parts/format.ts';
import type { Member } from '../contract.ts';
import { isAddress } from '../new/people.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { ConfirmButton, ConfirmDialog } from '../parts/confirm-button.tsx';
import { useCheck } from '../parts/use-check.ts';
import { withoutSent } from './edits.ts';
import { ActionForm, type Reloading, Rows, Section } from './section.tsx';

const ROLES = ['member', 'admin'] as const;
type MemberRole = Member['role'];

export function Members() {
  const { service, texts } = usePage();
  const { members, sections } = texts.settings;
  return (
    <Section intro={members.intro} load={service.members}>
      {(rows, { reload }) => (
        <>
          <Rows caption={sections.members} columns={[texts.email, members.role, texts.since]}>
            {rows.map((row) => (
              <MemberRow key={row.user_id} row={row} reload={reload} />
            ))}
          </Rows>
          <NewMember reload={reload} />
        </>
      )}
    </Section>
  );
}

interface RoleChoiceProps {
  id?: string;
  /** For places without a visible label. */
  label?: string;
  role: MemberRole;
  busy?: boolean;
  onChoose(role: MemberRole): void;
}

/** Keeps focus and value while busy, which `disabled` would not. */
function RoleChoice({ id, label, role, busy, onChoose }: RoleChoiceProps) {
  const { texts } = usePage();
  return (
    <select
      id={id}
      aria-label={label}
      value={role}
      aria-disabled={busy}
      onChange={(event) => {
        const chosen = event.currentTarget.value as MemberRole;
        if (busy) event.currentTarget.value = role;
        else onChoose(chosen);
      }}
    >
      {ROLES.map((each) => (
        <option key={each} value={each}>
          {texts.settings.members.roles[each]}
        </option>
      ))}
    </select>
  );
}

function MemberRow({ row, reload }: Reloading & { row: Member }) {
  const { service, session, texts, locale, say } = usePage();
  const { members } = texts.settings;
  const isSelf = row.user_id === session.me.value?.user.user_id;
  // A change of one's own rights changes the whole page.
  const refresh = async () => {
    if (!isSelf || !(await session.refresh())) await reload();
  };
  const [isSteppingDown, setSteppingDown] = useState(false);
  const setRole = async (role: MemberRole) => {
    await service.changeRole(row.user_id, role);
    await refresh();
    say(texts.saved);
  };
  const change = useAction(setRole);
  const remove = async () => {
    await service.removeMember(row.user_id);
    await refresh();
    say(texts.removed);
  };
  return (
    <tr>
      <th scope="row">
        <bdi>{row.email}</bdi>
      </th>
      <td data-label={members.role}>
        <RoleChoice
          label={`${members.role}: ${row.email}`}
          role={row.role}
          busy={change.isBusy}
          // An arrow key is enough to choose, and the user could not undo it.
          onChoose={(role) => (isSelf ? setSteppingDown(true) : void change.run(role))}
        />
        {isSteppingDown && (
          <ConfirmDialog
            label={members.stepDown}
            about={row.email}
            question={members.stepDownQuestion}
            work={() => setRole('member')}
            onClose={() => setSteppingDown(false)}
          />
        )}
        <FieldAlert id={row.user_id}>{change.problem}</FieldAlert>
      </td>
      <td data-label={texts.since}>{formatDay(row.added_at, locale)}</td>
      <td>
        <ConfirmButton
          label={texts.remove}
          about={row.email}
          question={members.removeQuestion}
          work={remove}
        />
      </td>
    </tr>
  );
}

function NewMember({ reload }: Reloading) {
  const { service, texts, locale, say } = usePage();
  const { members } = texts.settings;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('member');
  const { isFaulty, check } = useCheck(isAddress(email));
  const add = useAction(async () => {
    await service.addMember(withoutUnseen(email), role, locale);
    say(members.added);
    setEmail(withoutSent(email));
    await reload();
  });
  return (
    <ActionForm heading={members.add} label={members.add} action={add} check={check}>
      <Field
        id="member-email"
        inputMode="email"
        label={texts.email}
        hint={members.addHint}
        value={email}
        error={isFaulty && texts.problems.invalid_signer_email}
        onInput={setEmail}
      />
      <div class="field">
        <label for="member-role">{members.role}</label>
        <RoleChoice id="member-role" role={role} onChoose={setRole} />
      </div>
    </ActionForm>
  );
}
