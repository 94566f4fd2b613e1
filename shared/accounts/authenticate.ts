import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../http/api-error.ts';
import { apiKeyKey, type Mode } from '../store/keys.ts';
import type { Owner } from '../store/owners.ts';
import type { Table } from '../store/table.ts';
import { hashApiKey, tokenOf } from './api-key.ts';

/** Whose key it is, with the owner's standing, of which the key's item holds a copy. */
export interface Caller {
  keyId: string;
  ownerId: string;
  ownerType: Owner['type'];
  ownerName: string;
  mode: Mode;
  subscription: Owner['subscription'];
  archive: boolean;
  reminders: boolean;
}

/** The header that says how to authenticate comes from the edge: the gateway would rename a function's. */
const unauthorized = (message: string) => new ApiError('unauthorized', message);

/** Who calls with this key. One read. */
export async function authenticate(table: Table, authorization: string | undefined): Promise<Caller> {
  if (!authorization)
    throw unauthorized('The Authorization header is missing; send Authorization: Bearer <API key>.');
  const token = tokenOf(authorization);
  if (!token)
    throw unauthorized(
      'The Authorization header does not hold an API key; send Authorization: Bearer <API key>.',
    );
  const { keyId, hash } = hashApiKey(token);
  // Consistent: a new key works and a revoked one stops at once.
  const item = await table.get(apiKeyKey(keyId), { consistent: true });
  const stored = typeof item?.hash === 'string' ? item.hash : '0'.repeat(hash.length);
  const known = timingSafeEqual(Buffer.from(stored), Buffer.from(hash));
  if (!item || !known || item.revokedAt) throw unauthorized('The API key is unknown or was revoked.');
  return item as Caller & typeof item;
}
