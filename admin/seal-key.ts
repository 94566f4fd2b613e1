import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { present } from '../shared/runtime/present.ts';
import { type Certificate, oneLine, readCertificate } from '../shared/sealing/certificate.ts';
import { SealError } from '../shared/sealing/errors.ts';
import { checkSealKey } from '../shared/sealing/keys/check.ts';
import { kmsKey } from '../shared/sealing/keys/kms.ts';
import { pkcs12Key } from '../shared/sealing/keys/pkcs12.ts';
import type { SealKey } from '../shared/sealing/keys/port.ts';
import { readFormer, type SealSecret } from '../shared/stamping/configuration.ts';
import { certificateRequest, subjectOf } from './certificate-request.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { confirmProvable } from './provable.ts';
import { changeSecret } from './secret-versions.ts';
import { confirm, type Terminal } from './terminal.ts';

/** The seal key and its certificate. A key that cannot seal is never stored. */

const IMPORT_OPTIONS = {
  test: { help: 'For test requests; the subject of the certificate should say TEST' },
  yes: {
    help: 'Do not ask about a certificate whose seals would be for the other mode, unsuitable, or wait for proofs',
  },
} as const;

export function readGivenFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`The file ${file} cannot be read.`);
  }
}

/** Secrets come from the environment: other users can see arguments, and the shell history keeps them. */
export function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new UsageError(`There is no environment variable ${name}.`);
  return value;
}

function kmsKeyOf({ outputIfAny }: Operator): string {
  const id = outputIfAny('SealKeyArn');
  if (!id)
    throw new Failure(
      'The stack has no seal key in KMS: deploy it with -c sealKey=rsa or ec, or import a file by "seal-key import-p12".',
    );
  return id;
}

/** Turns a SealError into a Failure. */
async function orFailure<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SealError ? new Failure(`Nothing was stored: ${error.told}.`) : error;
  }
}

/** A sealed file is never replaced, so a wrong certificate stays in it. */
async function confirmUse(terminal: Terminal, own: Certificate, { test, yes }: ImportInput): Promise<void> {
  const subject = oneLine(own.x509.subject);
  const doubts: string[] = [];
  if (/\btest\b/i.test(subject) !== test)
    doubts.push(
      test
        ? `The certificate "${subject}" does not say TEST, and test requests would be sealed with it.`
        : `The certificate "${subject}" says TEST, and live requests would be sealed with it; --test stores it for test requests.`,
    );
  if (!own.keyUsage?.nonRepudiation)
    doubts.push(
      'Its key usage lacks nonRepudiation (contentCommitment): the page at /verify and pyHanko call its seals unsuitable, and EU DSS warns.',
    );
  if (doubts.length > 0) await confirm(terminal, doubts.join(' '), yes);
}

interface ImportInput {
  test: boolean;
  yes: boolean;
}

async function store(
  operator: Operator,
  key: SealKey,
  value: Partial<SealSecret>,
  input: ImportInput,
): Promise<Record<string, unknown>> {
  await orFailure(() => checkSealKey(key, operator.now()));
  const chain = key.certificateChain.map(readCertificate);
  const own = present(chain[0], 'certificate');
  await confirmUse(operator.terminal, own, input);
  await confirmProvable({ certificates: chain, anchors: [] }, 'seals would wait now', input.yes, operator);
  const secretArn = operator.output(input.test ? 'TestSealSecretArn' : 'SealSecretArn');
  const secrets = new SecretsManagerClient(operator.clients);
  await changeSecret<Partial<SealSecret>>(secrets, secretArn, async (stored) => {
    const { former: _, ...current } = stored;
    return isDeepStrictEqual(current, value)
      ? stored
      : { ...value, ...(await orFailure(() => readFormer(secretArn, secrets))) };
  });
  return {
    subject: oneLine(own.x509.subject),
    issuer: oneLine(own.x509.issuer),
    expires_at: own.notAfter.toISOString(),
    certificates: key.certificateChain.length,
    algorithm: key.algorithm,
    test: input.test,
  };
}

export const sealKeyCommands = [
  command({
    name: 'seal-key csr',
    summary: 'Print a certificate request for the stack’s KMS seal key',
    options: {
      subject: {
        value: 'NAME',
        help: 'The subject of the seal: "CN=Acme Oy, O=Acme Oy, C=FI"',
        required: true,
      },
    },
    run: async (input, operator) => {
      const subject = subjectOf(input.subject);
      const kms = new KMSClient(operator.clients);
      const KeyId = kmsKeyOf(operator);
      const { PublicKey, KeySpec } = await kms.send(new GetPublicKeyCommand({ KeyId }));
      if (!PublicKey) throw new Failure('KMS returned no public key.');
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
          if (!Signature) throw new Failure('KMS returned no signature.');
          return Signature;
        },
      });
    },
  }),
  command({
    name: 'seal-key import-certificate',
    summary: 'Seal with the stack’s KMS key and this certificate from now on',
    options: {
      file: { value: 'FILE', help: 'PEM file: the certificate of the key, then its issuers', required: true },
      ...IMPORT_OPTIONS,
    },
    run: async (input, operator) => {
      const keyId = kmsKeyOf(operator);
      const pem = readGivenFile(input.file).toString('utf8');
      const client = new KMSClient(operator.clients);
      const key = await orFailure(() => kmsKey({ client, keyId, certificateChainPem: pem }));
      return store(operator, key, { kms_key_id: keyId, certificate_chain_pem: pem }, input);
    },
  }),
  command({
    name: 'seal-key import-p12',
    summary: 'Seal with this key and certificate from now on',
    options: {
      file: { value: 'FILE', help: 'PKCS#12 file (.p12, .pfx) with one key', required: true },
      'passphrase-env': {
        value: 'NAME',
        help: 'The environment variable with the passphrase of the file',
        required: true,
      },
      ...IMPORT_OPTIONS,
    },
    run: async (input, operator) => {
      const file = readGivenFile(input.file);
      const passphrase = readVariable(input['passphrase-env']);
      const key = await orFailure(() => pkcs12Key(file, passphrase));
      return store(operator, key, { p12_base64: file.toString('base64'), passphrase }, input);
    },
  }),
];
