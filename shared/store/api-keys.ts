import { apiKeyKey, type Mode, ownersKeyKey } from './keys.ts';
import { untilNotOvertaken } from './overtaken.ts';
import { loadAccount, type Owner, ownerWrite, standingOf } from './owners.ts';
import { isNew, type Table } from './table.ts';

/** All of an owner's keys must change with it in one transaction, which takes 100 writes. */
export const MAX_KEYS = 50;

export class TooManyKeys extends Error {
  override readonly name = 'TooManyKeys';
}

/** Gives an owner a key: an item that is found by the key, and one beside the owner that lists it. */
export const addKey = (
  table: Table,
  ownerId: string,
  { keyId, hash, mode, createdAt }: { keyId: string; hash: string; mode: Mode; createdAt: string },
): Promise<Owner | undefined> =>
  untilNotOvertaken(async () => {
    const account = await loadAccount(table, ownerId);
    if (!account) return undefined;
    const { owner, keys } = account;
    if (keys.filter((key) => !key.revokedAt).length >= MAX_KEYS)
      throw new TooManyKeys(`${owner.name} has ${MAX_KEYS} keys; revoke one first.`);
    const key = { keyId, mode, createdAt, revokedAt: null };
    await table.transact([
      ownerWrite(owner),
      { put: { ...apiKeyKey(keyId), ...key, hash, ...standingOf(owner) }, condition: isNew },
      { put: { ...ownersKeyKey(owner.id, keyId), ...key }, condition: isNew },
    ]);
    return owner;
  });

/** Ends a key at once and for good. Answers since when it has been revoked; undefined where there is no such key. */
export const revokeKey = (table: Table, keyId: string, at: string): Promise<string | undefined> =>
  untilNotOvertaken(async () => {
    const item = await table.get(apiKeyKey(keyId), { consistent: true });
    const account = item && (await loadAccount(table, String(item.ownerId)));
    const key = account?.keys.find((candidate) => candidate.keyId === keyId);
    if (!account || !key) return undefined;
    if (key.revokedAt) return key.revokedAt;
    await table.transact([
      ownerWrite(account.owner),
      { update: apiKeyKey(keyId), set: { revokedAt: at } },
      { update: ownersKeyKey(account.owner.id, keyId), set: { revokedAt: at } },
    ]);
    return at;
  });
