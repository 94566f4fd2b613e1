/**
 * A timestamp authority (RFC 3161), one of the outside services that a stack may call. Its certificates are made on the
 * first start and stay; its time is the local clock's.
 */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import type { Clock } from '../ports.ts';

const { asn1, pki } = forge;
type Node = forge.asn1.Asn1;

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  policy: '1.3.6.1.4.1.13762.3',
};
const hashLengths: Record<string, number> = {
  [oids.sha256]: 32,
  '2.16.840.1.101.3.4.2.2': 48,
  '2.16.840.1.101.3.4.2.3': 64,
};
const maxRequestBytes = 16 * 1024;
const years = 20;

const universal = asn1.Class.UNIVERSAL;
const contextSpecific = asn1.Class.CONTEXT_SPECIFIC;
const primitive = (type: number, value: string) => asn1.create(universal, type, false, value);
const constructed = (type: number, ...parts: Node[]) => asn1.create(universal, type, true, parts);
const sequence = (...parts: Node[]) => constructed(asn1.Type.SEQUENCE, ...parts);
const set = (...parts: Node[]) => constructed(asn1.Type.SET, ...parts);
const oid = (dotted: string) => primitive(asn1.Type.OID, asn1.oidToDer(dotted).getBytes());
const octets = (bytes: Uint8Array) => primitive(asn1.Type.OCTETSTRING, Buffer.from(bytes).toString('latin1'));
const smallInteger = (value: number) => primitive(asn1.Type.INTEGER, String.fromCharCode(value));
const context = (tag: number, ...parts: Node[]) => asn1.create(contextSpecific, tag, true, parts);
const derOf = (node: Node) => Buffer.from(asn1.toDer(node).getBytes(), 'latin1');
const nodeOf = (der: Uint8Array): Node =>
  asn1.fromDer(forge.util.createBuffer(Buffer.from(der).toString('latin1')));
const generalizedTime = (time: Date) =>
  primitive(asn1.Type.GENERALIZEDTIME, `${time.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`);
const utcTime = (time: Date) =>
  primitive(asn1.Type.UTCTIME, `${time.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const positiveSerial = () => `01${randomBytes(15).toString('hex')}`;

interface TimestampRequest {
  imprint: Node;
  hashOid: string;
  nonce: Node | undefined;
  wantsCertificate: boolean;
}

/** Why a request is refused, as PKIFailureInfo numbers it. */
class Rejection extends Error {
  readonly bit: number;

  constructor(bit: number, message: string) {
    super(message);
    this.bit = bit;
  }
}

const badAlgorithm = 0;
const badDataFormat = 5;

const childrenOf = (node: Node | undefined): Node[] => {
  if (!node || typeof node.value === 'string')
    throw new Rejection(badDataFormat, 'The request is malformed.');
  return node.value;
};
const bytesOf = (node: Node | undefined): string => {
  if (typeof node?.value !== 'string') throw new Rejection(badDataFormat, 'The request is malformed.');
  return node.value;
};

function parseRequest(der: Uint8Array): TimestampRequest {
  let root: Node;
  try {
    root = nodeOf(der);
  } catch {
    throw new Rejection(badDataFormat, 'The request is not DER.');
  }
  const [version, imprint, ...optional] = childrenOf(root);
  if (bytesOf(version) !== '\x01') throw new Rejection(badDataFormat, 'The request has an unknown version.');
  const [algorithm, digest] = childrenOf(imprint);
  const hashOid = asn1.derToOid(bytesOf(childrenOf(algorithm)[0]));
  if (hashLengths[hashOid] === undefined)
    throw new Rejection(badAlgorithm, `The hash ${hashOid} is not supported.`);
  if (bytesOf(digest).length !== hashLengths[hashOid])
    throw new Rejection(badDataFormat, 'The imprint has not the length of its hash.');
  const find = (type: number) => optional.find((node) => node.tagClass === universal && node.type === type);
  return {
    imprint: imprint as Node,
    hashOid,
    nonce: find(asn1.Type.INTEGER),
    wantsCertificate: bytesOf(find(asn1.Type.BOOLEAN) ?? primitive(asn1.Type.BOOLEAN, '\0')) !== '\0',
  };
}

interface Identity {
  certificate: forge.pki.Certificate;
  key: KeyObject;
}

function issue(
  name: string,
  extensions: object[],
  now: Date,
  issuer?: { certificate: forge.pki.Certificate; key: KeyObject },
): Identity & { keyPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString());
  certificate.serialNumber = positiveSerial();
  certificate.validity.notBefore = new Date(now.getTime() - 86_400_000);
  certificate.validity.notAfter = new Date(now.getTime() + years * 365.25 * 86_400_000);
  const subject = [
    { name: 'organizationName', value: 'Local cloud' },
    { name: 'commonName', value: name },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer ? issuer.certificate.subject.attributes : subject);
  certificate.setExtensions(extensions);
  const signer = issuer?.key ?? privateKey;
  certificate.sign(
    pki.privateKeyFromPem(signer.export({ type: 'pkcs8', format: 'pem' }).toString()),
    forge.md.sha256.create(),
  );
  return { certificate, key: privateKey, keyPem };
}

/** Makes the root and the authority's own certificate, and keeps them. */
function makeIdentity(dir: string, now: Date): void {
  const root = issue(
    'Local timestamp root',
    [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
    ],
    now,
  );
  const own = issue(
    'Local timestamp authority',
    [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', timeStamping: true, critical: true },
      { name: 'subjectKeyIdentifier' },
      {
        name: 'authorityKeyIdentifier',
        keyIdentifier: root.certificate.generateSubjectKeyIdentifier().getBytes(),
      },
    ],
    now,
    root,
  );
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dir, 'key.pem'), own.keyPem, { mode: 0o600 });
  writeFileSync(join(dir, 'certificate.pem'), pki.certificateToPem(own.certificate));
  writeFileSync(join(dir, 'ca.pem'), pki.certificateToPem(root.certificate));
}

export class TimestampAuthority {
  readonly caFile: string;
  readonly #dir: string;
  readonly #clock: Clock;
  #identity: Identity | undefined;

  constructor(dir: string, clock: Clock) {
    this.#dir = dir;
    this.#clock = clock;
    this.caFile = join(dir, 'ca.pem');
    if (!existsSync(this.caFile)) makeIdentity(dir, new Date(clock.now()));
  }

  /** The answer to a request of a client, whatever it is. */
  answer(request: Uint8Array): Buffer {
    try {
      if (request.length > maxRequestBytes) throw new Rejection(badDataFormat, 'The request is too large.');
      const token = this.#token(parseRequest(request));
      return derOf(sequence(sequence(smallInteger(0)), token));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const bits = primitive(
        asn1.Type.BITSTRING,
        `${String.fromCharCode(7 - (error.bit % 8))}${String.fromCharCode(0x80 >> error.bit)}`,
      );
      const text = sequence(primitive(asn1.Type.UTF8, error.message));
      return derOf(sequence(sequence(smallInteger(2), text, bits)));
    }
  }

  #own(): Identity {
    this.#identity ??= {
      certificate: pki.certificateFromPem(readFileSync(join(this.#dir, 'certificate.pem'), 'utf8')),
      key: createPrivateKey(readFileSync(join(this.#dir, 'key.pem'))),
    };
    return this.#identity;
  }

  #token({ imprint, nonce, wantsCertificate }: TimestampRequest): Node {
    const { certificate, key } = this.#own();
    const now = new Date(this.#clock.now());
    const tstInfo = derOf(
      sequence(
        smallInteger(1),
        oid(oids.policy),
        imprint,
        primitive(asn1.Type.INTEGER, Buffer.from(positiveSerial(), 'hex').toString('latin1')),
        generalizedTime(now),
        sequence(smallInteger(1)),
        ...(nonce ? [nonce] : []),
      ),
    );
    const certificateNode = pki.certificateToAsn1(certificate);
    const certificateHash = sha256(derOf(certificateNode));
    const attribute = (type: string, value: Node) => derOf(sequence(oid(type), set(value)));
    const attributes = [
      attribute(oids.contentType, oid(oids.tstInfo)),
      attribute(oids.signingTime, utcTime(now)),
      attribute(oids.messageDigest, octets(sha256(tstInfo))),
      attribute(oids.signingCertificateV2, sequence(sequence(sequence(octets(certificateHash))))),
    ]
      .sort(Buffer.compare)
      .map(nodeOf);
    const signature = sign('sha256', derOf(set(...attributes)), key);
    const issuerAndSerial = sequence(
      pki.distinguishedNameToAsn1(certificate.issuer),
      primitive(asn1.Type.INTEGER, forge.util.hexToBytes(certificate.serialNumber)),
    );
    const nothing = primitive(asn1.Type.NULL, '');
    const signerInfo = sequence(
      smallInteger(1),
      issuerAndSerial,
      sequence(oid(oids.sha256)),
      context(0, ...attributes),
      sequence(oid(oids.sha256WithRsa), nothing),
      octets(signature),
    );
    const signedData = sequence(
      smallInteger(3),
      set(sequence(oid(oids.sha256))),
      sequence(oid(oids.tstInfo), context(0, octets(tstInfo))),
      ...(wantsCertificate ? [context(0, certificateNode)] : []),
      set(signerInfo),
    );
    return sequence(oid(oids.signedData), context(0, signedData));
  }
}
