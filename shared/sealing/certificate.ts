import { createHash, X509Certificate } from 'node:crypto';
import { type CertificateFields, mayHaveIssued, readCertificateFields } from './certificate-fields.ts';
import { DerError } from './der.ts';

/** A certificate with the key that Node verifies with. */
export interface Certificate extends CertificateFields {
  x509: X509Certificate;
}

export const readCertificate = (der: Uint8Array): Certificate => ({
  ...readCertificateFields(der),
  x509: parseX509(der),
});

function parseX509(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (cause) {
    throw new DerError('no X.509 certificate', { cause });
  }
}

export const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The name on one line, for print: "CN=…, O=…, C=…". */
export const oneLine = (distinguishedName: string): string => distinguishedName.split('\n').join(', ');

/** The certificates of a PEM text, in order. */
export function certificatesOfPem(pem: string): Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => readCertificate(Buffer.from(block.replace(/-----[^-]+-----/g, ''), 'base64')));
}

/** True if `issuer` issued `certificate`: it may have, and the signature verifies. */
export const isIssuedBy = (certificate: Certificate, issuer: Certificate): boolean =>
  mayHaveIssued(issuer, certificate) && isRight(() => certificate.x509.verify(issuer.x509.publicKey));

/** False also if OpenSSL throws, as it does for keys and algorithms that it does not support. */
export function isRight(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}
