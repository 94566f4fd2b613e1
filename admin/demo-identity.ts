import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { DAY } from '../shared/runtime/time.ts';
import { encode, oid, sequence } from '../shared/sealing/der-encode.ts';
import { OIDS } from '../shared/sealing/oids.ts';

/** Keys and certificates of the local run's seals. Nobody trusts their root: the seals are real, the identity is not. */

const { asn1, md, pki, pkcs12 } = forge;
const VALID_DAYS = 3 * 365;

/** Both as PEM. */
interface DemoIdentity {
  certificate: string;
  key: string;
}

/** The addresses of the issuer's certificate, its OCSP responder and its revocation list. */
interface CertificateAddresses {
  issuer: string;
  ocsp: string;
  list: string;
}

interface DemoAuthority {
  root: DemoIdentity;
  addresses: CertificateAddresses;
}

/** The local run's certificate authority, which tells that nothing was revoked. */
export function demoAuthorityIn(folder: string): DemoAuthority {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    root: { certificate: read('certificate.pem'), key: read('key.pem') },
    addresses: JSON.parse(read('addresses.json')),
  };
}

/** Generates an RSA key and issues its certificate. `test`: for test mode, whose subject says TEST. */
export function makeDemoSealIdentity(
  { root, addresses }: DemoAuthority,
  { now, test }: { now: Date; test: boolean },
): DemoIdentity {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const certificate = pki.createCertificate();
  const issuer = pki.certificateFromPem(root.certificate);
  certificate.publicKey = pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(now.getTime() - DAY);
  certificate.validity.notAfter = new Date(now.getTime() + VALID_DAYS * DAY);
  certificate.setSubject([
    { name: 'organizationName', value: 'Signature Requests Demo' },
    { name: 'commonName', value: test ? 'TEST Seal - not valid' : 'Demo Seal' },
  ]);
  certificate.setIssuer(issuer.subject.attributes);
  const keyIdentifier = issuer.generateSubjectKeyIdentifier().getBytes();
  certificate.setExtensions([
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, critical: true },
    { name: 'extKeyUsage', emailProtection: true, [OIDS.documentSigning]: true },
    ...addressExtensions(addresses),
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier },
  ]);
  certificate.sign(pki.privateKeyFromPem(root.key), md.sha256.create());
  return { certificate: pki.certificateToPem(certificate).replaceAll('\r\n', '\n'), key };
}

/** The tag of an address in a certificate. */
const URI = 6;

function addressExtensions({ issuer, ocsp, list }: CertificateAddresses): object[] {
  const uri = (url: string) => encode(0x80 + URI, Buffer.from(url, 'latin1'));
  const information = sequence(sequence(oid(OIDS.ocsp), uri(ocsp)), sequence(oid(OIDS.issuers), uri(issuer)));
  return [
    { id: OIDS.authorityInformation, value: information.toString('latin1') },
    { name: 'cRLDistributionPoints', altNames: [{ type: URI, value: list }] },
  ];
}

/** The identity and its issuer as PKCS#12. */
export function toPkcs12(
  { certificate, key }: DemoIdentity,
  issuer: DemoIdentity,
  passphrase: string,
): Buffer {
  const chain = [certificate, issuer.certificate].map((pem) => pki.certificateFromPem(pem));
  const file = pkcs12.toPkcs12Asn1(pki.privateKeyFromPem(key), chain, passphrase, { algorithm: 'aes256' });
  return Buffer.from(asn1.toDer(file).getBytes(), 'latin1');
}
