import { embeddedFile } from '../../shared/sealing/embedded-file.ts';
import { attempt } from '../../shared/sealing/faults.ts';
import { Budget } from '../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { latin1 } from '../../shared/sealing/pdf/text.ts';
import { documentReason, evidenceReason } from '../../shared/sealing/seal-reasons.ts';
import { inflate } from './inflate.ts';
import { locate } from './located.ts';
import { isPrinted } from './printed.ts';
import { type EvidenceRecord, isChainWhole, readRecord, signersOf } from './record.ts';
import {
  type EvidenceReport,
  type Finding,
  finding,
  isIntact,
  type Report,
  type SignatureReport,
  verdictOf,
  worstFirst,
} from './report.ts';
import { type VerifyOptions, verifyPdf } from './verify.ts';
import { sha256Hex } from './web-crypto.ts';

const RECORD = 'evidence.json';
/** Up to its level, a seal has three. Each is hashed together with all before it. */
const MAX_REVISIONS = 16;

export interface SealedDocument {
  bytes: Uint8Array;
  /** The report of `verifyPdf` for these bytes. */
  report: Report;
}

/**
 * Verifies an evidence file like any sealed PDF. Also checks that it is about this document and by the same signer, that its events
 * form one chain, and lists the signers.
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
  if (evidence.signatures.length === 0) return [];
  if (record === null) return [finding('evidence_missing')];
  if (!(await isAbout(record, document))) return [finding('evidence_of_other')];
  if (!(await isChainWhole(record))) return [finding('evidence_chain_broken')];
  const seal = document.report.signatures[placeOfSeal(record, document.report)];
  // Nobody knows whose seal an unread document has.
  if (seal === undefined) return [];
  // The seal of a document without earlier signatures certifies it, and adds a page that prints the anchor.
  if (seal.certifies && !isPrinted(document.bytes, record.anchor.hash))
    return [finding('evidence_anchor_differs')];
  const signer = lastSignature(evidence)?.signer?.fingerprint;
  const isSame = signer !== undefined && signer === seal.signer?.fingerprint;
  return [finding(isSame ? 'evidence_fits' : 'evidence_by_other')];
}

/**
 * True if the document begins with the recorded original, has the seal of the recorded request, and got nothing since but
 * signatures, timestamps and their proofs. One that cannot be read is compared by its hash alone.
 */
async function isAbout(record: EvidenceRecord, { bytes, report }: SealedDocument): Promise<boolean> {
  const { originalSha256, sealedSha256 } = record;
  const isSame = sealedSha256 === report.sha256;
  if (report.signatures.length === 0) return isSame;
  const place = placeOfSeal(record, report);
  const sealed = attempt(() => sealedRevision(bytes, place));
  if (sealed === undefined || !(await beginsWith(sealed.bytes, originalSha256, endsOfOriginal(sealed))))
    return false;
  const ends = () => endsOfRevisions(bytes, sealed.bytes.length);
  return isSame || (isIntact(report.findings, place) && beginsWith(bytes, sealedSha256, ends()));
}

/** The document, and its part up to the end of the seal. */
const READINGS = 2;

/** The document up to the end of its seal. */
function sealedRevision(bytes: Uint8Array, place: number): PdfFile | undefined {
  const budget = new Budget(inflate, READINGS);
  const end = locate(new PdfFile(bytes, budget))[place]?.contents?.end;
  return end === undefined ? undefined : new PdfFile(bytes.subarray(0, end), budget);
}

/** Sealing writes a line end before its first object if the original has none at its end. */
const endsOfOriginal = ({ xref: { revisionAt } }: PdfFile): number[] => [revisionAt, revisionAt - 1];

/** The ends of the revisions from the seal on. */
function endsOfRevisions(bytes: Uint8Array, from: number): number[] {
  const ends = [from];
  for (const mark of latin1(bytes.subarray(from)).matchAll(/%%EOF(?:\r\n|\r|\n)?/g)) {
    if (ends.length === MAX_REVISIONS) break;
    ends.push(from + mark.index + mark[0].length);
  }
  return ends;
}

/** True if the bytes up to one of these ends have the hash. */
async function beginsWith(bytes: Uint8Array, sha256: string, ends: readonly number[]): Promise<boolean> {
  for (const end of ends) if (sha256 === (await sha256Hex(bytes.subarray(0, end)))) return true;
  return false;
}

/** The index of the request's seal in the report, or -1: others may have signed before and after it. */
const placeOfSeal = ({ requestId }: EvidenceRecord, { signatures }: Report): number =>
  signatures.findIndex(({ kind, reason }) => kind === 'signature' && reason === documentReason(requestId));

const lastSignature = ({ signatures }: Report): SignatureReport | undefined =>
  signatures.findLast(({ kind }) => kind === 'signature');

/** Null unless sealed as evidence: anyone can have a document sealed to which they attached a record of their own. */
function recordOf(bytes: Uint8Array, report: Report): EvidenceRecord | null {
  const json = embeddedFile(bytes, RECORD, new Budget(inflate));
  const record = json === undefined ? null : readRecord(new TextDecoder().decode(json));
  return record && lastSignature(report)?.reason === evidenceReason(record.requestId) ? record : null;
}
