/** Ciphertext blobs: version, length of the key id, key id; then nonce, tag and bytes of AES-256-GCM. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ServiceError } from '../service.ts';
import type { Key, Keys } from './keys.ts';

type EncryptionContext = Record<string, string>;

const VERSION = 1;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

const invalidCiphertext = () => new ServiceError('InvalidCiphertextException', '');

export function encrypt(key: Key, plaintext: Uint8Array, context: EncryptionContext): Buffer {
  const id = Buffer.from(key.settings.id);
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv('aes-256-gcm', key.secret(), nonce).setAAD(canonical(context));
  const encrypted = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION, id.length]), id, nonce, cipher.getAuthTag(), encrypted]);
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

export function decrypt(key: Key, blob: Buffer, context: EncryptionContext): Buffer {
  const encrypted = blob.subarray(2 + (blob[1] ?? 0));
  const [nonce, rest] = [encrypted.subarray(0, NONCE_LENGTH), encrypted.subarray(NONCE_LENGTH)];
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.secret(), nonce, { authTagLength: TAG_LENGTH })
      .setAAD(canonical(context))
      .setAuthTag(rest.subarray(0, TAG_LENGTH));
    return Buffer.concat([decipher.update(rest.subarray(TAG_LENGTH)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

/** The order of the pairs does not matter. */
function canonical(context: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
}
