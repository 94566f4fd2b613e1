/** Answers RFC 3161 timestamp requests. */
import { constants, createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  asn1,
  context,
  derOf,
  generalizedTime,
  integer,
  type Node,
  NULL,
  nodeOf,
  octets,
  oid,
  primitive,
  sequence,
  set,
  smallInteger,
  UNIVERSAL,
  utcTime,
} from '../asn1.ts';
import { algorithmOf, type Issuer } from '../certificate-authority/proofs.ts';

export interface Signer extends Issuer {
  /** The issuing CAs to include with the certificate, DER. */
  issuers: Uint8Array[];
}

/** Deviations from a regular answer, for the tests of clients. */
export interface Deviations {
  /** A PKIStatus other than 0. From 2 on, the answer has no token. */
  status?: number;
  imprint?: Uint8Array;
  /** DER; null omits the nonce. */
  nonce?: Uint8Array | null;
  policy?: string;
  /** Version 1 identifies the certificate by SHA-1 (RFC 2634). */
  signingCertificate?: 1 | 'none' | 'other';
  signature?: 'rsaEncryption' | 'rsaPss' | 'broken';
  omitCertificates?: boolean;
}

const OIDS = {
  signedData: '1.2.840.113549.1.7.2',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsaEncryption: '1.2.840.113549.1.1.1',
  mgf1: '1.2.840.113549.1.1.8',
  rsaPss: '1.2.840.113549.1.1.10',
};
const POLICY = '1.3.6.1.4.1.13762.3';
const HASH_LENGTHS: Record<string, number> = {
  [OIDS.sha256]: 32,
  '2.16.840.1.101.3.4.2.2': 48,
  '2.16.840.1.101.3.4.2.3': 64,
};
const MAX_REQUEST_BYTES = 16 * 1024;

const hashOf = (bytes: Uint8Array, algorithm = 'sha256') => createHash(algorithm).update(bytes).digest();

interface TimestampRequest {
  imprintAlgorithm: Node;
  imprint: Node;
  nonce: Node | undefined;
  wantsCertificate: boolean;
}

/** The PKIFailureInfo bits of a rejected request. */
const BAD_ALGORITHM = 0;
const BAD_DATA_FORMAT = 5;

class Rejection extends Error {
  readonly bit: number;

  constructor(bit: number, message: string) {
    super(message);
    this.bit = bit;
  }
}

function childrenOf(node: Node | undefined): Node[] {
  if (node && typeof node.value !== 'string') return node.value;
  throw new Rejection(BAD_DATA_FORMAT, 'The request is malformed.');
}

function bytesOf(node: Node | undefined): string {
  if (typeof node?.value === 'string') return node.value;
  throw new Rejection(BAD_DATA_FORMAT, 'The request is malformed.');
}

function parseRequest(der: Uint8Array): TimestampRequest {
  if (der.length > MAX_REQUEST_BYTES) throw new Rejection(BAD_DATA_FORMAT, 'The request is too large.');
  let root: Node;
  try {
    root = nodeOf(der);
  } catch {
    throw new Rejection(BAD_DATA_FORMAT, 'The request is not DER.');
  }
  const [version, messageImprint, ...optional] = childrenOf(root);
  if (bytesOf(version) !== '\x01')
    throw new Rejection(BAD_DATA_FORMAT, 'The request has an unknown version.');
  const [imprintAlgorithm, imprint] = childrenOf(messageImprint);
  const hash = asn1.derToOid(bytesOf(childrenOf(imprintAlgorithm)[0]));
  if (HASH_LENGTHS[hash] === undefined)
    throw new Rejection(BAD_ALGORITHM, `The hash ${hash} is not supported.`);
  if (!imprintAlgorithm || !imprint || bytesOf(imprint).length !== HASH_LENGTHS[hash])
    throw new Rejection(BAD_DATA_FORMAT, 'The imprint does not have the length of its hash.');
  const find = (type: number) => optional.find((node) => node.tagClass === UNIVERSAL && node.type === type);
  return {
    imprintAlgorithm,
    imprint,
    nonce: find(asn1.Type.INTEGER),
    wantsCertificate: bytesOf(find(asn1.Type.BOOLEAN) ?? primitive(asn1.Type.BOOLEAN, '\0')) !== '\0',
  };
}

export function answerTimestampRequest(
  request: Uint8Array,
  signer: Signer,
  time: Date,
  deviations: Deviations = {},
): Buffer {
  const { status = 0 } = deviations;
  if (status >= 2) return derOf(sequence(sequence(smallInteger(status))));
  try {
    const token = makeToken(parseRequest(request), signer, time, deviations);
    return derOf(sequence(sequence(smallInteger(status)), token));
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

function makeToken(request: TimestampRequest, signer: Signer, time: Date, deviations: Deviations): Node {
  const { imprintAlgorithm, imprint, nonce } = request;
  const deviantNonce = deviations.nonce && nodeOf(deviations.nonce);
  const sentNonce = deviations.nonce === undefined ? nonce : deviantNonce;
  const tstInfo = derOf(
    sequence(
      smallInteger(1),
      oid(deviations.policy ?? POLICY),
      sequence(imprintAlgorithm, deviations.imprint ? octets(deviations.imprint) : imprint),
      integer(Buffer.concat([Uint8Array.of(1), randomBytes(15)])),
      generalizedTime(time),
      sequence(smallInteger(1)),
      ...(sentNonce ? [sentNonce] : []),
    ),
  );
  const attribute = (type: string, value: Node) => derOf(sequence(oid(type), set(value)));
  const attributes = [
    attribute(OIDS.contentType, oid(OIDS.tstInfo)),
    attribute(OIDS.signingTime, utcTime(time)),
    attribute(OIDS.messageDigest, octets(hashOf(tstInfo))),
    ...signingCertificate(signer, deviations).map(({ type, value }) => attribute(type, value)),
  ]
    .sort(Buffer.compare)
    .map(nodeOf);
  const { algorithm, value } = signatureOf(derOf(set(...attributes)), signer.key, deviations);
  const signerInfo = sequence(
    smallInteger(1),
    issuerAndSerial(signer.certificate),
    sequence(oid(OIDS.sha256)),
    context(0, ...attributes),
    algorithm,
    octets(value),
  );
  const includesCertificates = request.wantsCertificate && !deviations.omitCertificates;
  const certificates = [signer.certificate, ...signer.issuers].map(nodeOf);
  const signedData = sequence(
    smallInteger(3),
    set(sequence(oid(OIDS.sha256))),
    sequence(oid(OIDS.tstInfo), context(0, octets(tstInfo))),
    ...(includesCertificates ? [context(0, ...certificates)] : []),
    set(signerInfo),
  );
  return sequence(oid(OIDS.signedData), context(0, signedData));
}

function signingCertificate({ certificate }: Signer, { signingCertificate: kind }: Deviations) {
  if (kind === 'none') return [];
  const hash = hashOf(
    kind === 'other' ? Buffer.from('another certificate') : certificate,
    kind === 1 ? 'sha1' : 'sha256',
  );
  const type = kind === 1 ? OIDS.signingCertificate : OIDS.signingCertificateV2;
  return [{ type, value: sequence(sequence(sequence(octets(hash)))) }];
}

function issuerAndSerial(certificate: Uint8Array): Node {
  const [, serial, , issuer] = childrenOf(childrenOf(nodeOf(certificate))[0]);
  if (!serial || !issuer) throw new Error('The certificate is malformed.');
  return sequence(issuer, serial);
}

function signatureOf(
  attributes: Buffer,
  key: KeyObject,
  { signature: kind }: Deviations,
): { algorithm: Node; value: Buffer } {
  if (kind === 'rsaPss') {
    const hash = sequence(oid(OIDS.sha256));
    const parameters = sequence(
      context(0, hash),
      context(1, sequence(oid(OIDS.mgf1), hash)),
      context(2, smallInteger(32)),
    );
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const value = sign('sha256', attributes, { key, padding, saltLength: 32 });
    return { algorithm: sequence(oid(OIDS.rsaPss), parameters), value };
  }
  const signedBytes = kind === 'broken' ? Buffer.concat([attributes, Uint8Array.of(0)]) : attributes;
  return {
    algorithm: kind === 'rsaEncryption' ? sequence(oid(OIDS.rsaEncryption), NULL) : algorithmOf(key),
    value: sign('sha256', signedBytes, key),
  };
}
