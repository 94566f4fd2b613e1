import { readExpected } from '../../client/verifier/certificates.ts';
import { verifyEvidence } from '../../client/verifier/evidence.ts';
import { verifyPdf } from '../../client/verifier/verify.ts';
import type { Answer, Outcome, Question } from './check.ts';

class Unreadable extends Error {}

/** Throws for folders, and for files that were changed after they were chosen. */
async function bytesOf(file: File) {
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    throw new Unreadable('The file cannot be read.', { cause });
  });
  return new Uint8Array(bytes);
}

async function answer({ document, evidence, trusted }: Question): Promise<Answer> {
  const expected = await readExpected(trusted);
  const options = { expected, now: new Date() };
  const bytes = await bytesOf(document);
  const report = await verifyPdf(bytes, options);
  return {
    document: report,
    evidence: evidence && (await verifyEvidence(await bytesOf(evidence), { bytes, report }, options)),
    trustIsUnread: trusted.trim() !== '' && expected.fingerprints.size === 0,
  };
}

addEventListener('message', async ({ data }: MessageEvent<Question>) => {
  const outcome: Outcome = await answer(data).catch((thrown: unknown) => {
    if (thrown instanceof Unreadable) return 'unreadable';
    throw thrown;
  });
  postMessage(outcome);
});

// A worker reports errors to the page, but not unhandled rejections.
addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
