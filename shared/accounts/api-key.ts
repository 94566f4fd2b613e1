import { randomBytes } from 'node:crypto';
import type { Mode } from '../contract/fields.ts';
import { sha256Hex } from '../runtime/hash.ts';

const PREFIX = { live: 'esk_live_', test: 'esk_test_' } as const;
const TOKEN = /^esk_(live|test)_[A-Za-z0-9_-]{43}$/;
const KEY_ID_LENGTH = 32;

export const newApiKey = (mode: Mode): string => `${PREFIX[mode]}${randomBytes(32).toString('base64url')}`;

/** The first half of the hash identifies a key, the whole hash proves it. The key itself is not stored. */
export function hashApiKey(token: string) {
  const hash = sha256Hex(token);
  return { keyId: hash.slice(0, KEY_ID_LENGTH), hash };
}

const SHOWN_CHARACTERS = 4;

/** The beginning of a key, by which people recognize it: of its 256 random bits it tells 24. */
export const prefixOf = (token: string, mode: Mode): string =>
  token.slice(0, PREFIX[mode].length + SHOWN_CHARACTERS);

/** Returns the API key of an Authorization header; undefined if it contains none. */
export function tokenOf(authorization: string): string | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return token && TOKEN.test(token) ? token : undefined;
}
