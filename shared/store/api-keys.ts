import * as z from 'zod';
import { MODES, type Mode } from '../contract/fields.ts';
import { LIMITS } from '../contract/limits.ts';
import { boolean, string, stringOrNull } from '../runtime/schemas.ts';
import { apiKeyKey, ownersKeyKey } from './keys.ts';
import {
  brandSchema,
  type ChangeOptions,
  loadAccount,
  type Owner,
  ownerSchema,
  ownerSnapshot,
  ownerWrite,
} from './owners.ts';
import { retryOnConflict, transactIfUnchanged } from './retry-on-conflict.ts';
import { holds, isNew, type Table } from './table.ts';

/** An owner and all its keys change in one transaction, which holds at most 100 writes. */
export const MAX_KEYS = LIMITS.apiKeys;

export class TooManyKeys extends Error {
  override name = 'TooManyKeys';
}

const apiKey = z.object({
  keyId: string,
  hash: stringOrNull,
  mode: z.enum(MODES),
  revokedAt: stringOrNull,
  ownerId: string,
  ownerType: ownerSchema.shape.type,
  ownerName: string,
  subscription: ownerSchema.shape.subscription,
  archive: boolean,
  reminders: boolean,
  /** Left out in copies from before they had it. */
  brand: brandSchema.nullable().optional(),
});

export type ApiKey = z.output<typeof apiKey>;

/** The read is consistent, so that new keys and revocations take effect at once. */
export const findApiKey = (table: Table, keyId: string): Promise<ApiKey | undefined> =>
  table.find(apiKey, apiKeyKey(keyId));

interface NewKey {
  keyId: string;
  hash: string;
  mode: Mode;
  name?: string | null;
  /** The beginning of the key, by which people recognize it. */
  prefix?: string | null;
  createdAt: string;
}

/** Adds a key: one item to authenticate by, and one in the owner's partition to list it. */
export const addKey = (
  table: Table,
  ownerId: string,
  { keyId, hash, mode, name = null, prefix = null, createdAt }: NewKey,
  { extraWrites = [], permit }: ChangeOptions = {},
): Promise<Owner | undefined> =>
  retryOnConflict(async () => {
    const account = await loadAccount(table, ownerId);
    await permit?.();
    if (!account) return undefined;
    const { owner, keys } = account;
    if (keys.filter((key) => !key.revokedAt).length >= MAX_KEYS)
      throw new TooManyKeys(`${owner.name} has ${MAX_KEYS} keys; revoke one first.`);
    const key = { keyId, mode, createdAt, revokedAt: null };
    await table.transact([
      ownerWrite(owner, { keyCount: keys.length + 1 }),
      { put: { ...apiKeyKey(keyId), ...key, hash, ...ownerSnapshot(owner) }, condition: isNew },
      { put: { ...ownersKeyKey(owner.id, keyId), ...key, name, prefix }, condition: isNew },
      ...extraWrites,
    ]);
    return owner;
  });

/** Revokes a key for good. Returns the time of the (first) revocation; undefined if there is no such key. */
export const revokeKey = (
  table: Table,
  keyId: string,
  at: string,
  { extraWrites = [], permit }: ChangeOptions = {},
): Promise<string | undefined> =>
  retryOnConflict(async () => {
    const known = await findApiKey(table, keyId);
    const account = known && (await loadAccount(table, known.ownerId));
    await permit?.();
    const key = account?.keys.find((candidate) => candidate.keyId === keyId);
    if (!account || !key) return undefined;
    if (key.revokedAt) return key.revokedAt;
    // The read may have seen another revocation in part: the owner as it left it, and not yet the key.
    const condition = holds({ revokedAt: null });
    const unchanged = [
      ownerWrite(account.owner),
      { update: apiKeyKey(keyId), set: { revokedAt: at }, condition },
    ];
    const listed = { update: ownersKeyKey(account.owner.id, keyId), set: { revokedAt: at } };
    await transactIfUnchanged(table, unchanged, [listed, ...extraWrites]);
    return at;
  });
