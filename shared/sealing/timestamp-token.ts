import { createHash } from 'node:crypto';
import { withLengths } from './ber.ts';
import { type Certificate, isIssuedBy } from './certificate.ts';
import { isValidAt } from './certificate-fields.ts';
import {
  childrenOf,
  contextTag,
  type DerNode,
  decode,
  decodeFirst,
  distinct,
  expectTag,
  readSmallInteger,
  sameBytes,
  TAGS,
} from './der.ts';
import { encode, retag, sequence, setOf } from './der-encode.ts';
import { chainOf, type Known } from './long-term/chain.ts';
import {
  checkDigests,
  readSignedData,
  readSignerClaims,
  type SignedData,
  signerAmong,
} from './signed-data.ts';
import { readCertificates, verifySigner } from './signer.ts';
import { checkAuthority, checkForm, readTstInfo, TokenFault, tstInfoIn } from './tst-info.ts';

/** The requested values that a new token must repeat. */
export interface Expected {
  imprint: Uint8Array;
  /** DER of the INTEGER. */
  nonce: Uint8Array;
  policyOid?: string | undefined;
  /** Pinned certificates, trusted without a chain of their own. */
  anchors: readonly Certificate[];
  now: Date;
}

export interface VerifiedToken {
  time: Date;
  serial: string;
  policy: string;
  signer: Certificate;
  /** All certificates of the token. */
  others: readonly Certificate[];
}

/** Largest difference between the authority's clock and ours. */
const MAX_SKEW_MS = 5 * 60 * 1000;

/** Returns the token of an authority's answer (RFC 3161, 2.4.2) in DER, not yet verified. */
export function tokenOfResponse(response: Uint8Array): Uint8Array {
  const { content } = expectTag(decode(withLengths(response).der), TAGS.sequence);
  const statusInfo = decodeFirst(content);
  checkStatus(childrenOf(statusInfo, TAGS.sequence));
  const token = withLengths(content.subarray(statusInfo.raw.length)).der;
  return expectTag(decode(token), TAGS.sequence).raw;
}

/** The bits of a PKIFailureInfo, of which RFC 3161, 2.4.2, lists the reasons. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [0, 'it does not know the hash'],
  [2, 'it does not allow such a request'],
  [5, 'it cannot read the request'],
  [14, 'it has no time'],
  [15, 'it does not have the policy'],
  [16, 'it does not know an extension'],
  [17, 'it cannot give what was asked for'],
  [25, 'it has a fault'],
]);

/** Leaves out the authority's own text, which may quote anything. */
function checkStatus([first, ...more]: readonly DerNode[]): void {
  const status = readSmallInteger(first);
  if (status === 0 || status === 1) return;
  const bits = more.find(({ tag }) => tag === TAGS.bitString)?.content.subarray(1) ?? [];
  const isSet = (bit: number) => (((bits[bit >> 3] ?? 0) << (bit & 7)) & 0x80) !== 0;
  const reasons = [...REASONS].filter(([bit]) => isSet(bit)).map(([, reason]) => reason);
  throw new TokenFault(`the authority refused (${[`status ${status}`, ...reasons].join(', ')})`);
}

/** Runs every check that a new token must pass before it is embedded; throws a SignatureFault. */
export function verifyNewToken(token: Uint8Array, expected: Expected): VerifiedToken {
  const { imprint, nonce, policyOid, anchors, now } = expected;
  const verified = verifyToken(token, imprint, anchors);
  checkReadableByAll(readSignedData(decode(token)));
  if (verified.nonce === null || !sameBytes(verified.nonce, nonce))
    throw new TokenFault('the nonce is not ours');
  if (policyOid && verified.policy !== policyOid) throw new TokenFault(`policy ${verified.policy}`);
  if (Math.abs(verified.time.getTime() - now.getTime()) > MAX_SKEW_MS) {
    throw new TokenFault(`the time ${verified.time.toISOString()} is too far from ours`);
  }
  if (!isValidAt(verified.signer, now)) throw new TokenFault("the authority's certificate is not valid now");
  return verified;
}

/**
 * The token with its authority's certificate and the issuers of that alone. Nothing signs the others, and the verifier judges no
 * token that has them.
 */
export function withoutStrays(token: Uint8Array, { signer, others }: VerifiedToken): Uint8Array {
  const known = distinct(others);
  const kept = [signer];
  // It grows while it is walked.
  for (const each of kept)
    kept.push(...known.filter((other) => !isAmong(kept, other) && isIssuedBy(each, other)));
  if (kept.length === others.length) return token;
  const [type, wrapped] = childrenOf(decode(token), TAGS.sequence);
  const fields = childrenOf(childrenOf(wrapped, contextTag(0))[0], TAGS.sequence).map(({ tag, raw }) =>
    tag === contextTag(0) ? retag(tag, setOf(...kept.map(({ der }) => der))) : raw,
  );
  return sequence(expectTag(type, TAGS.oid).raw, encode(contextTag(0), sequence(...fields)));
}

const isAmong = (certificates: readonly Certificate[], { der }: Certificate): boolean =>
  certificates.some((each) => sameBytes(each.der, der));

/** Applies to new tokens only: existing seals with such a token stay valid. */
function checkReadableByAll(data: SignedData): void {
  checkDigests(data, readSignerClaims(data));
  if (data.content) checkForm(data.content);
}

/**
 * Verifies a token over an imprint: signature, purpose and strength of the authority's certificate, its chain at the
 * time of the token. Throws a SignatureFault.
 */
export function verifyToken(
  token: Uint8Array,
  imprint: Uint8Array,
  anchors: readonly Certificate[],
): VerifiedToken & { nonce: Uint8Array | null } {
  const data = readSignedData(decode(token));
  const content = tstInfoIn(data);
  const info = readTstInfo(content);
  if (info.digest !== 'sha256') throw new TokenFault('the imprint is not SHA-256');
  if (!sameBytes(info.imprint, imprint)) throw new TokenFault('the imprint is not of our data');
  const signer = verifySigner(data, (digest) => createHash(digest).update(content).digest());
  checkAuthority(signer, info.time);
  const others = readCertificates(data);
  if (!leadsToAnchor({ certificates: [signer, ...others], anchors }, info.time)) {
    throw new TokenFault("the authority's certificate does not lead to a pinned root by strong signatures");
  }
  return { time: info.time, serial: info.serial, policy: info.policy, nonce: info.nonce, signer, others };
}

/** The authority's certificate, then all that the token holds. Verifies nothing. */
export function certificatesOfToken(token: DerNode): Certificate[] {
  const data = readSignedData(token);
  const others = readCertificates(data);
  return [signerAmong(others, data), ...others];
}

/** False without pinned certificates: `chainOf` would then accept any root. */
const leadsToAnchor = ({ certificates, anchors }: Known, time: Date): boolean =>
  anchors.length > 0 && chainOf({ certificates, anchors }, time).isWhole;
