import { constants, createHash, type KeyObject, sign } from 'node:crypto';
import {
  context,
  derOf,
  type Node,
  NULL,
  nodeOf,
  octets,
  oid,
  partsOf,
  sequence,
  set,
  smallInteger,
} from '../../../local/asn1.ts';
import { algorithmOf } from '../../../local/certificate-authority/proofs.ts';
import { answerTimestampRequest, type Signer } from '../../../local/timestamp-authority/answer.ts';

/** Deviations from a regular answer. */
export interface Deviations {
  /** A PKIStatus other than 0. From 2 on, the answer has no token. */
  status?: number;
  imprint?: Uint8Array;
  /** DER; null omits the nonce. */
  nonce?: Uint8Array | null;
  policy?: string;
  /** Version 1 identifies the certificate by SHA-1 (RFC 2634). */
  signingCertificate?: 1 | 'none' | 'other';
  signature?: 'rsaEncryption' | 'rsaPss' | 'sha512' | 'broken';
  /** The digest algorithm that the token lists beside its signature. */
  listedDigest?: string;
  /** Rewrites the signed content. */
  content?: (tstInfo: Uint8Array) => Uint8Array;
  omitCertificates?: boolean;
}

const OIDS = {
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsaEncryption: '1.2.840.113549.1.1.1',
  mgf1: '1.2.840.113549.1.1.8',
  rsaPss: '1.2.840.113549.1.1.10',
  sha512WithRsa: '1.2.840.113549.1.1.13',
};

const hashOf = (bytes: Uint8Array, algorithm = 'sha256') => createHash(algorithm).update(bytes).digest();

/** The part of a part of a node, by their places. */
const at = (node: Node, ...path: number[]): Node =>
  path.reduce((whole, place) => {
    const part = partsOf(whole).at(place);
    if (!part) throw new Error('The answer is not as expected.');
    return part;
  }, node);

/** The local authority's answer, changed and signed again. */
export function deviantAnswer(
  request: Uint8Array,
  signer: Signer,
  time: Date,
  deviations: Deviations,
): Buffer {
  const { status = 0 } = deviations;
  if (status >= 2) return derOf(sequence(sequence(smallInteger(status))));
  const answer = nodeOf(answerTimestampRequest(request, signer, time));
  at(answer, 0).value = [smallInteger(status)];
  const signedData = at(answer, 1, 1, 0);
  if (deviations.listedDigest) at(signedData, 1).value = [sequence(oid(deviations.listedDigest))];
  const wrapped = at(signedData, 2, 1);
  const tstInfo = changed(Buffer.from(String(at(wrapped, 0).value), 'latin1'), deviations);
  wrapped.value = [octets(tstInfo)];
  const signerInfo = at(signedData, -1, 0);
  const attributes = attributesOf(partsOf(at(signerInfo, 3)), tstInfo, signer, deviations);
  const signature = signatureOf(derOf(set(...attributes)), signer.key, deviations);
  partsOf(signerInfo).splice(3, 3, context(0, ...attributes), ...signature);
  if (deviations.omitCertificates) partsOf(signedData).splice(3, 1);
  return derOf(answer);
}

function changed(tstInfo: Uint8Array, { policy, imprint, nonce, content: rewrite }: Deviations): Uint8Array {
  const content = nodeOf(tstInfo);
  if (policy !== undefined) partsOf(content)[1] = oid(policy);
  if (imprint) partsOf(at(content, 2))[1] = octets(imprint);
  if (nonce !== undefined) partsOf(content).splice(6, 1, ...(nonce ? [nodeOf(nonce)] : []));
  return rewrite ? rewrite(derOf(content)) : derOf(content);
}

function attributesOf(
  regular: Node[],
  tstInfo: Uint8Array,
  { certificate }: Signer,
  { signingCertificate: kind }: Deviations,
): Node[] {
  const replaced = [OIDS.messageDigest, ...(kind === undefined ? [] : [OIDS.signingCertificateV2])];
  const ids = replaced.map((id) => derOf(oid(id)));
  const attribute = (type: string, value: Node) => sequence(oid(type), set(value));
  const named = (type: string, hash: Buffer) => attribute(type, sequence(sequence(sequence(octets(hash)))));
  return [
    ...regular.filter((each) => !ids.some((id) => id.equals(derOf(at(each, 0))))),
    attribute(OIDS.messageDigest, octets(hashOf(tstInfo))),
    ...(kind === 1 ? [named(OIDS.signingCertificate, hashOf(certificate, 'sha1'))] : []),
    ...(kind === 'other'
      ? [named(OIDS.signingCertificateV2, hashOf(Buffer.from('another certificate')))]
      : []),
  ]
    .map(derOf)
    .sort(Buffer.compare)
    .map(nodeOf);
}

/** Algorithm and signature. */
function signatureOf(attributes: Buffer, key: KeyObject, { signature: kind }: Deviations): Node[] {
  if (kind === 'rsaPss') {
    const hash = sequence(oid(OIDS.sha256));
    const parameters = sequence(
      context(0, hash),
      context(1, sequence(oid(OIDS.mgf1), hash)),
      context(2, smallInteger(32)),
    );
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const value = sign('sha256', attributes, { key, padding, saltLength: 32 });
    return [sequence(oid(OIDS.rsaPss), parameters), octets(value)];
  }
  if (kind === 'sha512') {
    return [sequence(oid(OIDS.sha512WithRsa), NULL), octets(sign('sha512', attributes, key))];
  }
  const signedBytes = kind === 'broken' ? Buffer.concat([attributes, Uint8Array.of(0)]) : attributes;
  const algorithm = kind === 'rsaEncryption' ? sequence(oid(OIDS.rsaEncryption), NULL) : algorithmOf(key);
  return [algorithm, octets(sign('sha256', signedBytes, key))];
}
