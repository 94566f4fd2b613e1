import { readExpected } from '../../client/verifier/certificates.ts';
import { verifyEvidence } from '../../client/verifier/evidence.ts';
import { MAX_BYTES, verifyPdf } from '../../client/verifier/verify.ts';
import type { Answer, FileFault, Outcome, Question } from './check.ts';

class Unread extends Error {
  readonly fault: FileFault;

  constructor(fault: FileFault, options?: ErrorOptions) {
    super('The file is not read.', options);
    this.fault = fault;
  }
}

/** Throws for folders, for files that were changed after they were chosen, and for those that may not fit into memory. */
async function bytesOf(file: File) {
  if (file.size > MAX_BYTES) throw new Unread('too_large');
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    throw new Unread('unreadable', { cause });
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
    if (thrown instanceof Unread) return thrown.fault;
    throw thrown;
  });
  postMessage(outcome);
});

// A worker reports errors to the page, but not unhandled rejections.
addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
