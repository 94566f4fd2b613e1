import { hashApiKey, newApiKey } from '../../shared/accounts/api-key.ts';
import { addKey, revokeKey } from '../../shared/store/api-keys.ts';
import type { Mode } from '../../shared/store/keys.ts';
import { type Account, listOwners, loadAccount, type Owner } from '../../shared/store/owners.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';
import type { Operator } from './operator.ts';

/** API keys. */

const whose = {
  org: { kind: 'text', value: 'ID', help: 'The organization it belongs to' },
  user: { kind: 'text', value: 'ID', help: 'The user it belongs to' },
} as const;

interface Whose {
  type: Owner['type'];
  id: string;
}

function readWhose({ org, user }: { org: string | undefined; user: string | undefined }): Whose | undefined {
  if (org !== undefined && user !== undefined) throw new UsageError('Give --org or --user, not both.');
  if (org !== undefined) return { type: 'organization', id: org };
  return user === undefined ? undefined : { type: 'user', id: user };
}

async function accountOf({ type, id }: Whose, { table }: Operator): Promise<Account> {
  const account = await loadAccount(table, id);
  if (account?.owner.type !== type) throw new UsageError(`There is no ${type} ${id}.`);
  return account;
}

/** Makes a key for an owner. It is shown here and kept nowhere. */
export async function createKey(owner: Owner, mode: Mode, { table, now }: Operator) {
  const apiKey = newApiKey(mode);
  const { keyId, hash } = hashApiKey(apiKey);
  await addKey(table, owner.id, { keyId, hash, mode, createdAt: now().toISOString() });
  return { key_id: keyId, api_key: apiKey };
}

const listed = ({ owner, keys }: Account) =>
  keys
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    .map(({ keyId, mode, createdAt, revokedAt }) => ({
      key_id: keyId,
      ...(owner.type === 'user' ? { user_id: owner.id } : { organization_id: owner.id }),
      mode,
      created_at: createdAt,
      revoked_at: revokedAt,
    }));

export const keyCommands = [
  command({
    name: 'key create',
    summary: 'Create an API key; it is shown this once',
    args: [],
    options: {
      ...whose,
      test: { kind: 'switch', help: 'A key for test requests, which are marked as such and have no effect' },
    },
    run: async ({ org, user, test }, operator) => {
      const given = readWhose({ org, user });
      if (!given) throw new UsageError('Say whose key it is: --org ID or --user ID.');
      const { owner } = await accountOf(given, operator);
      return createKey(owner, test ? 'test' : 'live', operator);
    },
  }),
  command({
    name: 'key revoke',
    summary: 'End an API key, at once and for good',
    args: ['key_id'],
    options: {},
    run: async ({ key_id: keyId }, { table, now }) => {
      if (keyId.startsWith('esk_'))
        throw new UsageError('Give the key’s id, as "key list" shows it, not the key.');
      const revokedAt = await revokeKey(table, keyId, now().toISOString());
      if (!revokedAt) throw new UsageError(`There is no key ${keyId}.`);
      return { key_id: keyId, revoked_at: revokedAt };
    },
  }),
  command({
    name: 'key list',
    summary: 'List API keys, of one owner or of all',
    args: [],
    options: whose,
    run: async (input, operator) => {
      const given = readWhose(input);
      if (given) return listed(await accountOf(given, operator));
      const keys = [];
      for (const owner of await listOwners(operator.table)) {
        const account = await loadAccount(operator.table, owner.id);
        if (account) keys.push(...listed(account));
      }
      return keys;
    },
  }),
];
