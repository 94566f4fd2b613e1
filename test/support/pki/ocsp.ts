/** Answers OCSP requests (RFC 6960). */
import { createHash } from 'node:crypto';
import {
  context,
  derOf,
  enumerated,
  extension,
  generalizedTime,
  implicit,
  type Node,
  nodeOf,
  octets,
  oid,
  partsOf,
  sequence,
  smallInteger,
} from '../../../local/asn1.ts';
import { type Issuer, signedBy, subjectOf } from './signed.ts';

/** The state of a certificate. */
export type Standing = 'good' | 'unknown' | { revokedAt: Date; reason?: number };

/** Deviations from a regular answer. */
export interface OcspDeviations {
  /** Other than 0: the answer is nothing else. */
  status?: number;
  type?: string;
  thisUpdate?: Date;
  /** Null leaves it out. */
  nextUpdate?: Date | null;
  producedAt?: Date;
  nonce?: 'left out' | 'other';
  /** Names the responder by its key instead of its name. */
  byKey?: boolean;
  sends?: Uint8Array[];
  digest?: string;
  brokenSignature?: boolean;
  /** An unknown critical extension of the answer, or of the part about the certificate. */
  criticalExtension?: 'answer' | 'certificate';
  otherCertificate?: boolean;
  /** A second answer about the same certificate, behind the first. */
  second?: Standing;
}

interface Responder extends Issuer {
  /** The CA itself needs not be sent. */
  isDelegate: boolean;
}

const BASIC = '1.3.6.1.5.5.7.48.1.1';
const NONCE = '1.3.6.1.5.5.7.48.1.2';
const HOUR = 3_600_000;

export function answerOcspRequest(
  request: Uint8Array,
  responder: Responder,
  standingOf: (serialHex: string) => Standing,
  now: Date,
  deviations: OcspDeviations = {},
): Buffer {
  const { status = 0, type = BASIC } = deviations;
  if (status !== 0) return derOf(sequence(enumerated(status)));
  const { id, nonce } = readRequest(request);
  const content = responseData(id, nonce, responder, standingOf, now, deviations);
  const sent = deviations.sends ?? (responder.isDelegate ? [responder.certificate] : []);
  const certificates = sent.length > 0 ? [context(0, sequence(...sent.map(nodeOf)))] : [];
  const basic = derOf(signedBy(responder.key, content, certificates, deviations.digest));
  if (deviations.brokenSignature) flipSignature(basic, content);
  return derOf(sequence(enumerated(0), context(0, sequence(oid(type), octets(basic)))));
}

/** Flips a bit of what was signed, in the time of the answer. */
function flipSignature(basic: Buffer, content: Node): void {
  const at = basic.indexOf(derOf(content)) + derOf(content).length - 40;
  basic.writeUInt8(basic.readUInt8(at) ^ 1, at);
}

function readRequest(request: Uint8Array): { id: Node; nonce: Node | undefined } {
  const [list, extensions] = partsOf(partsOf(nodeOf(request))[0]);
  const id = partsOf(partsOf(list)[0])[0];
  if (!id) throw new Error('The OCSP request names no certificate.');
  const nonce = extensions && partsOf(partsOf(extensions)[0])[0];
  return { id, nonce };
}

function responseData(
  id: Node,
  nonce: Node | undefined,
  responder: Responder,
  standingOf: (serialHex: string) => Standing,
  now: Date,
  deviations: OcspDeviations,
): Node {
  const { subject, keyBits } = subjectOf(responder.certificate);
  const name = deviations.byKey
    ? context(2, octets(createHash('sha1').update(keyBits).digest()))
    : context(1, subject);
  const {
    thisUpdate = new Date(now.getTime() - HOUR),
    nextUpdate = new Date(now.getTime() + 24 * HOUR),
    producedAt = now,
  } = deviations;
  const [, , , serial] = partsOf(id);
  const serialHex = Buffer.from(String(serial?.value), 'latin1').toString('hex');
  const unknown = extension('1.2.3.4', true, sequence());
  const single = (standing: Standing) =>
    sequence(
      deviations.otherCertificate ? withOtherSerial(id) : id,
      statusOf(standing),
      generalizedTime(thisUpdate),
      ...(nextUpdate ? [context(0, generalizedTime(nextUpdate))] : []),
      ...(deviations.criticalExtension === 'certificate' ? [context(1, sequence(unknown))] : []),
    );
  const repeated = deviations.nonce === 'other' ? extension(NONCE, false, octets(Buffer.alloc(16))) : nonce;
  const extensions = [
    ...(repeated && deviations.nonce !== 'left out' ? [repeated] : []),
    ...(deviations.criticalExtension === 'answer' ? [unknown] : []),
  ];
  return sequence(
    name,
    generalizedTime(producedAt),
    sequence(single(standingOf(serialHex)), ...(deviations.second ? [single(deviations.second)] : [])),
    ...(extensions.length > 0 ? [context(1, sequence(...extensions))] : []),
  );
}

const withOtherSerial = (id: Node): Node => sequence(...partsOf(id).slice(0, 3), smallInteger(9));

function statusOf(standing: Standing): Node {
  if (standing === 'good') return implicit(0, '');
  if (standing === 'unknown') return implicit(2, '');
  const { revokedAt, reason } = standing;
  return context(
    1,
    generalizedTime(revokedAt),
    ...(reason === undefined ? [] : [context(0, enumerated(reason))]),
  );
}
