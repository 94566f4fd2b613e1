import { algorithmId, STRONG_DIGESTS } from './algorithms.ts';
import { type CertificateFields, isStrongKey, isValidAt } from './certificate-fields.ts';
import {
  children,
  childrenOf,
  contextTag,
  type DerNode,
  decode,
  expectTag,
  hex,
  octets,
  readOid,
  readSmallInteger,
  readTime,
  TAGS,
} from './der.ts';
import { SignatureFault, Unsupported } from './faults.ts';
import { OIDS } from './oids.ts';
import type { SignedData } from './signed-data.ts';

/** Thrown when an answer or its token fails a check. */
export class TokenFault extends SignatureFault {
  override name = 'TokenFault';
}

/** The encoded contents of a timestamp token. Throws a TokenFault. */
export function tstInfoIn({ contentType, content }: SignedData): Uint8Array {
  if (contentType !== OIDS.tstInfo || content === null) throw new TokenFault('no timestamp inside');
  return content;
}

/** The contents of a timestamp token; `digest` is the algorithm of its imprint. Throws a SignatureFault. */
export function readTstInfo(encoded: Uint8Array) {
  const [version, policy, imprint, serial, time, ...optional] = childrenOf(decode(encoded), TAGS.sequence);
  if (readSmallInteger(version) !== 1) throw new TokenFault('unknown version');
  const [algorithm, hashed] = childrenOf(imprint, TAGS.sequence);
  const digest = STRONG_DIGESTS.get(algorithmId(algorithm));
  if (digest === undefined) throw new Unsupported('the imprint is weak or unknown');
  return {
    policy: readOid(policy),
    imprint: octets(hashed),
    digest,
    serial: hex(expectTag(serial, TAGS.integer).content).toUpperCase(),
    time: readTime(expectTag(time, TAGS.generalizedTime)),
    nonce: optional.find((field) => field.tag === TAGS.integer)?.raw ?? null,
  };
}

/** The tags of accuracy, ordering, nonce, authority name, and extensions. */
const OPTIONAL_FIELDS = [TAGS.sequence, TAGS.boolean, TAGS.integer, contextTag(0), contextTag(1)];
/** The tags of seconds, milliseconds and microseconds. */
const ACCURACY_FIELDS = [TAGS.integer, 0x80, 0x81];

/**
 * OpenSSL rejects a token whose fields are out of order. BouncyCastle, and so EU DSS, ignores one with a non-minimal integer, or
 * with milliseconds or microseconds outside 1 to 999. Throws a SignatureFault.
 */
export function checkForm(encoded: Uint8Array): void {
  const [, , , serial, , ...optional] = childrenOf(decode(encoded), TAGS.sequence);
  const accuracy = optional.find(({ tag }) => tag === TAGS.sequence);
  const accuracies = accuracy ? children(accuracy) : [];
  const isInForm =
    isInOrder(optional, OPTIONAL_FIELDS) &&
    isInOrder(accuracies, ACCURACY_FIELDS) &&
    [expectTag(serial, TAGS.integer), ...accuracies].every(isShort) &&
    accuracies.every((part) => part.tag === TAGS.integer || isPartOfSecond(part));
  if (!isInForm) throw new Unsupported('the timestamp has a form that not all programs read');
}

const isInOrder = (fields: readonly DerNode[], tags: readonly number[]): boolean => {
  const places = fields.map(({ tag }) => tags.indexOf(tag));
  return places.every((place, index) => place > (places[index - 1] ?? -1));
};

/** True for an integer in minimal form: its first byte is not just sign extension. */
function isShort({ content: [first, second] }: DerNode): boolean {
  if (first === undefined || second === undefined) return first !== undefined;
  return first !== (second < 0x80 ? 0 : 0xff);
}

const isPartOfSecond = ({ content }: DerNode): boolean => {
  const value = content.reduce((sum, byte) => sum * 256 + byte, 0);
  return value > 0 && value < 1_000;
};

/** Purpose, strength and validity of the authority's own certificate. Throws a TokenFault. */
export function checkAuthority(signer: CertificateFields, time: Date): void {
  if (!isForTimestampsAlone(signer))
    throw new TokenFault("the authority's certificate is not for timestamps alone");
  const { keyUsage } = signer;
  if (keyUsage && !keyUsage.digitalSignature && !keyUsage.nonRepudiation) {
    throw new TokenFault("the authority's certificate may not sign");
  }
  if (!isStrongKey(signer.key)) throw new TokenFault("the authority's key is too weak");
  if (!isValidAt(signer, time)) throw new TokenFault("the authority's certificate was not valid at the time");
}

/** RFC 3161, 2.3, requires this. */
export const isForTimestampsAlone = ({ extendedKeyUsage }: CertificateFields): boolean =>
  extendedKeyUsage?.critical === true &&
  extendedKeyUsage.purposes.length === 1 &&
  extendedKeyUsage.purposes[0] === OIDS.timeStamping;
