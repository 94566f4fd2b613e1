import { VERIFY } from '../../shared/texts/en/page.ts';
import { type EvidenceReport, judgementOf, type Report } from '../verifier/index.ts';

/** The verdict and each finding with the sentence that a person reads on the verify page. */
export function inWords(document: Report, evidence: EvidenceReport | null) {
  const judgement = judgementOf({ document, evidence });
  return {
    judgement,
    ...VERIFY.verdicts[judgement],
    document: withSentences(document),
    evidence: evidence && withSentences(evidence),
  };
}

const withSentences = <R extends Report>(report: R) => ({
  ...report,
  findings: report.findings.map((finding) => ({ ...finding, text: VERIFY.findings[finding.code] })),
});
