import { sha256Hex } from '../runtime/hash.ts';
import { embeddedFile } from '../sealing/embedded-file.ts';
import { inflate } from '../sealing/inflate.ts';
import { Budget } from '../sealing/pdf/budget.ts';
import { signedPart } from '../sealing/seal-own.ts';
import { evidenceReason } from '../sealing/seal-reasons.ts';
import { type Trust, verifyFoundSeal } from './found-seal.ts';

/** The file attached to every evidence file. */
export const EVIDENCE_JSON = 'evidence.json';

/**
 * The record attached to an evidence file, as parsed JSON; undefined if there is none that can be read. It proves
 * nothing by itself: `verifyFoundSeal` checks the seal, `verifyEvidenceRecord` the record.
 */
export function readEvidence(bytes: Uint8Array): unknown {
  const json = embeddedFile(bytes, EVIDENCE_JSON, new Budget(inflate));
  if (json === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(json).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

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

const END_OF_REVISION = Buffer.from('%%EOF\n');

/** The evidence file as sealed, which a renewed copy begins with. Returns the copy itself if no prefix has the recorded hash. */
export function asSealed(copy: Uint8Array, recordedHash: string | null): Uint8Array {
  const bytes = Buffer.from(copy.buffer, copy.byteOffset, copy.length);
  let end = 0;
  for (;;) {
    const at = bytes.indexOf(END_OF_REVISION, end);
    if (at < 0) return copy;
    end = at + END_OF_REVISION.length;
    const revision = bytes.subarray(0, end);
    if (sha256Hex(revision) === recordedHash) return revision;
  }
}
