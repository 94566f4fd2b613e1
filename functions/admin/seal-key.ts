import { readFileSync } from 'node:fs';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readCertificate } from '../../shared/sealing/certificate.ts';
import { SealError } from '../../shared/sealing/errors.ts';
import { checkSealKey } from '../../shared/sealing/keys/check.ts';
import { kmsKey } from '../../shared/sealing/keys/kms.ts';
import { pkcs12Key } from '../../shared/sealing/keys/pkcs12.ts';
import type { SealKey } from '../../shared/sealing/keys/port.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { certificateRequest, subjectOf } from './seal-key-request.ts';

/** The key that seals, and its certificate. Nothing is stored that would not seal. */

const test = {
  kind: 'switch',
  help: 'For test requests, whose certificate should say TEST in its subject',
} as const;

export function readGivenFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`The file ${file} cannot be read.`);
  }
}

/** Secrets come by the environment: arguments are seen by everybody on the machine, and kept by the shell. */
export function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new UsageError(`There is no environment variable ${name}.`);
  return value;
}

export async function writeSecret({ clients, output }: Operator, name: string, value: object): Promise<void> {
  await new SecretsManagerClient(clients).send(
    new PutSecretValueCommand({ SecretId: output(name), SecretString: JSON.stringify(value) }),
  );
}

/** What is wrong with a key or certificate, as a sentence of the command's. */
async function orFailure<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SealError)
      throw new Failure(`Nothing was stored: ${error.message.replace(/^\w+: /, '')}.`);
    throw error;
  }
}

async function store(
  operator: Operator,
  key: SealKey,
  value: object,
  forTest: boolean,
): Promise<Record<string, unknown>> {
  await orFailure(() => checkSealKey(key, operator.now()));
  const [own] = key.certificateChain.map(readCertificate);
  await writeSecret(operator, forTest ? 'TestSealSecretArn' : 'SealSecretArn', value);
  return {
    subject: own?.x509.subject.split('\n').join(', '),
    issuer: own?.x509.issuer.split('\n').join(', '),
    expires_at: own?.notAfter.toISOString(),
    certificates: key.certificateChain.length,
    algorithm: key.algorithm,
    test: forTest,
  };
}

export const sealKeyCommands = [
  command({
    name: 'seal-key csr',
    summary: 'Print a certificate request for the stack’s seal key in KMS, signed by it',
    args: [],
    options: {
      subject: {
        kind: 'text',
        value: 'NAME',
        help: 'Whose seal it is: "CN=Acme Oy, O=Acme Oy, C=FI"',
        required: true,
      },
    },
    run: async (input, { clients, output }) => {
      const subject = subjectOf(input.subject);
      const kms = new KMSClient(clients);
      const KeyId = output('SealKeyArn');
      const { PublicKey, KeySpec } = await kms.send(new GetPublicKeyCommand({ KeyId }));
      if (!PublicKey) throw new Failure('KMS answered without a public key.');
      const isEc = KeySpec?.startsWith('ECC') ?? false;
      return certificateRequest(subject, {
        publicKey: PublicKey,
        isEc,
        sign: async (Message) => {
          const { Signature } = await kms.send(
            new SignCommand({
              KeyId,
              Message,
              MessageType: 'RAW',
              SigningAlgorithm: isEc ? 'ECDSA_SHA_256' : 'RSASSA_PKCS1_V1_5_SHA_256',
            }),
          );
          if (!Signature) throw new Failure('KMS answered without a signature.');
          return Signature;
        },
      });
    },
  }),
  command({
    name: 'seal-key import-certificate',
    summary: 'Seal with the stack’s key in KMS from now on, under this certificate',
    args: [],
    options: {
      file: {
        kind: 'text',
        value: 'FILE',
        help: 'PEM: the key’s own certificate first, then those above it',
        required: true,
      },
      test,
    },
    run: async (input, operator) => {
      const keyId = operator.output('SealKeyArn');
      const pem = readGivenFile(input.file).toString('utf8');
      const client = new KMSClient(operator.clients);
      const key = await orFailure(() => kmsKey({ client, keyId, certificateChainPem: pem }));
      return store(operator, key, { kms_key_id: keyId, certificate_chain_pem: pem }, input.test);
    },
  }),
  command({
    name: 'seal-key import-p12',
    summary: 'Seal with this key and certificate from now on',
    args: [],
    options: {
      file: { kind: 'text', value: 'FILE', help: 'PKCS#12 (.p12, .pfx) with one key', required: true },
      'passphrase-env': {
        kind: 'text',
        value: 'NAME',
        help: 'The environment variable that holds the file’s passphrase',
        required: true,
      },
      test,
    },
    run: async (input, operator) => {
      const file = readGivenFile(input.file);
      const passphrase = readVariable(input['passphrase-env']);
      const key = await orFailure(() => pkcs12Key(file, passphrase));
      return store(operator, key, { p12_base64: file.toString('base64'), passphrase }, input.test);
    },
  }),
];
