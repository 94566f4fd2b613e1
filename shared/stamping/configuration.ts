import { KMSClient } from '@aws-sdk/client-kms';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT_SETTINGS } from '../runtime/clients.ts';
import { parseSecret, readSecret, readSecretVersion } from '../runtime/secrets.ts';
import { MINUTE } from '../runtime/time.ts';
import { type Certificate, certificatesOfPem } from '../sealing/certificate.ts';
import { SealError } from '../sealing/errors.ts';
import { kmsKey } from '../sealing/keys/kms.ts';
import { pkcs12Key } from '../sealing/keys/pkcs12.ts';
import type { SealKey } from '../sealing/keys/port.ts';
import type { Authority } from '../sealing/timestamp.ts';
import type { OwnCertificate } from './found-seal.ts';

/** A certificate that was replaced. */
interface StoredCertificate {
  der_base64: string;
  until: string;
}

/** The content of the seal secret: a PKCS#12 file, or a KMS key id with its certificate chain. */
export interface SealSecret {
  p12_base64: string;
  passphrase: string;
  kms_key_id: string;
  certificate_chain_pem: string;
  /** Certificates from before the previous version, newest first: Secrets Manager keeps only one former version. */
  former: readonly StoredCertificate[];
}

const NOT_CONFIGURED = 'no seal certificate is configured yet';

/** Names the secret as the cause: other errors are reported as `storage_unavailable`. */
export const secretFault =
  (code: 'key_unavailable' | 'timestamp_unavailable') =>
  (cause: unknown): never => {
    if (cause instanceof SealError) throw cause;
    const name = cause instanceof Error ? cause.name : 'unknown';
    throw new SealError(code, `its secret cannot be read: ${name}`, { cause });
  };

export const readSealKey = async (secretArn: string): Promise<SealKey> =>
  sealKeyOf(await readSecret(secretArn));

/** The key of a secret, cached by its text: opening a PKCS#12 file takes a fifth of the time of a seal. */
export function sealKeyOf(secretJson: string): SealKey {
  const known = keys.get(secretJson);
  if (known) return known;
  const key = openKey(secretJson);
  keys.set(secretJson, key);
  return key;
}

const keys = new Map<string, SealKey>();

function openKey(secretJson: string): SealKey {
  const secret = parseSecret<SealSecret>(secretJson);
  if (secret.p12_base64) return pkcs12Key(Buffer.from(secret.p12_base64, 'base64'), secret.passphrase ?? '');
  if (secret.kms_key_id && secret.certificate_chain_pem) {
    const client = new KMSClient(CLIENT_SETTINGS);
    return kmsKey({ client, keyId: secret.kms_key_id, certificateChainPem: secret.certificate_chain_pem });
  }
  throw new SealError('key_unavailable', NOT_CONFIGURED);
}

/** Time for seals under way when their certificate is replaced to get their timestamp. */
const REPLACEMENT_MARGIN = 5 * MINUTE;

const readVersions = (secretArn: string, from: SecretsManagerClient | undefined) =>
  Promise.all([
    readSecretVersion(secretArn, 'AWSCURRENT', from),
    readSecretVersion(secretArn, 'AWSPREVIOUS', from),
  ]);
type Version = Awaited<ReturnType<typeof readSecretVersion>>;

/** The certificates whose seals count as ours: the current one, and each former one until it was replaced. */
export async function readOwnCertificates(
  secretArn: string,
  from?: SecretsManagerClient,
): Promise<OwnCertificate[]> {
  const [current, previous] = await readVersions(secretArn, from);
  if (!current) throw new SealError('key_unavailable', NOT_CONFIGURED);
  return [...ownCertificate(current.text).map((der) => ({ der })), ...formerCertificates(current, previous)];
}

/** Enough for one replacement a year, and well within a secret's 64 KB. */
const MOST_FORMER = 12;

/** The former certificates that the secret's next value must hold. */
export async function readFormer(
  secretArn: string,
  from?: SecretsManagerClient,
): Promise<Pick<SealSecret, 'former'> | undefined> {
  const [current, previous] = await readVersions(secretArn, from);
  const former = current ? formerCertificates(current, previous).slice(0, MOST_FORMER) : [];
  if (former.length === 0) return undefined;
  return {
    former: former.map(({ der, until }) => ({
      der_base64: Buffer.from(der).toString('base64'),
      until: until.toISOString(),
    })),
  };
}

function formerCertificates(current: NonNullable<Version>, previous: Version): Required<OwnCertificate>[] {
  const until = new Date(current.storedAt.getTime() + REPLACEMENT_MARGIN);
  const { former = [] } = parseSecret<SealSecret>(current.text);
  return [
    ...(previous ? formerCertificate(previous.text).map((der) => ({ der, until })) : []),
    ...former.map(storedCertificate),
  ];
}

function storedCertificate({ der_base64, until }: StoredCertificate): Required<OwnCertificate> {
  const end = new Date(until);
  // Operators may edit the secret by hand. Without an end, a stolen key's seals would count for ever.
  if (Number.isNaN(end.getTime()))
    throw new SealError('key_unavailable', 'a former certificate lacks the time until which it counts');
  return { der: Buffer.from(der_base64, 'base64'), until: end };
}

const ownCertificate = (secretJson: string) => sealKeyOf(secretJson).certificateChain.slice(0, 1);

/** None if the previous value has no usable key, as before the first import or after a corrected mistake. */
function formerCertificate(secretJson: string): Uint8Array[] {
  try {
    return ownCertificate(secretJson);
  } catch {
    return [];
  }
}

export interface StoredAuthority {
  url: string;
  ca_pem: string;
  username?: string;
  password?: string;
  policy_oid?: string;
}

export interface TimestampSecret {
  authorities: StoredAuthority[];
}

/** The pinned certificates of all authorities. */
export const anchorsOf = (secretJson: string): Certificate[] =>
  authoritiesOf(secretJson).flatMap(({ caPem }) => certificatesOfPem(caPem));

export function authoritiesOf(secretJson: string): Authority[] {
  const { authorities = [] } = parseSecret<TimestampSecret>(secretJson);
  return authorities.map(({ url, ca_pem, username, password, policy_oid }) => ({
    url,
    caPem: ca_pem,
    ...(username && { username }),
    ...(password && { password }),
    ...(policy_oid && { policyOid: policy_oid }),
  }));
}
