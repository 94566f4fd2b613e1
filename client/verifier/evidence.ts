import { embeddedFile } from '../../shared/sealing/embedded-file.ts';
import { Budget } from '../../shared/sealing/pdf/budget.ts';
import { inflate } from './inflate.ts';
import { type Finding, finding, type Report, verdictOf, worstFirst } from './report.ts';
import { type VerifyOptions, verifyPdf } from './verify.ts';

const RECORD = 'evidence.json';

/**
 * Verifies an evidence file like any sealed PDF, and says whether it is about the sealed document of this report and by the
 * same signer.
 */
export async function verifyEvidence(
  bytes: Uint8Array,
  document: Report,
  options: VerifyOptions,
): Promise<Report> {
  const report = await verifyPdf(bytes, options);
  const findings = [...report.findings, ...compare(bytes, report, document)];
  return { ...report, findings: worstFirst(findings), verdict: verdictOf(findings) };
}

function compare(bytes: Uint8Array, evidence: Report, document: Report): Finding[] {
  if (evidence.signatures.length === 0) return [];
  const sealed = sealedSha256(bytes);
  if (sealed === null) return [finding('evidence_missing')];
  if (sealed !== document.sha256) return [finding('evidence_of_other')];
  const isSame = signerOf(evidence) !== undefined && signerOf(evidence) === signerOf(document);
  return [finding(isSame ? 'evidence_fits' : 'evidence_by_other')];
}

const signerOf = ({ signatures }: Report): string | undefined =>
  signatures.findLast(({ kind }) => kind === 'signature')?.signer?.fingerprint;

/** The hash of the sealed document, as the record attached to the evidence names it; null if there is none. */
function sealedSha256(bytes: Uint8Array): string | null {
  const json = embeddedFile(bytes, RECORD, new Budget(inflate));
  const record = json && parsed(new TextDecoder().decode(json));
  if (typeof record !== 'object' || record === null || !('sealedSha256' in record)) return null;
  return typeof record.sealedSha256 === 'string' ? record.sealedSha256 : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
