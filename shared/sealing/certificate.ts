import { createHash, X509Certificate } from 'node:crypto';
import {
  children,
  childrenOf,
  contextTag,
  DerError,
  type DerNode,
  decode,
  expect,
  readOid,
  readTime,
  tags,
} from './der.ts';
import { oids } from './oids.ts';

export interface Certificate {
  der: Uint8Array;
  x509: X509Certificate;
  /** Whole encodings, as they stand in the certificate. */
  serial: Uint8Array;
  issuer: Uint8Array;
  subject: Uint8Array;
  notBefore: Date;
  notAfter: Date;
  /** Null when the extension is missing. */
  keyUsage: KeyUsage | null;
  extendedKeyUsage: { critical: boolean; purposes: string[] } | null;
  subjectKeyIdentifier: Uint8Array | null;
}

export interface KeyUsage {
  digitalSignature: boolean;
  nonRepudiation: boolean;
  keyCertSign: boolean;
}

export function readCertificate(der: Uint8Array): Certificate {
  const [tbs] = childrenOf(decode(der), tags.sequence);
  const fields = childrenOf(tbs, tags.sequence);
  if (fields[0]?.tag !== contextTag(0)) throw new DerError('no X.509 v3 certificate');
  const [, serial, , issuer, validity, subject] = fields;
  const [notBefore, notAfter] = childrenOf(validity, tags.sequence);
  const extensions = readExtensions(fields.find((field) => field.tag === contextTag(3)));
  const extended = extensions.get(oids.extendedKeyUsage);
  const usage = extensions.get(oids.keyUsage);
  const identifier = extensions.get(oids.subjectKeyIdentifier);
  return {
    der,
    x509: new X509Certificate(der),
    serial: expect(serial, tags.integer).raw,
    issuer: expect(issuer, tags.sequence).raw,
    subject: expect(subject, tags.sequence).raw,
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    keyUsage: usage ? readKeyUsage(usage.value) : null,
    extendedKeyUsage: extended
      ? {
          critical: extended.critical,
          purposes: childrenOf(decode(extended.value), tags.sequence).map(readOid),
        }
      : null,
    subjectKeyIdentifier: identifier ? expect(decode(identifier.value), tags.octetString).content : null,
  };
}

interface Extension {
  critical: boolean;
  value: Uint8Array;
}

function readExtensions(node: DerNode | undefined): Map<string, Extension> {
  const extensions = new Map<string, Extension>();
  if (node === undefined) return extensions;
  for (const extension of childrenOf(children(node)[0], tags.sequence)) {
    const parts = childrenOf(extension, tags.sequence);
    const value = expect(parts.at(-1), tags.octetString).content;
    const critical = parts[1]?.tag === tags.boolean && parts[1].content[0] !== 0;
    extensions.set(readOid(parts[0]), { critical, value });
  }
  return extensions;
}

function readKeyUsage(value: Uint8Array): KeyUsage {
  const bits = expect(decode(value), tags.bitString).content[1] ?? 0;
  return {
    digitalSignature: (bits & 0x80) !== 0,
    nonRepudiation: (bits & 0x40) !== 0,
    keyCertSign: (bits & 0x04) !== 0,
  };
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

export const isValidAt = ({ notBefore, notAfter }: Certificate, time: Date): boolean =>
  time >= notBefore && time <= notAfter;

export const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** One line, as it goes on paper: "CN=…, O=…, C=…". */
export const oneLine = (distinguishedName: string): string => distinguishedName.split('\n').join(', ');

/** Certificates of a PEM text, in its order. */
export function certificatesOfPem(pem: string): Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => readCertificate(Buffer.from(block.replace(/-----[^-]+-----/g, ''), 'base64')));
}

/** Whether `issuer` made `certificate`: the names fit, it is a CA that may, and the signature is right. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  return (
    sameBytes(certificate.issuer, issuer.subject) &&
    issuer.x509.ca &&
    (issuer.keyUsage === null || issuer.keyUsage.keyCertSign) &&
    certificate.x509.verify(issuer.x509.publicKey)
  );
}
