/** Encrypts and signs with a key's material, in this process or in another KMS. */
import { createCipheriv, createDecipheriv, createPublicKey, randomBytes, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Elsewhere } from '../elsewhere.ts';
import { ServiceError } from '../service.ts';
import type { Key } from './keys.ts';

type EncryptionContext = Record<string, string>;

export interface Vault {
  encrypt(key: Key, plaintext: Uint8Array, context: EncryptionContext): Promise<Buffer>;
  decrypt(key: Key, encrypted: Buffer, context: EncryptionContext): Promise<Buffer>;
  sign(key: Key, message: Uint8Array): Promise<Buffer>;
  /** As SubjectPublicKeyInfo. */
  publicKey(key: Key): Promise<Buffer>;
}

const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

export const invalidCiphertext = () => new ServiceError('InvalidCiphertextException', '');

/** Nonce, tag and bytes of AES-256-GCM. */
export const ownVault: Vault = {
  encrypt: async (key, plaintext, context) => {
    const nonce = randomBytes(NONCE_LENGTH);
    const cipher = createCipheriv('aes-256-gcm', key.material, nonce).setAAD(canonical(context));
    const encrypted = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
  },
  decrypt: async (key, encrypted, context) => {
    const [nonce, rest] = [encrypted.subarray(0, NONCE_LENGTH), encrypted.subarray(NONCE_LENGTH)];
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.material, nonce, { authTagLength: TAG_LENGTH })
        .setAAD(canonical(context))
        .setAuthTag(rest.subarray(0, TAG_LENGTH));
      return Buffer.concat([decipher.update(rest.subarray(TAG_LENGTH)), decipher.final()]);
    } catch {
      throw invalidCiphertext();
    }
  },
  sign: async (key, message) => sign('sha256', message, key.material),
  publicKey: async (key) => createPublicKey(key.material).export({ type: 'spki', format: 'der' }) as Buffer,
};

/** The order of the pairs does not matter. */
function canonical(context: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Creates a key there at its first use, and remembers its id in this folder. */
export function vaultElsewhere({ json }: Elsewhere, folder: string): Vault {
  const file = join(folder, 'elsewhere.json');
  const known = existsSync(file) ? z.record(z.string(), z.string()).parse(read(file)) : {};
  const made = new Map(Object.entries(known).map(([id, other]) => [id, Promise.resolve(other)]));

  const make = async ({ settings: { id, spec, usage } }: Key): Promise<string> => {
    const { KeyMetadata } = await json('TrentService.CreateKey', { KeySpec: spec, KeyUsage: usage });
    const { KeyId } = z.object({ KeyId: z.string() }).parse(KeyMetadata);
    known[id] = KeyId;
    writeFileSync(file, JSON.stringify(known), { mode: 0o600 });
    return KeyId;
  };
  const otherOf = (key: Key): Promise<string> => {
    const { id } = key.settings;
    const other = made.get(id) ?? make(key);
    made.set(id, other);
    other.catch(() => made.delete(id));
    return other;
  };
  const ask = async (operation: string, key: Key, input: object, member: string): Promise<Buffer> => {
    const answer = await json(`TrentService.${operation}`, { KeyId: await otherOf(key), ...input });
    return Buffer.from(z.base64().parse(answer[member]), 'base64');
  };

  return {
    encrypt: (key, plaintext, EncryptionContext) =>
      ask('Encrypt', key, { Plaintext: base64(plaintext), EncryptionContext }, 'CiphertextBlob'),
    decrypt: (key, encrypted, EncryptionContext) =>
      ask('Decrypt', key, { CiphertextBlob: base64(encrypted), EncryptionContext }, 'Plaintext'),
    sign: (key, message) => {
      const SigningAlgorithm = algorithmOf(key);
      const input = { Message: base64(message), MessageType: 'RAW', SigningAlgorithm };
      return ask('Sign', key, input, 'Signature');
    },
    publicKey: (key) => ask('GetPublicKey', key, {}, 'PublicKey'),
  };
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const algorithmOf = (key: Key) =>
  key.settings.spec === 'ECC_NIST_P256' ? 'ECDSA_SHA_256' : 'RSASSA_PKCS1_V1_5_SHA_256';
