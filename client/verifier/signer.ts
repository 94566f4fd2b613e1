import { isPss } from '../../shared/sealing/algorithms.ts';
import {
  type CertificateFields,
  faultAmong,
  isStrongKey,
  mayHaveIssued,
} from '../../shared/sealing/certificate-fields.ts';
import { sameBytes } from '../../shared/sealing/der.ts';
import { SignatureFault, Unsupported } from '../../shared/sealing/faults.ts';
import {
  checkDigests,
  readAlgorithm,
  readSignerClaims,
  type SignedData,
  signerAmong,
} from '../../shared/sealing/signed-data.ts';
import { checkAuthority, checkForm, readTstInfo, tstInfoIn } from '../../shared/sealing/tst-info.ts';
import { isIssuedBy, readCertificates } from './certificates.ts';
import type { Checks } from './checks.ts';
import { digestOf, isSignedBy } from './web-crypto.ts';

/** Thrown when the content is not what was signed. */
export class Altered extends SignatureFault {
  override name = 'Altered';
}

export interface Proved {
  certificate: CertificateFields;
  /** All certificates in the CMS. */
  others: CertificateFields[];
}

export interface Stamp extends Proved {
  time: Date;
}

/** Checks a CMS with one signer completely, except for trust. Throws a SignatureFault or a PdfRefusal. */
export async function proveSigner(
  data: SignedData,
  content: readonly Uint8Array[],
  checks: Checks,
): Promise<Proved> {
  const { signer } = data;
  if (!isPss(signer.signatureAlgorithm)) readAlgorithm(signer.signatureAlgorithm);
  const others = readCertificates(data.certificates.map(({ raw }) => raw));
  const certificate = signerAmong(others, data);
  if (others.length < data.certificates.length) throw new Unsupported('a certificate cannot be read');
  const claims = readSignerClaims(data);
  checkDigests(data, claims);
  if (!sameBytes(claims.messageDigest, await digestOf(claims.digest, ...content)))
    throw new Altered('the message digest does not match');
  await requireGenuine(certificate, others, checks);
  for (const { algorithm, digest } of claims.certificateDigests) {
    if (!sameBytes(digest, await digestOf(algorithm, certificate.der)))
      throw new SignatureFault('the signature names another certificate');
  }
  const isRight = await isSignedBy(
    certificate,
    signer.signatureAlgorithm,
    claims.signatureDigest,
    signer.signed,
    signer.signature,
  );
  if (isRight === null) throw new Unsupported('the algorithm of the signature is unknown');
  if (!isRight) throw new SignatureFault('the signature is wrong');
  return { certificate, others };
}

/** Throws Unsupported for certificates that do not belong to the signature. */
async function requireGenuine(
  signer: CertificateFields,
  certificates: readonly CertificateFields[],
  checks: Checks,
): Promise<void> {
  const issuers = new Map<CertificateFields, Set<CertificateFields>>();
  for (const certificate of certificates) {
    const found = new Set<CertificateFields>();
    for (const issuer of certificates.filter((each) => mayHaveIssued(each, certificate))) {
      checks.require(certificate.signed);
      if (await isIssuedBy(certificate, issuer)) found.add(issuer);
    }
    issuers.set(certificate, found);
  }
  const fault = faultAmong(
    certificates,
    signer,
    (certificate, issuer) => issuers.get(certificate)?.has(issuer) === true,
  );
  if (fault !== null) throw new Unsupported(fault);
}

/** Checks a timestamp over the data completely, except for trust. Throws like proveSigner. */
export async function proveStamp(
  token: SignedData,
  stamped: readonly Uint8Array[],
  checks: Checks,
): Promise<Stamp> {
  const content = tstInfoIn(token);
  checkForm(content);
  const info = readTstInfo(content);
  if (!sameBytes(info.imprint, await digestOf(info.digest, ...stamped)))
    throw new Altered('the timestamp is of other data');
  const proved = await proveSigner(token, [content], checks);
  checkAuthority(proved.certificate, info.time);
  return { ...proved, time: info.time };
}

/** True if a certificate is meant for signatures and has a strong key. */
export const isForSignatures = ({ key, keyUsage }: CertificateFields): boolean =>
  isStrongKey(key) && keyUsage?.nonRepudiation === true;
