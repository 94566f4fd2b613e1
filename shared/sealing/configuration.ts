import { KMSClient } from '@aws-sdk/client-kms';
import { CLIENT_SETTINGS } from '../runtime/clients.ts';
import { readSecret } from '../runtime/secrets.ts';
import { SealError } from './errors.ts';
import { kmsKey } from './keys/kms.ts';
import { pkcs12Key } from './keys/pkcs12.ts';
import type { SealKey } from './keys/port.ts';
import type { Authority } from './timestamp.ts';

/** What the seal secret holds: a PKCS#12 file, or the name of a KMS key with its certificates. */
interface SealSecret {
  p12_base64?: string;
  passphrase?: string;
  kms_key_id?: string;
  certificate_chain_pem?: string;
}

export const readSealKey = async (secretArn: string): Promise<SealKey> =>
  sealKeyOf(await readSecret(secretArn));

export function sealKeyOf(secretJson: string): SealKey {
  const secret = JSON.parse(secretJson) as SealSecret;
  if (secret.p12_base64) return pkcs12Key(Buffer.from(secret.p12_base64, 'base64'), secret.passphrase ?? '');
  if (secret.kms_key_id && secret.certificate_chain_pem) {
    const client = new KMSClient(CLIENT_SETTINGS);
    return kmsKey({ client, keyId: secret.kms_key_id, certificateChainPem: secret.certificate_chain_pem });
  }
  throw new SealError('key_unavailable', false, 'no seal certificate is configured yet');
}

interface AuthoritySecret {
  url: string;
  ca_pem: string;
  username?: string;
  password?: string;
  policy_oid?: string;
}

export const readAuthorities = async (secretArn: string): Promise<Authority[]> =>
  authoritiesOf(await readSecret(secretArn));

export function authoritiesOf(secretJson: string): Authority[] {
  const { authorities = [] } = JSON.parse(secretJson) as { authorities?: AuthoritySecret[] };
  return authorities.map(({ url, ca_pem, username, password, policy_oid }) => ({
    url,
    caPem: ca_pem,
    ...(username && { username }),
    ...(password && { password }),
    ...(policy_oid && { policyOid: policy_oid }),
  }));
}
