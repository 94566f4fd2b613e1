import {
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import forge from 'node-forge';
import { readCertificate } from '../../shared/sealing/certificate.ts';
import { childrenOf, contextTag, decode, expectTag, TAGS } from '../../shared/sealing/der.ts';
import {
  derNull,
  encode,
  integer,
  octetString,
  oid,
  sequence,
  setOf,
} from '../../shared/sealing/der-encode.ts';
import { OIDS } from '../../shared/sealing/oids.ts';
import { encodeTime } from './encode-time.ts';

/** A key with its certificate, for tests: also of curves and chains that the demo (`admin/demo-identity.ts`) has no use for. */
export interface DemoIdentity {
  /** DER. */
  certificate: Uint8Array;
  privateKey: KeyObject;
  /** Certificates of the issuing CAs, nearest first. */
  issuers: Uint8Array[];
}

export type KeyAlgorithm = 'rsa' | 'ecdsa-p256' | 'ecdsa-p384';

interface CertificateRequest {
  commonName: string;
  now: Date;
  years: number;
  /** An RSA key takes a thousand times as long to make as one of a curve, the default everywhere here. */
  algorithm?: KeyAlgorithm;
  extensions: Uint8Array[];
  /** If absent, the certificate is self-signed. */
  issuer?: DemoIdentity;
}

interface CertificateAddresses {
  issuer?: string;
  ocsp?: string;
  list?: string;
}

const URI_TAG = 0x86;
const address = (url: string): Buffer => encode(URI_TAG, Buffer.from(url, 'latin1'));

const KEY_USAGE_BITS = {
  digitalSignature: 0x80,
  nonRepudiation: 0x40,
  keyCertSign: 0x04,
  cRLSign: 0x02,
} as const;

/** Certificate extensions, each with the critical flag that its use here needs. */
export const extensions = {
  ca: () => extension(OIDS.basicConstraints, true, sequence(encode(TAGS.boolean, Uint8Array.of(0xff)))),
  keyUsage: (...uses: (keyof typeof KEY_USAGE_BITS)[]) => {
    const bits = uses.reduce((sum, use) => sum | KEY_USAGE_BITS[use], 0);
    const unused = bits === 0 ? 0 : 31 - Math.clz32(bits & -bits);
    return extension(OIDS.keyUsage, true, encode(TAGS.bitString, Uint8Array.of(unused, bits)));
  },
  extendedKeyUsage: (critical: boolean, ...purposes: string[]) =>
    extension(OIDS.extendedKeyUsage, critical, sequence(...purposes.map(oid))),
  /** The addresses of the issuer's certificate, its OCSP responder and its revocation list. */
  addresses: ({ issuer, ocsp, list }: CertificateAddresses): Uint8Array[] => {
    const known = [
      ...(ocsp ? [sequence(oid(OIDS.ocsp), address(ocsp))] : []),
      ...(issuer ? [sequence(oid(OIDS.issuers), address(issuer))] : []),
    ];
    const point = (url: string) => sequence(encode(contextTag(0), encode(contextTag(0), address(url))));
    return [
      ...(known.length > 0 ? [extension(OIDS.authorityInformation, false, sequence(...known))] : []),
      ...(list ? [extension(OIDS.revocationLists, false, sequence(point(list)))] : []),
    ];
  },
  /** An OCSP responder with it needs no proof of its own. */
  ocspNoCheck: () => extension(OIDS.ocspNoCheck, false, derNull()),
};

interface DemoCaOptions extends Pick<CertificateRequest, 'algorithm' | 'issuer'> {
  addresses?: CertificateAddresses;
}

export function makeDemoCa(
  now: Date,
  commonName = 'Demo CA',
  { addresses = {}, ...options }: DemoCaOptions = {},
): DemoIdentity {
  const uses = [
    extensions.ca(),
    extensions.keyUsage('keyCertSign', 'cRLSign'),
    ...extensions.addresses(addresses),
  ];
  return issueDemo({ commonName, now, years: 20, extensions: uses, ...options });
}

interface DemoSealOptions extends Pick<CertificateRequest, 'now' | 'algorithm'> {
  /** For test mode: the subject says TEST. */
  test?: boolean;
  addresses?: CertificateAddresses;
}

export function makeDemoSealIdentity(
  ca: DemoIdentity,
  { test, addresses = {}, ...options }: DemoSealOptions,
): DemoIdentity {
  return issueDemo({
    ...options,
    commonName: test ? 'TEST Seal - not valid' : 'Demo Seal',
    years: 3,
    extensions: [
      extensions.keyUsage('digitalSignature', 'nonRepudiation'),
      extensions.extendedKeyUsage(false, OIDS.documentSigning, OIDS.emailProtection),
      ...extensions.addresses(addresses),
    ],
    issuer: ca,
  });
}

/** Generates a key pair and issues its certificate. */
export function issueDemo(request: CertificateRequest): DemoIdentity {
  const { privateKey, publicKey } =
    request.algorithm === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: request.algorithm === 'ecdsa-p384' ? 'P-384' : 'P-256' });
  const { issuer } = request;
  const subject = distinguishedName(request.commonName);
  const issuerKey = issuer?.privateKey ?? privateKey;
  const tbs = sequence(
    encode(contextTag(0), integer(2)),
    integer(randomBytes(16)),
    signatureAlgorithm(issuerKey),
    issuer ? readCertificate(issuer.certificate).subject : subject,
    sequence(encodeTime(addDays(request.now, -1)), encodeTime(addDays(request.now, request.years * 365))),
    subject,
    publicKey.export({ format: 'der', type: 'spki' }),
    encode(
      contextTag(3),
      sequence(
        ...request.extensions,
        extension(OIDS.subjectKeyIdentifier, false, octetString(keyIdentifier(publicKey))),
        extension(
          OIDS.authorityKeyIdentifier,
          false,
          sequence(encode(0x80, keyIdentifier(createPublicKey(issuerKey)))),
        ),
      ),
    ),
  );
  return {
    certificate: signed(tbs, issuerKey),
    privateKey,
    issuers: issuer ? [issuer.certificate, ...issuer.issuers] : [],
  };
}

/** Appends algorithm and signature to a to-be-signed structure, as certificates and revocation lists need. */
export const signed = (tbs: Uint8Array, key: KeyObject): Buffer =>
  sequence(tbs, signatureAlgorithm(key), encode(TAGS.bitString, Uint8Array.of(0), sign('sha256', tbs, key)));

export const signatureAlgorithm = (key: KeyObject): Buffer =>
  key.asymmetricKeyType === 'ec'
    ? sequence(oid(OIDS.ecdsaWithSha256))
    : sequence(oid(OIDS.sha256WithRsa), derNull());

export const pem = (certificate: Uint8Array): string => new X509Certificate(certificate).toString();

const PKCS12_ITERATIONS = 2_048;
const BAG_TYPES = { key: '1.2.840.113549.1.12.10.1.2', certificate: '1.2.840.113549.1.12.10.1.3' } as const;
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';

/**
 * Encodes the identity as PKCS#12 (RFC 7292). node-forge writes RSA keys only, so this builds the bags itself and uses
 * node-forge only to derive the MAC key.
 */
export function toPkcs12(
  { certificate, privateKey, issuers }: DemoIdentity,
  passphrase: string,
  otherKeys: readonly KeyObject[] = [],
): Buffer {
  const keyBags = [privateKey, ...otherKeys].map((key) => {
    const shrouded = key.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase });
    return sequence(oid(BAG_TYPES.key), encode(contextTag(0), shrouded));
  });
  const certificateBags = [certificate, ...issuers].map((der) =>
    sequence(
      oid(BAG_TYPES.certificate),
      encode(contextTag(0), sequence(oid(X509_CERTIFICATE), encode(contextTag(0), octetString(der)))),
    ),
  );
  const data = (content: Buffer): Buffer =>
    sequence(oid(OIDS.data), encode(contextTag(0), octetString(content)));
  const safe = sequence(data(sequence(...keyBags)), data(sequence(...certificateBags)));
  const salt = randomBytes(16);
  const derived = forge.pkcs12.generateKey(
    passphrase,
    forge.util.createBuffer(salt.toString('latin1')),
    3,
    PKCS12_ITERATIONS,
    32,
    forge.md.sha256.create(),
  );
  const mac = createHmac('sha256', Buffer.from(derived.getBytes(), 'latin1')).update(safe).digest();
  const digestInfo = sequence(sequence(oid(OIDS.sha256), derNull()), octetString(mac));
  return sequence(
    integer(3),
    data(safe),
    sequence(digestInfo, octetString(salt), integer(PKCS12_ITERATIONS)),
  );
}

export function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  const flag = critical ? encode(TAGS.boolean, Uint8Array.of(0xff)) : new Uint8Array();
  return sequence(oid(id), flag, octetString(value));
}

function distinguishedName(commonName: string): Buffer {
  const part = (type: string, value: string): Buffer =>
    setOf(sequence(oid(type), encode(TAGS.utf8String, Buffer.from(value))));
  return sequence(part(OIDS.organization, 'Signature Requests Demo'), part(OIDS.commonName, commonName));
}

/** SHA-1 of the public key's bits, as RFC 5280 suggests. It only identifies: security does not depend on it. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const [, bits] = childrenOf(decode(publicKey.export({ format: 'der', type: 'spki' })), TAGS.sequence);
  return createHash('sha1').update(expectTag(bits, TAGS.bitString).content.subarray(1)).digest();
}

const addDays = (date: Date, days: number): Date => new Date(date.getTime() + days * 86_400_000);
