import { useState } from 'preact/hooks';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { cleaned } from '../../../shared/runtime/visible.ts';
import { Changing } from '../../parts/changing.tsx';
import { Field } from '../../parts/field.tsx';
import { formatDay, formatDayAndTime } from '../../parts/format.ts';
import type { ApiKey } from '../contract.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { isTooLong } from '../parts/too-long.ts';
import { useCheck } from '../parts/use-check.ts';
import { withoutSent } from './edits.ts';
import { ActionForm, type Reloading, Rows, Section } from './section.tsx';
import { showSecret } from './shown-secret.tsx';

export function ApiKeys() {
  const { service, texts } = usePage();
  const { keys, sections } = texts.settings;
  return (
    <Section intro={keys.intro} load={service.apiKeys}>
      {(rows, { reload }) => (
        <>
          {rows.length > 0 && (
            <Rows caption={sections.keys} columns={[keys.name, texts.created, keys.lastUse]}>
              {rows.map((row) => (
                <KeyRow key={row.key_id} row={row} reload={reload} />
              ))}
            </Rows>
          )}
          <NewKey reload={reload} />
        </>
      )}
    </Section>
  );
}

function KeyRow({ row, reload }: Reloading & { row: ApiKey }) {
  const { service, texts, locale, say } = usePage();
  const { keys } = texts.settings;
  const name = row.name ?? keys.unnamed;
  // A new key often gets the name of the one it replaces.
  const about = row.prefix ? `${name}, ${row.prefix}…` : name;
  const revoke = async () => {
    await service.revokeApiKey(row.key_id);
    await reload();
    say(keys.revoked);
  };
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        <span class="small-label">
          {row.prefix && <code>{row.prefix}…</code>} {row.test && texts.testMode.mark}
        </span>
      </th>
      <td data-label={texts.created}>{formatDay(row.created_at, locale)}</td>
      <td data-label={keys.lastUse}>
        <Changing>{row.last_used_at ? formatDayAndTime(row.last_used_at, locale) : keys.neverUsed}</Changing>
      </td>
      <td>
        {row.revoked_at ? (
          keys.revoked
        ) : (
          <ConfirmButton label={keys.revoke} about={about} question={keys.revokeQuestion} work={revoke} />
        )}
      </td>
    </tr>
  );
}

function NewKey({ reload }: Reloading) {
  const { service, session, texts } = usePage();
  const { keys } = texts.settings;
  const isTest = session.mode.value === 'test';
  const [name, setName] = useState('');
  const fault =
    cleaned(name) === ''
      ? texts.nameMissing
      : isTooLong(name, LIMITS.nameLength) && texts.create.faults.tooLong;
  const { isFaulty, check } = useCheck(!fault);
  const create = useAction(async () => {
    const { api_key: secret } = await service.createApiKey(cleaned(name), isTest);
    showSecret({ heading: keys.shown, text: keys.shownOnce, secret });
    setName(withoutSent(name));
    await reload();
  });
  return (
    <ActionForm heading={keys.create} label={keys.create} action={create} check={check}>
      <Field
        id="key-name"
        label={keys.name}
        hint={keys.nameHint}
        value={name}
        error={isFaulty && fault}
        onInput={setName}
      />
      <p class="hint">{isTest ? keys.forTest : keys.forLive}</p>
    </ActionForm>
  );
}
