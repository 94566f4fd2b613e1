import { embeddedFile } from '../../shared/sealing/embedded-file.ts';
import { Budget } from '../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { latin1 } from '../../shared/sealing/pdf/text.ts';
import { inflate } from './inflate.ts';
import { isTimestamp, locate } from './located.ts';
import { isPrinted } from './printed.ts';
import { type EvidenceRecord, isChainWhole, readRecord, signersOf } from './record.ts';
import {
  type EvidenceReport,
  type Finding,
  finding,
  type Report,
  type SignatureReport,
  verdictOf,
  worstFirst,
} from './report.ts';
import { type VerifyOptions, verifyPdf } from './verify.ts';
import { sha256Hex } from './web-crypto.ts';

const RECORD = 'evidence.json';
/** An archive adds two revisions every few years. Each is hashed together with all before it. */
const MAX_REVISIONS = 16;

export interface SealedDocument {
  bytes: Uint8Array;
  /** The report of `verifyPdf` for these bytes. */
  report: Report;
}

/**
 * Verifies an evidence file like any sealed PDF. Also checks that it is about this document and by the same signer, that its events
 * are complete, and lists the signers.
 */
export async function verifyEvidence(
  bytes: Uint8Array,
  document: SealedDocument,
  options: VerifyOptions,
): Promise<EvidenceReport> {
  const report = await verifyPdf(bytes, options);
  const record = report.signatures.length === 0 ? null : recordOf(bytes, report);
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
  document: SealedDocument,
): Promise<Finding[]> {
  const { bytes, report } = document;
  if (evidence.signatures.length === 0) return [];
  if (record === null) return [finding('evidence_missing')];
  if (!(await isAbout(record, document))) return [finding('evidence_of_other')];
  if (!(await isChainWhole(record))) return [finding('evidence_chain_broken')];
  if (hasSignersPage(report) && !isPrinted(bytes, record.anchor.hash))
    return [finding('evidence_anchor_differs')];
  const isSame = signerOf(evidence) !== undefined && signerOf(evidence) === signerOf(report);
  return [finding(isSame ? 'evidence_fits' : 'evidence_by_other')];
}

/** True if the document is the sealed one, or adds only timestamps and their proofs to it. */
async function isAbout(
  { sealedSha256 }: EvidenceRecord,
  { bytes, report }: SealedDocument,
): Promise<boolean> {
  if (sealedSha256 === report.sha256) return true;
  const last = report.signatures.findLastIndex(({ kind }) => kind === 'signature');
  if (last < 0 || report.findings.some(({ signature, level }) => signature === last && level === 'red'))
    return false;
  for (const end of endsOfSigned(bytes))
    if (sealedSha256 === (await sha256Hex(bytes.subarray(0, end)))) return true;
  return false;
}

/** The ends of the revisions since the last signature. Only timestamps and their proofs may follow it. */
function endsOfSigned(bytes: Uint8Array): number[] {
  const last = locate(new PdfFile(bytes, new Budget(inflate))).findLast(
    ({ field }) => !isTimestamp(field.value),
  );
  const from = last?.contents?.end ?? bytes.length;
  const ends = [from];
  for (const mark of latin1(bytes.subarray(from)).matchAll(/%%EOF(?:\r\n|\r|\n)?/g)) {
    if (ends.length === MAX_REVISIONS) break;
    ends.push(from + mark.index + mark[0].length);
  }
  return ends;
}

/** True if the document had no signatures before: then the seal certifies it and adds a page that prints the anchor. */
const hasSignersPage = ({ signatures }: Report): boolean => {
  const [only, ...more] = signatures.filter(({ kind }) => kind === 'signature');
  return only?.certifies === true && more.length === 0;
};

const sealOf = ({ signatures }: Report): SignatureReport | undefined =>
  signatures.findLast(({ kind }) => kind === 'signature');

const signerOf = (report: Report): string | undefined => sealOf(report)?.signer?.fingerprint;

/** Null unless sealed as evidence: anyone can have a document sealed to which they attached a record of their own. */
function recordOf(bytes: Uint8Array, report: Report): EvidenceRecord | null {
  const json = embeddedFile(bytes, RECORD, new Budget(inflate));
  const record = json === undefined ? null : readRecord(new TextDecoder().decode(json));
  return record && sealOf(report)?.reason === reasonOf(record) ? record : null;
}

/** Sealing states it. */
const reasonOf = ({ requestId }: EvidenceRecord): string => `Evidence of request ${requestId}`;
