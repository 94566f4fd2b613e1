/** KMS: encryption with a symmetric key and its context, signatures with an asymmetric key. */
import * as z from 'zod';
import type { KeySettings } from '../../ports.ts';
import type { Permission } from '../iam/authorization.ts';
import { type JsonOperation, jsonService, operation } from '../json-protocol.ts';
import { type Service, ServiceError } from '../service.ts';
import { ciphertextOf, encryptedPart, keyOf } from './ciphertext.ts';
import type { Key, Keys } from './keys.ts';
import { algorithmOf, type Vault } from './vault.ts';

const MAX_PLAINTEXT_BYTES = 4096;

const bytes = (max: number) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((data) => data.length >= 1 && data.length <= max, `must be 1 to ${max} bytes long`);
const context = z.record(z.string(), z.string()).default({});
const keyId = z.strictObject({ KeyId: z.string() });

export const kmsService = (keys: Keys, vault: Vault): Service =>
  jsonService({
    name: 'kms',
    contentType: 'application/x-amz-json-1.1',
    operations: { ...encryption(keys, vault), ...signatures(keys, vault) },
  });

const permit = (action: string, { settings: { arn, policy } }: Key): Permission => ({
  action: `kms:${action}`,
  resources: [arn],
  resourcePolicy: policy,
  resourcePolicyMustAllow: true,
});

function assertUsage({ settings: { arn, spec, usage } }: Key, wanted: KeySettings['usage']): void {
  const isSymmetric = spec === 'SYMMETRIC_DEFAULT';
  if (usage !== wanted || isSymmetric !== (wanted === 'ENCRYPT_DECRYPT')) {
    throw new ServiceError(
      'InvalidKeyUsageException',
      `${arn} key usage is ${usage} which is not valid for this operation.`,
    );
  }
}

function encryption(keys: Keys, vault: Vault): Record<string, JsonOperation> {
  return {
    Encrypt: operation(
      keyId.extend({ Plaintext: bytes(MAX_PLAINTEXT_BYTES), EncryptionContext: context }),
      (input) => [permit('Encrypt', keys.find(input.KeyId))],
      async (input) => {
        const key = keys.find(input.KeyId);
        assertUsage(key, 'ENCRYPT_DECRYPT');
        const encrypted = await vault.encrypt(key, input.Plaintext, input.EncryptionContext);
        return {
          KeyId: key.settings.arn,
          CiphertextBlob: ciphertextOf(key, encrypted).toString('base64'),
          EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
        };
      },
    ),
    Decrypt: operation(
      keyId.partial().extend({ CiphertextBlob: bytes(6144), EncryptionContext: context }),
      (input) => [permit('Decrypt', keyOf(keys, input.CiphertextBlob))],
      async (input) => {
        const key = keyOf(keys, input.CiphertextBlob);
        assertUsage(key, 'ENCRYPT_DECRYPT');
        if (input.KeyId !== undefined && keys.find(input.KeyId) !== key) {
          throw new ServiceError(
            'IncorrectKeyException',
            'The key ID in the request does not identify a CMK that can perform this operation.',
          );
        }
        const encrypted = encryptedPart(input.CiphertextBlob);
        const plaintext = await vault.decrypt(key, encrypted, input.EncryptionContext);
        return {
          KeyId: key.settings.arn,
          Plaintext: plaintext.toString('base64'),
          EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
        };
      },
    ),
  };
}

function signatures(keys: Keys, vault: Vault): Record<string, JsonOperation> {
  return {
    Sign: operation(
      keyId.extend({
        Message: bytes(4096),
        MessageType: z.literal('RAW').default('RAW'),
        SigningAlgorithm: z.enum(['RSASSA_PKCS1_V1_5_SHA_256', 'ECDSA_SHA_256']),
      }),
      (input) => [permit('Sign', keys.find(input.KeyId))],
      async (input) => {
        const key = keys.find(input.KeyId);
        assertUsage(key, 'SIGN_VERIFY');
        if (input.SigningAlgorithm !== algorithmOf(key)) {
          throw new ServiceError(
            'InvalidKeyUsageException',
            `Algorithm ${input.SigningAlgorithm} and key spec ${key.settings.spec} are incompatible.`,
          );
        }
        return {
          KeyId: key.settings.arn,
          SigningAlgorithm: input.SigningAlgorithm,
          Signature: (await vault.sign(key, input.Message)).toString('base64'),
        };
      },
    ),
    GetPublicKey: operation(
      keyId,
      (input) => [permit('GetPublicKey', keys.find(input.KeyId))],
      async (input) => {
        const key = keys.find(input.KeyId);
        assertUsage(key, 'SIGN_VERIFY');
        const publicKey = await vault.publicKey(key);
        return {
          KeyId: key.settings.arn,
          KeySpec: key.settings.spec,
          CustomerMasterKeySpec: key.settings.spec,
          KeyUsage: key.settings.usage,
          SigningAlgorithms: [algorithmOf(key)],
          PublicKey: publicKey.toString('base64'),
        };
      },
    ),
  };
}
