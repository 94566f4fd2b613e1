import { readExpected } from '../../client/verifier/certificates.ts';
import { verifyEvidence } from '../../client/verifier/evidence.ts';
import { verifyPdf } from '../../client/verifier/verify.ts';
import type { Answer, Question } from './check.ts';

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());

async function answer({ document, evidence, trusted }: Question): Promise<Answer> {
  const options = { expected: await readExpected(trusted), now: new Date() };
  const bytes = await bytesOf(document);
  const report = await verifyPdf(bytes, options);
  return {
    document: report,
    evidence: evidence && (await verifyEvidence(await bytesOf(evidence), { bytes, report }, options)),
  };
}

addEventListener('message', async ({ data }: MessageEvent<Question>) => {
  const { document, evidence } = await answer(data);
  postMessage({ document, evidence });
});

// The page hears only of errors, not of promises that nobody handles.
addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
