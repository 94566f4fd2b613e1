/** A ciphertext blob: version, length of the key id, key id, what the vault encrypted. */
import type { Key, Keys } from './keys.ts';
import { invalidCiphertext } from './vault.ts';

const VERSION = 1;

export function ciphertextOf(key: Key, encrypted: Uint8Array): Buffer {
  const id = Buffer.from(key.settings.id);
  return Buffer.concat([Buffer.from([VERSION, id.length]), id, encrypted]);
}

/** The blob names its key, so callers of Decrypt need not. */
export function keyOf(keys: Keys, blob: Buffer): Key {
  const length = blob[1] ?? 0;
  if (blob[0] !== VERSION || blob.length < 2 + length) throw invalidCiphertext();
  try {
    return keys.find(blob.toString('utf8', 2, 2 + length));
  } catch {
    throw invalidCiphertext();
  }
}

export const encryptedPart = (blob: Buffer): Buffer => blob.subarray(2 + (blob[1] ?? 0));
