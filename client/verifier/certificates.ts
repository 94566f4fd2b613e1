import { digestOfSignature } from '../../shared/sealing/algorithms.ts';
import {
  type CertificateFields,
  isValidAt,
  mayExtend,
  mayHaveIssued,
  readCertificateFields,
} from '../../shared/sealing/certificate-fields.ts';
import {
  childrenOf,
  DerError,
  type DerNode,
  decode,
  hex,
  readOid,
  sameBytes,
  TAGS,
} from '../../shared/sealing/der.ts';
import { attempt } from '../../shared/sealing/faults.ts';
import { OIDS } from '../../shared/sealing/oids.ts';
import type { Checks } from './checks.ts';
import { type CertificateReport, shownText } from './report.ts';
import { isSignedBy, sha256Hex } from './web-crypto.ts';

/** The certificates that the user trusts: fingerprints, and certificates given as PEM. */
export interface Expected {
  /** Lower-case hexadecimal SHA-256, including those of the certificates. Empty if the text has neither. */
  fingerprints: ReadonlySet<string>;
  certificates: readonly CertificateFields[];
}

/** Without separators, in pairs with colons or (in Adobe Reader) spaces, or in groups of four as on the verify page. */
const FINGERPRINT =
  /(?<![\da-z])(?:[\da-f]{64}|[\da-f]{2}(?::[\da-f]{2}){31}|[\da-f]{2}(?:\s[\da-f]{2}){31}|[\da-f]{4}(?:[:\s][\da-f]{4}){15})(?![\da-f])/g;
const PEM = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;
const MAX_EXPECTED = 32;

/** Reads pasted fingerprints, certificates as PEM, or both. Never throws. */
export async function readExpected(text: string): Promise<Expected> {
  const certificates = [...text.matchAll(PEM)]
    .slice(0, MAX_EXPECTED)
    .flatMap(([, base64 = '']) => readCertificates([fromBase64(base64)]));
  const named = text.replaceAll(PEM, ' ').toLowerCase().match(FINGERPRINT) ?? [];
  const fingerprints = new Set(named.slice(0, MAX_EXPECTED).map((each) => each.replaceAll(/[:\s]/g, '')));
  for (const { der } of certificates) fingerprints.add(await sha256Hex(der));
  return { fingerprints, certificates };
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** Skips unreadable certificates, which may not be needed. */
export const readCertificates = (ders: readonly Uint8Array[]): CertificateFields[] =>
  ders.slice(0, MAX_CERTIFICATES).flatMap((der) => attempt(() => readNamed(der)) ?? []);

/** Other programs fail when they show a broken name. */
function readNamed(der: Uint8Array): CertificateFields {
  const certificate = readCertificateFields(der);
  nameOf(certificate.issuer);
  nameOf(certificate.subject);
  return certificate;
}

const MAX_CERTIFICATES = 32;
const MAX_CHAIN = 6;

/**
 * True if the signer's certificate itself is trusted. A chain is not enough: users also list the roots of timestamp authorities,
 * which may have issued certificates to anyone.
 */
export const isExpectedSigner = async ({ der }: CertificateFields, expected: Expected): Promise<boolean> =>
  expected.fingerprints.has(await sha256Hex(der));

/**
 * True if an authority's certificate is trusted, or has a chain of strong signatures, valid at the time, to a trusted one.
 * Throws a PdfRefusal once that takes too many checks.
 */
export async function isExpectedAuthority(
  certificate: CertificateFields,
  others: readonly CertificateFields[],
  expected: Expected,
  time: Date,
  checks: Checks,
): Promise<boolean> {
  if (expected.fingerprints.size === 0) return false;
  const pool = [...others, ...expected.certificates];
  const seen = new Set<CertificateFields>();
  /** The chains of the current length, by their last certificate. */
  let level = new Map([[certificate, [certificate]]]);
  for (let length = 0; length < MAX_CHAIN && level.size > 0; length += 1) {
    const longer = new Map<CertificateFields, CertificateFields[]>();
    for (const [last, chain] of level) {
      if (expected.fingerprints.has(await sha256Hex(last.der))) return true;
      seen.add(last);
      const open = pool.filter((issuer) => !seen.has(issuer) && !longer.has(issuer));
      for (const issuer of open.filter((each) => mayBeNext(chain, last, each, time))) {
        checks.require(last.signed);
        if (await isIssuedBy(last, issuer)) longer.set(issuer, [...chain, issuer]);
      }
    }
    level = longer;
  }
  return false;
}

/** True if nothing but the signature is left to check. */
const mayBeNext = (
  chain: readonly CertificateFields[],
  last: CertificateFields,
  issuer: CertificateFields,
  time: Date,
): boolean =>
  !sameBytes(issuer.der, last.der) &&
  isValidAt(issuer, time) &&
  mayHaveIssued(issuer, last) &&
  mayExtend(chain, issuer);

export async function isIssuedBy(
  certificate: CertificateFields,
  issuer: CertificateFields,
): Promise<boolean> {
  const { signatureAlgorithm, signed, signature } = certificate;
  const digest = digestOfSignature(signatureAlgorithm);
  if (typeof digest !== 'string' || !mayHaveIssued(issuer, certificate)) return false;
  return (await isSignedBy(issuer, signatureAlgorithm, digest, signed, signature)) === true;
}

export async function certificateReport(
  certificate: CertificateFields,
  expected: boolean,
): Promise<CertificateReport> {
  return {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    serial: hex(decode(certificate.serial).content),
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    fingerprint: await sha256Hex(certificate.der),
    expected,
  };
}

const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  [OIDS.commonName, 'CN'],
  [OIDS.organization, 'O'],
  [OIDS.country, 'C'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.5', 'serialNumber'],
  ['2.5.4.97', 'organizationIdentifier'],
]);
/** UTF8String, PrintableString, TeletexString, IA5String, BMPString. */
const STRINGS: ReadonlyMap<number, string> = new Map([
  [0x0c, 'utf-8'],
  [0x13, 'utf-8'],
  [0x14, 'latin1'],
  [0x16, 'utf-8'],
  [0x1e, 'utf-16be'],
]);

/** A distinguished name on one line, in the order of the certificate. */
function nameOf(name: Uint8Array): string {
  const parts = childrenOf(decode(name), TAGS.sequence).map((set) => {
    const [attribute] = childrenOf(set, TAGS.set);
    const [type, value] = childrenOf(attribute, TAGS.sequence);
    const id = readOid(type);
    if (value === undefined) throw new DerError('a name lacks its value');
    return `${ATTRIBUTES.get(id) ?? id}=${textOf(value)}`;
  });
  return shownText(parts.join(', '));
}

/** Removes control and direction characters, which could make a name look like another. */
function textOf({ tag, content }: DerNode): string {
  const encoding = STRINGS.get(tag);
  if (encoding === undefined) throw new DerError('a name is no text');
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(content);
    return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  } catch (cause) {
    throw new DerError('a name is no text', { cause });
  }
}
