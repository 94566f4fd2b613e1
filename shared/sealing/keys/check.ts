import { randomBytes, verify } from 'node:crypto';
import { type Certificate, isIssuedBy, readCertificate } from '../certificate.ts';
import { faultAmong, mayExtend } from '../certificate-fields.ts';
import { SealError } from '../errors.ts';
import { OIDS } from '../oids.ts';
import { CURVES, SEAL_DIGESTS } from './algorithm.ts';
import type { SealKey } from './port.ts';

const SIGNING_PURPOSES: ReadonlySet<string> = new Set([
  OIDS.documentSigning,
  OIDS.emailProtection,
  OIDS.adobeDocumentSigning,
  OIDS.microsoftDocumentSigning,
  OIDS.anyExtendedKeyUsage,
]);

export interface KeyCertificates {
  own: Certificate;
  /** Its own first, then its issuers. */
  chain: readonly Certificate[];
}

/** Reads and checks the key's certificates; throws a SealError if they cannot make a seal now. */
export function checkCertificates(key: SealKey, now: Date): KeyCertificates {
  const certificates = checked.get(key) ?? checkedOnce(key);
  // A warm function seals with the same key many times; only the time makes a difference then.
  checked.set(key, certificates);
  checkValidity(certificates.own, now);
  return certificates;
}

const checked = new WeakMap<SealKey, KeyCertificates>();

/** The checks that do not depend on the time. */
function checkedOnce(key: SealKey): KeyCertificates {
  const chain = readChain(key);
  const [own] = chain;
  if (own === undefined) throw new SealError('certificate_chain', 'the key has no certificate');
  checkAlgorithm(own, key.algorithm);
  checkUsage(own);
  chain.slice(1).forEach((issuer, index) => {
    const issued = chain[index];
    if (issued && !isIssuedBy(issued, issuer))
      throw new SealError('certificate_chain', `certificate ${index + 1} was not issued by the one after it`);
    if (!mayExtend(chain.slice(0, index + 1), issuer))
      throw new SealError(
        'certificate_chain',
        `certificate ${index + 2} does not allow the chain below it, or a certificate up to it has an unknown critical extension`,
      );
  });
  const broken = faultAmong(chain, own, isIssuedBy);
  if (broken !== null) throw new SealError('certificate_chain', broken);
  return { own, chain };
}

/** Signs, and verifies the signature with the key's own certificate before returning it. */
export async function signChecked(key: SealKey, own: Certificate, data: Uint8Array): Promise<Uint8Array> {
  const signature = await key.sign(data);
  if (!verify(SEAL_DIGESTS[key.algorithm], data, own.x509.publicKey, signature)) {
    throw new SealError('key_mismatch', 'the key does not belong to its certificate');
  }
  return signature;
}

/** The whole check including a trial signature, for start-up and the operator. */
export async function checkSealKey(key: SealKey, now: Date): Promise<void> {
  await signChecked(key, checkCertificates(key, now).own, randomBytes(32));
}

function readChain(key: SealKey): Certificate[] {
  try {
    return key.certificateChain.map(readCertificate);
  } catch (cause) {
    throw new SealError('certificate_chain', 'a certificate of the key cannot be read', { cause });
  }
}

function checkAlgorithm({ x509 }: Certificate, algorithm: SealKey['algorithm']): void {
  const { asymmetricKeyType, asymmetricKeyDetails } = x509.publicKey;
  const fits =
    algorithm === 'rsa'
      ? asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
      : asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === CURVES[algorithm];
  if (!fits)
    throw new SealError('key_unsuitable', `the certificate is not for ${algorithm} of sufficient strength`);
}

function checkValidity(own: Certificate, now: Date): void {
  if (now < own.notBefore) {
    throw new SealError(
      'certificate_not_yet_valid',
      `the certificate is valid from ${own.notBefore.toISOString()}`,
    );
  }
  if (now > own.notAfter) {
    throw new SealError('certificate_expired', `the certificate expired at ${own.notAfter.toISOString()}`);
  }
}

function checkUsage({ keyUsage, extendedKeyUsage }: Certificate): void {
  if (!keyUsage?.digitalSignature && !keyUsage?.nonRepudiation) {
    throw new SealError('certificate_key_usage', 'the certificate has no key usage for signatures');
  }
  if (extendedKeyUsage && !extendedKeyUsage.purposes.some((purpose) => SIGNING_PURPOSES.has(purpose))) {
    throw new SealError('certificate_key_usage', 'the extended key usage has no purpose for documents');
  }
}
