import { embeddedFile } from '../sealing/embedded-file.ts';
import { inflate } from '../sealing/inflate.ts';
import { Budget } from '../sealing/pdf/budget.ts';

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
