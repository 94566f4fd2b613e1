import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { formatDay } from '../../parts/format.ts';
import type { Member } from '../contract.ts';
import { isAddress } from '../new/people.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { Confirmed } from '../parts/confirmed.tsx';
import { ActionForm, ActionProblem, Rows, Section } from './section.tsx';

const ROLES = ['member', 'admin'] as const;
type MemberRole = Member['role'];

interface Reloading {
  reload(): Promise<void>;
}

export function Members() {
  const { service, texts } = usePage();
  const { members, sections } = texts.settings;
  return (
    <>
      <p>{members.intro}</p>
      <Section load={service.members}>
        {(rows, { reload }) => (
          <>
            <Rows caption={sections.members} columns={[members.email, members.role, members.since]}>
              {rows.map((row) => (
                <MemberRow key={row.user_id} row={row} reload={reload} />
              ))}
            </Rows>
            <NewMember reload={reload} />
          </>
        )}
      </Section>
    </>
  );
}

interface RoleChoiceProps {
  label: string;
  role: MemberRole;
  disabled?: boolean;
  onChoose(role: MemberRole): void;
}

function RoleChoice({ label, role, disabled, onChoose }: RoleChoiceProps) {
  const { texts } = usePage();
  return (
    <select
      aria-label={label}
      value={role}
      disabled={disabled}
      onChange={(event) => onChoose(event.currentTarget.value as MemberRole)}
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
  const { service, texts, locale, say } = usePage();
  const { members } = texts.settings;
  const change = useAction(async (role: MemberRole) => {
    try {
      await service.changeRole(row.user_id, role);
      say(texts.saved);
    } finally {
      // A refused choice goes back to what holds.
      await reload();
    }
  });
  const remove = async () => {
    await service.removeMember(row.user_id);
    await reload();
  };
  return (
    <tr>
      <th scope="row">
        <bdi>{row.email}</bdi>
      </th>
      <td>
        <RoleChoice
          label={`${members.role}: ${row.email}`}
          role={row.role}
          disabled={change.isBusy}
          onChoose={(role) => void change.run(role)}
        />
        <ActionProblem id={row.user_id}>{change.problem}</ActionProblem>
      </td>
      <td>{formatDay(row.added_at, locale)}</td>
      <td>
        <Confirmed label={members.remove} about={row.email} question={members.removeQuestion} work={remove} />
      </td>
    </tr>
  );
}

function NewMember({ reload }: Reloading) {
  const { service, texts, locale, say } = usePage();
  const { members } = texts.settings;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('member');
  const [isIncomplete, setIncomplete] = useState(false);
  const add = useAction(async () => {
    await service.addMember(email.trim(), role, locale);
    say(members.added);
    setEmail('');
    await reload();
  });
  const check = () => {
    setIncomplete(!isAddress(email));
    return isAddress(email);
  };
  return (
    <ActionForm heading={members.add} label={members.add} action={add} check={check}>
      <Field
        id="member-email"
        inputMode="email"
        label={members.email}
        hint={members.addHint}
        value={email}
        maxLength={254}
        error={isIncomplete && texts.create.faults.email}
        onInput={setEmail}
      />
      <div class="field">
        <RoleChoice label={members.role} role={role} onChoose={setRole} />
      </div>
    </ActionForm>
  );
}
