/** Certificates of this machine's authorities, and the folders that they are kept in. */
import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { derOf, implicit, oid, sequence } from '../asn1.ts';
import type { Issuer } from './proofs.ts';

const { pki } = forge;
const VALID_YEARS = 20;

/** The addresses that certificates name: of the issuer's certificate, its OCSP responder and its revocation list. */
export interface Addresses {
  issuer: string;
  ocsp: string;
  list: string;
}

/** Generates a key pair and issues its certificate, both into a folder; self-signed without the folder of an issuer. */
export function issue(folder: string, name: string, extensions: object[], now: Date, issuer?: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString());
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(now.getTime() - 86_400_000);
  certificate.validity.notAfter = new Date(now.getTime() + VALID_YEARS * 365.25 * 86_400_000);
  const subject = [
    { name: 'organizationName', value: 'Local cloud' },
    { name: 'commonName', value: name },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer ? certificateIn(issuer).subject.attributes : subject);
  certificate.setExtensions(extensions);
  const issuerKey = issuer ? readFileSync(join(issuer, 'key.pem'), 'utf8') : keyPem;
  certificate.sign(pki.privateKeyFromPem(issuerKey), forge.md.sha256.create());
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'key.pem'), keyPem, { mode: 0o600 });
  writeFileSync(join(folder, 'certificate.pem'), pki.certificateToPem(certificate));
}

export const certificateIn = (folder: string): forge.pki.Certificate =>
  pki.certificateFromPem(readFileSync(join(folder, 'certificate.pem'), 'utf8'));

export const issuerIn = (folder: string): Issuer => ({
  certificate: new X509Certificate(readFileSync(join(folder, 'certificate.pem'))).raw,
  key: createPrivateKey(readFileSync(join(folder, 'key.pem'))),
});

const IDS = {
  information: '1.3.6.1.5.5.7.1.1',
  ocsp: '1.3.6.1.5.5.7.48.1',
  issuers: '1.3.6.1.5.5.7.48.2',
};

/** The tag of an address in a certificate. */
const URI = 6;

/** The extensions that hold the addresses. */
export function addressExtensions({ issuer, ocsp, list }: Addresses): object[] {
  const information = sequence(
    sequence(oid(IDS.ocsp), implicit(URI, ocsp)),
    sequence(oid(IDS.issuers), implicit(URI, issuer)),
  );
  return [
    { id: IDS.information, value: derOf(information).toString('latin1') },
    { name: 'cRLDistributionPoints', altNames: [{ type: URI, value: list }] },
  ];
}
