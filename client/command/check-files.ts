import { VERIFY } from '../../shared/texts/en/service.ts';
import {
  type Expected,
  judgementOf,
  type Report,
  readExpected,
  verifyEvidence,
  verifyPdf,
} from '../verifier/index.ts';
import { type Reports, toldAs } from '../verifier/report.ts';
import { Problem } from './problem.ts';

interface Paths {
  file: string;
  evidence?: string | undefined;
  /** Certificates that the person trusts. */
  trust?: string | undefined;
}

type Read = (path: string) => Promise<Uint8Array>;

/** Verifies a sealed PDF and, if it is named, its evidence file. */
export async function checkFiles({ file, evidence, trust }: Paths, read: Read): Promise<Reports> {
  const options = { expected: await expectedIn(trust, read), now: new Date() };
  const bytes = await read(file);
  const document = await verifyPdf(bytes, options);
  if (evidence === undefined) return { document, evidence: null };
  return {
    document,
    evidence: await verifyEvidence(await read(evidence), { bytes, report: document }, options),
  };
}

/** The verdict and each finding with the sentence of the verify page. */
export const inWords = (reports: Reports) => ({
  judgement: judgementOf(reports),
  ...VERIFY.verdicts[toldAs(reports)],
  document: withSentences(reports.document),
  evidence: reports.evidence && withSentences(reports.evidence),
});

const withSentences = <R extends Report>(report: R) => ({
  ...report,
  findings: report.findings.map((finding) => ({ ...finding, text: VERIFY.findings[finding.code] })),
});

async function expectedIn(file: string | undefined, read: Read): Promise<Expected> {
  if (file === undefined) return readExpected('');
  const expected = await readExpected(new TextDecoder().decode(await read(file)));
  if (expected.fingerprints.size > 0) return expected;
  throw new Problem(`${file} has neither a SHA-256 fingerprint nor a certificate as PEM.`);
}
