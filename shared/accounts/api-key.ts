import { randomBytes } from 'node:crypto';
import { type Mode, sha256Hex } from '../store/keys.ts';

const PREFIX = { live: 'esk_live_', test: 'esk_test_' } as const;
const TOKEN = /^esk_(live|test)_[A-Za-z0-9_-]{43}$/;
const KEY_ID_LENGTH = 32;

/** The key is found by the first half of its hash and proved by the whole of it; the key itself is kept nowhere. */
export interface HashedKey {
  keyId: string;
  hash: string;
}

export const newApiKey = (mode: Mode, random: (size: number) => Buffer = randomBytes): string =>
  `${PREFIX[mode]}${random(32).toString('base64url')}`;

export function hashApiKey(token: string): HashedKey {
  const hash = sha256Hex(token);
  return { keyId: hash.slice(0, KEY_ID_LENGTH), hash };
}

/** The token of an Authorization header; undefined where there is none of our form. */
export function tokenOf(authorization: string | undefined): string | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return token && TOKEN.test(token) ? token : undefined;
}
