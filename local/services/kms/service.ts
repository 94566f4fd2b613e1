import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { KeySettings, PolicyStatement } from '../../ports.ts';
import type { Permission } from '../iam/authorization.ts';
import { type JsonOperation, jsonService, operation } from '../json-protocol.ts';
import { type Service, ServiceError } from '../service.ts';
import { decrypt, type EncryptionContext, encrypt, keyOf } from './ciphertext.ts';
import type { Key, Keys } from './keys.ts';
import { algorithmsOf, sign, verify } from './signing.ts';

const maxPlaintext = 4096;

export interface KmsNaming {
  region: string;
  account: string;
}

const bytes = (max: number) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((data) => data.length >= 1 && data.length <= max, `must be 1 to ${max} bytes long`);
const context = z.record(z.string(), z.string()).default({});
const keyId = z.object({ KeyId: z.string() });
const signing = keyId.extend({
  Message: bytes(4096),
  MessageType: z.enum(['RAW', 'DIGEST']).default('RAW'),
  SigningAlgorithm: z.enum(['RSASSA_PKCS1_V1_5_SHA_256', 'RSASSA_PSS_SHA_256', 'ECDSA_SHA_256']),
});
const mac = keyId.extend({ Message: bytes(4096), MacAlgorithm: z.literal('HMAC_SHA_256') });

/** A key without a policy has the one that KMS gives it: the account decides by IAM. */
const defaultPolicy = (account: string): PolicyStatement[] => [
  { Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal: { AWS: `arn:aws:iam::${account}:root` } },
];

export function kmsService(keys: Keys, naming: KmsNaming): Service {
  const permission = (
    action: string,
    key: Key,
    values: Permission['context']['values'] = {},
  ): Permission => ({
    action: `kms:${action}`,
    resources: [key.settings.arn],
    resourcePolicy: key.settings.policy.length > 0 ? key.settings.policy : defaultPolicy(naming.account),
    resourcePolicyMustAllow: true,
    context: {
      families: ['kms:EncryptionContext:'],
      values: {
        'kms:CallerAccount': [naming.account],
        'kms:KeySpec': [key.settings.spec],
        'kms:KeyUsage': [key.settings.usage],
        'kms:ViaService': [],
        'kms:GrantIsForAWSResource': [],
        'kms:ResourceAliases': key.settings.aliases,
        'kms:RequestAlias': [],
        'kms:EncryptionContextKeys': [],
        ...values,
      },
    },
  });
  return jsonService({
    name: 'kms',
    contentType: 'application/x-amz-json-1.1',
    operations: {
      ...encryption(keys, permission),
      ...signatures(keys, permission),
      ...description(keys, permission),
    },
  });
}

type Permit = (action: string, key: Key, values?: Permission['context']['values']) => Permission;

const contextValues = (given: EncryptionContext) => ({
  ...Object.fromEntries(
    Object.entries(given).map(([name, value]) => [`kms:EncryptionContext:${name}`, [value]]),
  ),
  'kms:EncryptionContextKeys': Object.keys(given),
  'kms:EncryptionAlgorithm': ['SYMMETRIC_DEFAULT'],
});

function usable(key: Key, usage: KeySettings['usage'], spec?: KeySettings['spec']): Key {
  if (key.settings.usage !== usage || (spec && key.settings.spec !== spec)) {
    throw new ServiceError(
      'InvalidKeyUsageException',
      `${key.settings.arn} key usage is ${key.settings.usage} which is not valid for this operation.`,
    );
  }
  return key;
}

function encryption(keys: Keys, permit: Permit): Record<string, JsonOperation> {
  const symmetric = (key: Key) => usable(key, 'ENCRYPT_DECRYPT', 'SYMMETRIC_DEFAULT');
  const dataKey = keyId.extend({
    EncryptionContext: context,
    KeySpec: z.enum(['AES_256', 'AES_128']).optional(),
    NumberOfBytes: z.int().min(1).max(1024).optional(),
  });
  const makeDataKey = (input: z.infer<typeof dataKey>) => {
    const key = symmetric(keys.find(input.KeyId));
    if ((input.KeySpec === undefined) === (input.NumberOfBytes === undefined)) {
      throw new ServiceError('ValidationException', 'Please specify either number of bytes or key spec.');
    }
    const plaintext = randomBytes(input.NumberOfBytes ?? (input.KeySpec === 'AES_128' ? 16 : 32));
    return {
      KeyId: key.settings.arn,
      Plaintext: plaintext.toString('base64'),
      CiphertextBlob: encrypt(key, plaintext, input.EncryptionContext).toString('base64'),
    };
  };

  return {
    Encrypt: operation(
      keyId.extend({ Plaintext: bytes(maxPlaintext), EncryptionContext: context }),
      (input) => [permit('Encrypt', keys.find(input.KeyId), contextValues(input.EncryptionContext))],
      (input) => {
        const key = symmetric(keys.find(input.KeyId));
        return {
          KeyId: key.settings.arn,
          CiphertextBlob: encrypt(key, input.Plaintext, input.EncryptionContext).toString('base64'),
          EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
        };
      },
    ),
    Decrypt: operation(
      z.object({ CiphertextBlob: bytes(6144), EncryptionContext: context, KeyId: z.string().optional() }),
      (input) => [
        permit('Decrypt', keyOf(keys, input.CiphertextBlob), contextValues(input.EncryptionContext)),
      ],
      (input) => {
        const key = symmetric(keyOf(keys, input.CiphertextBlob));
        if (input.KeyId !== undefined && keys.find(input.KeyId) !== key) {
          throw new ServiceError(
            'IncorrectKeyException',
            'The key ID in the request does not identify a CMK that can perform this operation.',
          );
        }
        return {
          KeyId: key.settings.arn,
          Plaintext: decrypt(key, input.CiphertextBlob, input.EncryptionContext).toString('base64'),
          EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
        };
      },
    ),
    GenerateDataKey: operation(
      dataKey,
      (input) => [permit('GenerateDataKey', keys.find(input.KeyId), contextValues(input.EncryptionContext))],
      makeDataKey,
    ),
    GenerateDataKeyWithoutPlaintext: operation(
      dataKey,
      (input) => [
        permit(
          'GenerateDataKeyWithoutPlaintext',
          keys.find(input.KeyId),
          contextValues(input.EncryptionContext),
        ),
      ],
      (input) => ({ ...makeDataKey(input), Plaintext: undefined }),
    ),
  };
}

function signatures(keys: Keys, permit: Permit): Record<string, JsonOperation> {
  const signingKey = (input: z.infer<typeof signing>) => {
    const key = usable(keys.find(input.KeyId), 'SIGN_VERIFY');
    if (!algorithmsOf(key).includes(input.SigningAlgorithm)) {
      throw new ServiceError(
        'InvalidKeyUsageException',
        `Algorithm ${input.SigningAlgorithm} and key spec ${key.settings.spec} are incompatible.`,
      );
    }
    if (input.MessageType === 'DIGEST' && input.Message.length !== 32) {
      throw new ServiceError('ValidationException', 'Digest is invalid length for algorithm');
    }
    return key;
  };
  const permitSigning = (action: string) => (input: z.infer<typeof signing>) => [
    permit(action, keys.find(input.KeyId), {
      'kms:SigningAlgorithm': [input.SigningAlgorithm],
      'kms:MessageType': [input.MessageType],
    }),
  ];
  const permitMac = (action: string) => (input: z.infer<typeof mac>) => [
    permit(action, keys.find(input.KeyId), { 'kms:MacAlgorithm': [input.MacAlgorithm] }),
  ];
  const macOf = (key: Key, message: Buffer) => createHmac('sha256', key.secret()).update(message).digest();

  return {
    Sign: operation(signing, permitSigning('Sign'), (input) => {
      const key = signingKey(input);
      return {
        KeyId: key.settings.arn,
        SigningAlgorithm: input.SigningAlgorithm,
        Signature: sign(key, input.SigningAlgorithm, input.MessageType, input.Message).toString('base64'),
      };
    }),
    Verify: operation(signing.extend({ Signature: bytes(6144) }), permitSigning('Verify'), (input) => {
      const key = signingKey(input);
      if (!verify(key, input.SigningAlgorithm, input.MessageType, input.Message, input.Signature)) {
        throw new ServiceError('KMSInvalidSignatureException', '');
      }
      return { KeyId: key.settings.arn, SigningAlgorithm: input.SigningAlgorithm, SignatureValid: true };
    }),
    GenerateMac: operation(mac, permitMac('GenerateMac'), (input) => {
      const key = usable(keys.find(input.KeyId), 'GENERATE_VERIFY_MAC');
      return {
        KeyId: key.settings.arn,
        MacAlgorithm: input.MacAlgorithm,
        Mac: macOf(key, input.Message).toString('base64'),
      };
    }),
    VerifyMac: operation(mac.extend({ Mac: bytes(6144) }), permitMac('VerifyMac'), (input) => {
      const key = usable(keys.find(input.KeyId), 'GENERATE_VERIFY_MAC');
      const expected = macOf(key, input.Message);
      if (input.Mac.length !== expected.length || !timingSafeEqual(input.Mac, expected)) {
        throw new ServiceError('KMSInvalidMacException', '');
      }
      return { KeyId: key.settings.arn, MacAlgorithm: input.MacAlgorithm, MacValid: true };
    }),
  };
}

function description(keys: Keys, permit: Permit): Record<string, JsonOperation> {
  return {
    DescribeKey: operation(
      keyId,
      (input) => [permit('DescribeKey', keys.find(input.KeyId))],
      (input) => ({ KeyMetadata: metadata(keys.find(input.KeyId)) }),
    ),
    GetPublicKey: operation(
      keyId,
      (input) => [permit('GetPublicKey', keys.find(input.KeyId))],
      (input) => {
        const key = usable(keys.find(input.KeyId), 'SIGN_VERIFY');
        return {
          KeyId: key.settings.arn,
          KeySpec: key.settings.spec,
          CustomerMasterKeySpec: key.settings.spec,
          KeyUsage: key.settings.usage,
          SigningAlgorithms: algorithmsOf(key),
          PublicKey: key.publicKey().export({ type: 'spki', format: 'der' }).toString('base64'),
        };
      },
    ),
  };
}

function metadata(key: Key) {
  const { id, arn, spec, usage } = key.settings;
  return {
    KeyId: id,
    Arn: arn,
    AWSAccountId: arn.split(':')[4],
    CreationDate: key.createdAt.getTime() / 1000,
    Enabled: true,
    KeyState: 'Enabled',
    KeyManager: 'CUSTOMER',
    Origin: 'AWS_KMS',
    Description: '',
    MultiRegion: false,
    KeySpec: spec,
    CustomerMasterKeySpec: spec,
    KeyUsage: usage,
    ...(usage === 'ENCRYPT_DECRYPT' && { EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'] }),
    ...(usage === 'SIGN_VERIFY' && { SigningAlgorithms: algorithmsOf(key) }),
    ...(usage === 'GENERATE_VERIFY_MAC' && { MacAlgorithms: ['HMAC_SHA_256'] }),
  };
}
