import { embeddedFile } from '../../shared/sealing/embedded-file.ts';
import { Budget } from '../../shared/sealing/pdf/budget.ts';
import { inflate } from './inflate.ts';
import { isPrinted } from './printed.ts';
import { type EvidenceRecord, isChainWhole, readRecord, signersOf } from './record.ts';
import { type EvidenceReport, type Finding, finding, type Report, verdictOf, worstFirst } from './report.ts';
import { type VerifyOptions, verifyPdf } from './verify.ts';

const RECORD = 'evidence.json';

export interface SealedDocument {
  bytes: Uint8Array;
  /** The report of `verifyPdf` for these bytes. */
  report: Report;
}

/**
 * Verifies an evidence file like any sealed PDF. Says whether it is about this sealed document and by the same signer,
 * whether its events are whole, and who signed by them.
 */
export async function verifyEvidence(
  bytes: Uint8Array,
  document: SealedDocument,
  options: VerifyOptions,
): Promise<EvidenceReport> {
  const report = await verifyPdf(bytes, options);
  const record = report.signatures.length === 0 ? null : recordOf(bytes);
  const findings = [...report.findings, ...(await compare(record, report, document))];
  return {
    ...report,
    findings: worstFirst(findings),
    verdict: verdictOf(findings),
    signers: record === null ? [] : signersOf(record),
  };
}

async function compare(
  record: EvidenceRecord | null,
  evidence: Report,
  { bytes, report }: SealedDocument,
): Promise<Finding[]> {
  if (evidence.signatures.length === 0) return [];
  if (record === null) return [finding('evidence_missing')];
  if (record.sealedSha256 !== report.sha256) return [finding('evidence_of_other')];
  if (!(await isChainWhole(record))) return [finding('evidence_chain_broken')];
  if (hasSignersPage(report) && !isPrinted(bytes, record.anchor.hash))
    return [finding('evidence_anchor_differs')];
  const isSame = signerOf(evidence) !== undefined && signerOf(evidence) === signerOf(report);
  return [finding(isSame ? 'evidence_fits' : 'evidence_by_other')];
}

/** A document that carried no signature before is certified by the seal, and has got a page that prints the anchor. */
const hasSignersPage = (report: Report): boolean => {
  const [first] = report.signatures;
  return first?.certifies === true && first.signer?.fingerprint === signerOf(report);
};

const signerOf = ({ signatures }: Report): string | undefined =>
  signatures.findLast(({ kind }) => kind === 'signature')?.signer?.fingerprint;

function recordOf(bytes: Uint8Array): EvidenceRecord | null {
  const json = embeddedFile(bytes, RECORD, new Budget(inflate));
  return json === undefined ? null : readRecord(new TextDecoder().decode(json));
}
