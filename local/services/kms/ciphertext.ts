import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ServiceError } from '../service.ts';
import type { Key, Keys } from './keys.ts';

/** A blob that names its key: version, length of the key's id, id, nonce, tag, AES-256-GCM bytes. */

export type EncryptionContext = Record<string, string>;

const version = 1;
const nonceLength = 12;
const tagLength = 16;

export function encrypt(key: Key, plaintext: Uint8Array, context: EncryptionContext): Buffer {
  const id = Buffer.from(key.settings.id);
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key.secret(), nonce).setAAD(canonical(context));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from([version, id.length]), id, nonce, cipher.getAuthTag(), sealed]);
}

/** The key under which a blob was made: a caller need not name it. */
export function keyOf(keys: Keys, blob: Buffer): Key {
  const length = blob[1] ?? 0;
  if (blob[0] !== version || blob.length < 2 + length + nonceLength + tagLength) throw invalid();
  try {
    return keys.find(blob.toString('utf8', 2, 2 + length));
  } catch {
    throw invalid();
  }
}

export function decrypt(key: Key, blob: Buffer, context: EncryptionContext): Buffer {
  let position = 2 + (blob[1] ?? 0);
  const take = (length: number) => {
    position += length;
    return blob.subarray(position - length, position);
  };
  const nonce = take(nonceLength);
  const tag = take(tagLength);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.secret(), nonce, { authTagLength: tagLength })
      .setAAD(canonical(context))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(blob.subarray(position)), decipher.final()]);
  } catch {
    throw invalid();
  }
}

const invalid = () => new ServiceError('InvalidCiphertextException', '');

/** The same context in any order of its pairs is the same context. */
function canonical(context: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
}
