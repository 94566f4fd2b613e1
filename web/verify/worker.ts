import { readExpected } from '../../client/verifier/certificates.ts';
import { verifyEvidence } from '../../client/verifier/evidence.ts';
import { MAX_BYTES, verifyPdf } from '../../client/verifier/verify.ts';
import type { FileFault, Outcome, Question } from './check.ts';

/** Reads no folder, no file that was changed after it was chosen, and none that may not fit into memory. */
async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer> | FileFault> {
  if (file.size > MAX_BYTES) return 'too_large';
  return file.arrayBuffer().then(
    (bytes) => new Uint8Array(bytes),
    () => 'unreadable',
  );
}

async function answer({ document, evidence, trusted }: Question): Promise<Outcome> {
  const bytes = await bytesOf(document);
  if (typeof bytes === 'string') return bytes;
  const evidenceBytes = evidence && (await bytesOf(evidence));
  if (typeof evidenceBytes === 'string') return evidenceBytes;
  const expected = await readExpected(trusted);
  const options = { expected, now: new Date() };
  const report = await verifyPdf(bytes, options);
  return {
    document: report,
    evidence: evidenceBytes && (await verifyEvidence(evidenceBytes, { bytes, report }, options)),
    trustIsUnread: trusted.trim() !== '' && expected.fingerprints.size === 0,
  };
}

addEventListener('message', async ({ data }: MessageEvent<Question>) => postMessage(await answer(data)));

// A worker reports errors to the page, but not unhandled rejections.
addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
