import { hashApiKey, tokenOf } from '../shared/accounts/api-key.ts';
import { createKey, shownKeys } from '../shared/accounts/keys.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import { findApiKey, revokeKey } from '../shared/store/api-keys.ts';
import { type Account, listOwners, loadAccount, type Owner } from '../shared/store/owners.ts';
import type { Table } from '../shared/store/table.ts';
import { nameOf } from './arguments.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { Progress } from './progress.ts';

const OWNER_OPTIONS = {
  org: { value: 'ID', help: 'The organization that owns the key' },
  user: { value: 'ID', help: 'The user who owns the key' },
} as const;

interface OwnerRef {
  type: Owner['type'];
  id: string;
}

function readOwner({ org, user }: Record<'org' | 'user', string | undefined>): OwnerRef | undefined {
  if (org !== undefined && user !== undefined) throw new UsageError('Give --org or --user, not both.');
  if (org !== undefined) return { type: 'organization', id: org };
  return user === undefined ? undefined : { type: 'user', id: user };
}

/** An owner with its keys; rejects the id of an owner of the other type. */
export async function accountOf({ type, id }: OwnerRef, { table }: Operator): Promise<Account> {
  const account = await loadAccount(table, id);
  if (account?.owner.type !== type) throw new UsageError(`There is no ${type} ${id}.`);
  return account;
}

export async function ownerOf(
  given: Record<'org' | 'user', string | undefined>,
  operator: Operator,
): Promise<Owner | undefined> {
  const owner = readOwner(given);
  return owner && (await accountOf(owner, operator)).owner;
}

async function listed({ owner, keys }: Account, { table }: Operator) {
  const id = owner.type === 'user' ? { user_id: owner.id } : { organization_id: owner.id };
  return (await shownKeys(keys, table)).map(({ key_id, ...key }) => ({ key_id, ...id, ...key }));
}

async function listAll(operator: Operator) {
  const owners = await listOwners(operator.table);
  using progress = new Progress('Reading keys by owner', owners.length);
  const keys = new Map<string, Awaited<ReturnType<typeof listed>>>();
  await inParallel(owners, async ({ id }) => {
    const account = await loadAccount(operator.table, id);
    if (account) keys.set(id, await listed(account, operator));
    progress.add();
  });
  return owners.flatMap(({ id }) => keys.get(id) ?? []);
}

/** The id of a key that is given by its id or as itself, which must never be printed. */
async function idOf(given: string, table: Table): Promise<string> {
  if (!given.startsWith('esk_')) return given;
  const token = tokenOf(`Bearer ${given}`);
  if (!token) throw new UsageError('That is not a complete API key.');
  const { keyId, hash } = hashApiKey(token);
  const key = await findApiKey(table, keyId);
  if (key?.hash !== hash) throw new UsageError('There is no such API key in this installation.');
  return keyId;
}

export const keyCommands = [
  command({
    name: 'key create',
    summary: 'Create an API key; it is shown only once',
    options: {
      ...OWNER_OPTIONS,
      name: { value: 'NAME', help: 'What the key is for, shown by "key list"' },
      test: { help: 'A key for test requests, which are marked as tests and have no effect' },
    },
    run: async ({ org, user, name, test }, operator) => {
      const given = readOwner({ org, user });
      if (!given) throw new UsageError('Name the owner of the key: --org ID or --user ID.');
      const { owner } = await accountOf(given, operator);
      const { prefix: _, ...key } = await createKey(
        owner,
        { mode: test ? 'test' : 'live', name: name === undefined ? null : nameOf(name) },
        operator,
      );
      return key;
    },
  }),
  command({
    name: 'key revoke',
    summary: 'Revoke an API key immediately and permanently, by its id or by the key itself',
    // Without one it asks: arguments are seen by other users of the machine, and kept by shells.
    optionalArgs: ['key'],
    run: async ({ key }, { table, now, terminal }) => {
      const given = key ?? (await terminal.readSecret('Paste the key, or its id (it is not shown): '));
      const keyId = await idOf(given, table);
      const revokedAt = await revokeKey(table, keyId, now().toISOString());
      if (!revokedAt) throw new UsageError(`There is no key ${keyId}.`);
      return { key_id: keyId, revoked_at: revokedAt };
    },
  }),
  command({
    name: 'key list',
    summary: 'List the API keys of one owner or of all, with the last use to the hour',
    options: OWNER_OPTIONS,
    run: async (input, operator) => {
      const given = readOwner(input);
      return given ? listed(await accountOf(given, operator), operator) : listAll(operator);
    },
  }),
];
