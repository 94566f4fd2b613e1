import { ApiError } from '../contract/api-error.ts';
import type { Mode } from '../contract/fields.ts';
import { addKey } from '../store/api-keys.ts';
import { lastUses } from '../store/key-uses.ts';
import type { Owner, OwnersKey, Permit } from '../store/owners.ts';
import type { Table, Write } from '../store/table.ts';
import { hashApiKey, newApiKey, prefixOf } from './api-key.ts';

/**
 * Creates an API key. Only its hash and its beginning are stored, so the key is shown only this once. `extraWrites` belong to
 * the same transaction.
 */
export async function createKey(
  owner: Owner,
  { mode, name }: { mode: Mode; name: string | null },
  { table, now }: { table: Table; now: () => Date },
  { extraWrites = () => [], permit }: { extraWrites?: (keyId: string) => Write[]; permit?: Permit } = {},
) {
  const apiKey = newApiKey(mode);
  const { keyId, hash } = hashApiKey(apiKey);
  const prefix = prefixOf(apiKey, mode);
  const key = { keyId, hash, mode, name, prefix, createdAt: now().toISOString() };
  const holder = await addKey(table, owner.id, key, { extraWrites: extraWrites(keyId), permit });
  if (!holder) throw new ApiError('not_found', 'There is no such owner.');
  return { key_id: keyId, api_key: apiKey, prefix };
}

/** Keys as people see them, oldest first. Keys from before there were names and prefixes have none. */
export async function shownKeys(keys: readonly OwnersKey[], table: Table) {
  const uses = await lastUses(
    table,
    keys.map(({ keyId }) => keyId),
  );
  return keys
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    .map(({ keyId, name, prefix, mode, createdAt, revokedAt }) => ({
      key_id: keyId,
      name,
      prefix,
      mode,
      created_at: createdAt,
      last_used_at: uses.get(keyId) ?? null,
      revoked_at: revokedAt,
    }));
}
