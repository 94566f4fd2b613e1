import { readExpected } from '../../client/verifier/certificates.ts';
import { verifyEvidence } from '../../client/verifier/evidence.ts';
import { verifyPdf } from '../../client/verifier/verify.ts';
import type { Answer, Question } from './check.ts';

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());

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
  postMessage(await answer(data));
});

// The page hears only of errors, not of promises that nobody handles.
addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
