import { signedPart } from '../sealing/seal-own.ts';
import { type Trust, verifyFoundSeal } from './found-seal.ts';
import { readEvidence } from './read-evidence.ts';

/** Names the request, so that its evidence is no other request's. */
export const evidenceReason = (requestId: string) => `Evidence of request ${requestId}`;

/** The hash and the record of an evidence file that carries our seal for this request; throws a SealError for any other. */
export function verifyEvidenceFile(
  bytes: Uint8Array,
  requestId: string,
  trust: Trust,
): { sha256: string; record: unknown } {
  const expected = { original: signedPart(bytes), reason: evidenceReason(requestId) };
  const { sha256 } = verifyFoundSeal(bytes, expected, trust);
  return { sha256, record: readEvidence(bytes) };
}
