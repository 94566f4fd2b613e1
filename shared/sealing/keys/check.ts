import { randomBytes, verify } from 'node:crypto';
import { type Certificate, isIssuedBy, readCertificate } from '../certificate.ts';
import { mayGoOn } from '../certificate-fields.ts';
import { SealError } from '../errors.ts';
import { OIDS } from '../oids.ts';
import type { SealKey } from './port.ts';

const SIGNING_PURPOSES: ReadonlySet<string> = new Set([
  OIDS.documentSigning,
  OIDS.emailProtection,
  OIDS.adobeDocumentSigning,
  OIDS.microsoftDocumentSigning,
  OIDS.anyExtendedKeyUsage,
]);

/** Reads and checks the key's chain, own certificate first; throws a SealError. */
export function checkCertificates(key: SealKey, now: Date): Certificate[] {
  const chain = chains.get(key) ?? checkedChain(key);
  // A warm function seals with the same key many times; only the time makes a difference then.
  chains.set(key, chain);
  if (chain[0]) checkValidity(chain[0], now);
  return chain;
}

const chains = new WeakMap<SealKey, Certificate[]>();

/** The checks that do not depend on the time. */
function checkedChain(key: SealKey): Certificate[] {
  const chain = readChain(key);
  const [own] = chain;
  if (own === undefined) throw new SealError('certificate_chain', true, 'the key has no certificate');
  checkAlgorithm(own, key.algorithm);
  checkUsage(own);
  chain.slice(1).forEach((issuer, index) => {
    const issued = chain[index];
    if (issued && !isIssuedBy(issued, issuer)) {
      throw new SealError(
        'certificate_chain',
        true,
        `certificate ${index + 1} was not issued by the one after it`,
      );
    }
    if (!mayGoOn(chain.slice(0, index + 1), issuer)) {
      throw new SealError(
        'certificate_chain',
        true,
        `certificate ${index + 2} does not allow what it stands above, or one up to it has an unknown critical extension`,
      );
    }
  });
  return chain;
}

/** Signs, and verifies the signature with the key's own certificate before returning it. */
export async function signChecked(key: SealKey, own: Certificate, data: Uint8Array): Promise<Uint8Array> {
  const signature = await key.sign(data);
  if (!verify('sha256', data, own.x509.publicKey, signature)) {
    throw new SealError('key_mismatch', true, 'the key does not belong to its certificate');
  }
  return signature;
}

/** The whole check including a trial signature, for start-up and the operator. */
export async function checkSealKey(key: SealKey, now: Date): Promise<void> {
  const [own] = checkCertificates(key, now);
  if (own) await signChecked(key, own, randomBytes(32));
}

function readChain(key: SealKey): Certificate[] {
  try {
    return key.certificateChain.map(readCertificate);
  } catch (cause) {
    throw new SealError('certificate_chain', true, 'a certificate of the key cannot be read', { cause });
  }
}

function checkAlgorithm({ x509 }: Certificate, algorithm: SealKey['algorithm']): void {
  const { asymmetricKeyType, asymmetricKeyDetails } = x509.publicKey;
  const fits =
    algorithm === 'rsa'
      ? asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
      : asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
  if (!fits)
    throw new SealError('key_unsuitable', true, `the certificate is not for ${algorithm} of enough strength`);
}

function checkValidity(own: Certificate, now: Date): void {
  if (now < own.notBefore) {
    throw new SealError(
      'certificate_not_yet_valid',
      true,
      `the certificate is valid from ${own.notBefore.toISOString()}`,
    );
  }
  if (now > own.notAfter) {
    throw new SealError(
      'certificate_expired',
      true,
      `the certificate expired at ${own.notAfter.toISOString()}`,
    );
  }
}

function checkUsage({ keyUsage, extendedKeyUsage }: Certificate): void {
  if (!keyUsage?.digitalSignature && !keyUsage?.nonRepudiation) {
    throw new SealError('certificate_key_usage', true, 'the certificate has no key usage for signatures');
  }
  if (extendedKeyUsage && !extendedKeyUsage.purposes.some((purpose) => SIGNING_PURPOSES.has(purpose))) {
    throw new SealError('certificate_key_usage', true, 'the extended key usage has no purpose for documents');
  }
}
