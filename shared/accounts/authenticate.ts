import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../contract/api-error.ts';
import { type ApiKey, findApiKey } from '../store/api-keys.ts';
import type { Table } from '../store/table.ts';
import { hashApiKey, tokenOf } from './api-key.ts';

/** Whom a call of the client API is for, by API key or on the dashboard. */
export interface Caller extends Omit<ApiKey, 'hash' | 'revokedAt' | 'keyId'> {
  /** The user who makes the call on the dashboard. */
  user?: { id: string; email: string };
}

/** The key's owner and settings. The key's item contains a copy, so that authentication takes one read. */
type KeyCaller = Caller & Pick<ApiKey, 'keyId'>;

/** The edge function answers the same to a create. */
export const NO_API_KEY =
  'The Authorization header contains no API key; send Authorization: Bearer <API key>. A key is esk_live_ or esk_test_, followed by 43 characters.';

/** CloudFront adds the WWW-Authenticate header: API Gateway would rename one from a function. */
const unauthorized = (message: string) => new ApiError('unauthorized', message);

export async function authenticate(table: Table, authorization: string | undefined): Promise<KeyCaller> {
  if (!authorization)
    throw unauthorized('The Authorization header is missing; send Authorization: Bearer <API key>.');
  const token = tokenOf(authorization);
  if (!token) throw unauthorized(NO_API_KEY);
  const { keyId, hash } = hashApiKey(token);
  const key = await findApiKey(table, keyId);
  const stored = key?.hash ?? '0'.repeat(hash.length);
  const matches = timingSafeEqual(Buffer.from(stored), Buffer.from(hash));
  if (!key || !matches || key.revokedAt) throw unauthorized('The API key is unknown or was revoked.');
  const { hash: _, revokedAt: __, ...caller } = key;
  return caller;
}
