/** Answers RFC 3161 timestamp requests. */
import { hash, randomBytes, sign } from 'node:crypto';
import {
  asn1,
  context,
  derOf,
  generalizedTime,
  integer,
  type Node,
  nodeOf,
  octets,
  oid,
  partsOf,
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

const OIDS = {
  signedData: '1.2.840.113549.1.7.2',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
};
const POLICY = '1.3.6.1.4.1.13762.3';
const HASH_LENGTHS: Record<string, number> = {
  [OIDS.sha256]: 32,
  '2.16.840.1.101.3.4.2.2': 48,
  '2.16.840.1.101.3.4.2.3': 64,
};

const hashOf = (bytes: Uint8Array) => hash('sha256', bytes, 'buffer');

interface TimestampRequest {
  imprintAlgorithm: Node;
  imprint: Node;
  nonce: Node | undefined;
  wantsCertificate: boolean;
}

/** PKIFailureInfo of a rejected request: a BIT STRING's number of unused bits, then the bit 0 or 5. */
const BAD_ALGORITHM = '\x07\x80';
const BAD_DATA_FORMAT = '\x02\x04';

class UnknownHash extends Error {}

function bytesOf(node: Node | undefined): string {
  if (typeof node?.value === 'string') return node.value;
  throw new Error('The DER is not as expected.');
}

function parseRequest(der: Uint8Array): TimestampRequest {
  const [version, messageImprint, ...optional] = partsOf(nodeOf(der));
  if (bytesOf(version) !== '\x01') throw new Error('The version is unknown.');
  const [imprintAlgorithm, imprint] = partsOf(messageImprint);
  const digest = asn1.derToOid(bytesOf(partsOf(imprintAlgorithm)[0]));
  if (HASH_LENGTHS[digest] === undefined) throw new UnknownHash(`The hash ${digest} is not supported.`);
  if (!imprintAlgorithm || !imprint || bytesOf(imprint).length !== HASH_LENGTHS[digest])
    throw new Error('The imprint does not have the length of its hash.');
  const find = (type: number) => optional.find((node) => node.tagClass === UNIVERSAL && node.type === type);
  return {
    imprintAlgorithm,
    imprint,
    nonce: find(asn1.Type.INTEGER),
    wantsCertificate: bytesOf(find(asn1.Type.BOOLEAN) ?? primitive(asn1.Type.BOOLEAN, '\0')) !== '\0',
  };
}

export function answerTimestampRequest(request: Uint8Array, signer: Signer, time: Date): Buffer {
  let asked: TimestampRequest;
  try {
    asked = parseRequest(request);
  } catch (error) {
    const text = sequence(primitive(asn1.Type.UTF8, String(error)));
    const failure = error instanceof UnknownHash ? BAD_ALGORITHM : BAD_DATA_FORMAT;
    return derOf(sequence(sequence(smallInteger(2), text, primitive(asn1.Type.BITSTRING, failure))));
  }
  return derOf(sequence(sequence(smallInteger(0)), makeToken(asked, signer, time)));
}

function makeToken(request: TimestampRequest, signer: Signer, time: Date): Node {
  const { imprintAlgorithm, imprint, nonce } = request;
  const tstInfo = derOf(
    sequence(
      smallInteger(1),
      oid(POLICY),
      sequence(imprintAlgorithm, imprint),
      integer(Buffer.concat([Uint8Array.of(1), randomBytes(15)])),
      generalizedTime(time),
      sequence(smallInteger(1)),
      ...(nonce ? [nonce] : []),
    ),
  );
  const attribute = (type: string, value: Node) => derOf(sequence(oid(type), set(value)));
  const attributes = [
    attribute(OIDS.contentType, oid(OIDS.tstInfo)),
    attribute(OIDS.signingTime, utcTime(time)),
    attribute(OIDS.messageDigest, octets(hashOf(tstInfo))),
    attribute(OIDS.signingCertificateV2, sequence(sequence(sequence(octets(hashOf(signer.certificate)))))),
  ]
    .sort(Buffer.compare)
    .map(nodeOf);
  const signerInfo = sequence(
    smallInteger(1),
    issuerAndSerial(signer.certificate),
    sequence(oid(OIDS.sha256)),
    context(0, ...attributes),
    algorithmOf(signer.key),
    octets(sign('sha256', derOf(set(...attributes)), signer.key)),
  );
  const certificates = [signer.certificate, ...signer.issuers].map(nodeOf);
  const signedData = sequence(
    smallInteger(3),
    set(sequence(oid(OIDS.sha256))),
    sequence(oid(OIDS.tstInfo), context(0, octets(tstInfo))),
    ...(request.wantsCertificate ? [context(0, ...certificates)] : []),
    set(signerInfo),
  );
  return sequence(oid(OIDS.signedData), context(0, signedData));
}

function issuerAndSerial(certificate: Uint8Array): Node {
  const [, serial, , issuer] = partsOf(partsOf(nodeOf(certificate))[0]);
  if (!serial || !issuer) throw new Error('The certificate is malformed.');
  return sequence(issuer, serial);
}
