import { isValidAt } from '../../shared/sealing/certificate-fields.ts';
import { decode } from '../../shared/sealing/der.ts';
import { SignatureFault, Unsupported } from '../../shared/sealing/faults.ts';
import type { FieldSignature } from '../../shared/sealing/form.ts';
import { refuseFalseLinearization } from '../../shared/sealing/linearization.ts';
import { certificationOf, locksAnyOf } from '../../shared/sealing/locks.ts';
import { Budget, COST } from '../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { readPageTree } from '../../shared/sealing/pdf/pages.ts';
import { PdfRefusal, type RefusalCode } from '../../shared/sealing/pdf/refusal.ts';
import { readTextString } from '../../shared/sealing/pdf/text.ts';
import { type PdfDict, PdfString } from '../../shared/sealing/pdf/values.ts';
import { isTimestamp, type SignatureContents } from '../../shared/sealing/signature-contents.ts';
import { readSignedData, requireDetached, tokenOf } from '../../shared/sealing/signed-data.ts';
import { certificateReport, type Expected, isExpectedAuthority, isExpectedSigner } from './certificates.ts';
import { type Changes, compareRevisions, UNEXPLAINED } from './changes.ts';
import { Checks } from './checks.ts';
import { inflate } from './inflate.ts';
import { lastingOf, type SignedAndStamped, type Stamped } from './lasting.ts';
import { drawnBefore, isDetached, isLocked, type Located, locate, signatureAt } from './located.ts';
import { Prover } from './proofs.ts';
import {
  type Finding,
  type FindingCode,
  finding,
  isIntact,
  type Report,
  type SignatureReport,
  shownText,
  verdictOf,
  worstFirst,
} from './report.ts';
import { readSecurityStore } from './security-store.ts';
import { Altered, isForSignatures, proveSigner, proveStamp, type Stamp } from './signer.ts';
import { sha256Hex } from './web-crypto.ts';

export interface VerifyOptions {
  expected: Expected;
  now: Date;
}

/** Larger files are not verified. */
export const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SIGNATURES = 64;
/** A file and the revision before are read, and what each signature covers is hashed. */
const READINGS = 3;
/** Tolerates an authority's clock that is ahead of this one. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/**
 * Says who sealed a PDF, when, and whether anything was changed since. Offline; never throws for the file's bytes, and
 * takes bounded time and memory for any file.
 */
export async function verifyPdf(bytes: Uint8Array, options: VerifyOptions): Promise<Report> {
  const facts = { sha256: await sha256Hex(bytes), size: bytes.length };
  const { findings, signatures } = await judge(bytes, options);
  return { ...facts, verdict: verdictOf(findings), findings: worstFirst(findings), signatures };
}

type Judged = Pick<Report, 'findings' | 'signatures'>;

async function judge(bytes: Uint8Array, options: VerifyOptions): Promise<Judged> {
  if (bytes.length > MAX_BYTES) return { findings: [finding('too_large')], signatures: [] };
  try {
    return await new Judge(bytes, options).run();
  } catch (error) {
    if (error instanceof PdfRefusal)
      return { findings: [finding(REFUSALS[error.code] ?? 'damaged')], signatures: [] };
    throw error;
  }
}

const REFUSALS: Partial<Record<RefusalCode, FindingCode>> = {
  not_a_pdf: 'not_a_pdf',
  pdf_encrypted: 'encrypted',
  pdf_too_complex: 'too_complex',
};

class Judge {
  readonly #bytes: Uint8Array;
  readonly #options: VerifyOptions;
  /** Shared by all revisions, so that many of them cost no more than a few. */
  readonly #budget = new Budget(inflate, READINGS);
  /** Shared by all signatures, for the same reason. */
  readonly #checks = new Checks();
  readonly #findings: Finding[] = [];
  readonly #signed: SignedAndStamped[] = [];
  readonly #stamps: Stamped[] = [];

  constructor(bytes: Uint8Array, options: VerifyOptions) {
    this.#bytes = bytes;
    this.#options = options;
  }

  async run(): Promise<Judged> {
    const file = this.#read(this.#bytes.length);
    refuseFalseLinearization(file, () => readPageTree(file).pages);
    const located = locate(file);
    if (located.length > MAX_SIGNATURES) return { findings: [finding('too_complex')], signatures: [] };
    const signatures: SignatureReport[] = [];
    for (const [index, { field, contents }] of located.entries()) {
      signatures.push(await this.#judgeSignature(file, field, contents, index));
    }
    if (!signatures.some(({ kind }) => kind === 'signature')) this.#find('not_signed', null);
    else {
      this.#judgeChanges(file, located);
      await this.#judgeTime(file, signatures);
    }
    return { findings: this.#findings, signatures };
  }

  #read = (end: number): PdfFile => new PdfFile(this.#bytes.subarray(0, end), this.#budget);

  #find(code: FindingCode, signature: number | null): void {
    this.#findings.push(finding(code, signature));
  }

  async #judgeSignature(
    file: PdfFile,
    { value }: FieldSignature,
    contents: SignatureContents | null,
    index: number,
  ): Promise<SignatureReport> {
    const isStamp = isTimestamp(value);
    const report: SignatureReport = {
      kind: isStamp ? 'timestamp' : 'signature',
      signer: null,
      timestamp: null,
      coversWholeFile: contents?.end === file.bytes.length,
      certifies: certificationOf(file, value) !== null,
      reason: reasonOf(value),
      lasting: null,
    };
    try {
      if (contents === null) throw new SignatureFault('its place or encoding is wrong');
      if (isStamp) await this.#judgeDocumentStamp(contents, index, report);
      else await this.#judgeSeal(value, contents, index, report);
    } catch (error) {
      this.#find(codeOf(error, 'signature_wrong'), index);
    }
    return report;
  }

  #covered({ from, to, end }: SignatureContents): Uint8Array[] {
    this.#budget.spend(COST.hashedByte, end);
    return [this.#bytes.subarray(0, from), this.#bytes.subarray(to, end)];
  }

  async #judgeDocumentStamp(
    contents: SignatureContents,
    index: number,
    report: SignatureReport,
  ): Promise<void> {
    const stamp = await proveStamp(readSignedData(contents.cms), this.#covered(contents), this.#checks);
    await this.#judgeStamp(stamp, index, report);
    this.#stamps.push({ index, stamp, end: contents.end });
  }

  async #judgeSeal(
    value: FieldSignature['value'],
    contents: SignatureContents,
    index: number,
    report: SignatureReport,
  ): Promise<void> {
    if (!isDetached(value)) await this.#refuseOtherKind(contents);
    const data = readSignedData(contents.cms);
    requireDetached(data);
    const signer = await proveSigner(data, this.#covered(contents), this.#checks);
    const { certificate } = signer;
    if (!isForSignatures(certificate)) this.#find('certificate_unsuitable', index);

    const stamp = await this.#judgeTimestamp(data, index, report);
    if (stamp) this.#signed.push({ index, signer, stamp, end: contents.end });
    if (stamp && !isValidAt(certificate, stamp.time)) this.#find('certificate_not_valid', index);
    const isKnownSigner = await isExpectedSigner(certificate, this.#options.expected);
    if (!isKnownSigner) this.#find('unknown_signer', index);
    report.signer = await certificateReport(certificate, isKnownSigner);
  }

  /** Other kinds are not judged. But a detached signature inside, over other bytes, shows that the file was altered. */
  async #refuseOtherKind(contents: SignatureContents): Promise<never> {
    try {
      const data = readSignedData(contents.cms);
      if (data.content === null) await proveSigner(data, this.#covered(contents), this.#checks);
    } catch (error) {
      if (error instanceof Altered || !(error instanceof SignatureFault)) throw error;
    }
    throw new Unsupported('another kind of signature');
  }

  /** The verified timestamp of a signature, or null. */
  async #judgeTimestamp(
    data: ReturnType<typeof readSignedData>,
    index: number,
    report: SignatureReport,
  ): Promise<Stamp | null> {
    try {
      const token = tokenOf(data);
      if (token === null) {
        this.#find('no_timestamp', index);
        return null;
      }
      const stamp = await proveStamp(readSignedData(decode(token)), [data.signer.signature], this.#checks);
      await this.#judgeStamp(stamp, index, report);
      return stamp;
    } catch (error) {
      this.#find(codeOf(error, 'timestamp_wrong'), index);
      return null;
    }
  }

  async #judgeStamp(
    { certificate, others, time }: Stamp,
    index: number,
    report: SignatureReport,
  ): Promise<void> {
    const { expected, now } = this.#options;
    const isKnown = await isExpectedAuthority(certificate, others, expected, time, this.#checks);
    if (!isKnown) this.#find('unknown_authority', index);
    if (time.getTime() > now.getTime() + CLOCK_TOLERANCE_MS) this.#find('time_ahead', index);
    const authority = await certificateReport(certificate, isKnown);
    report.timestamp = { time: time.toISOString(), authority };
  }

  /** Finds the level of each signature, and expired timestamps that no newer one renews. */
  async #judgeTime(file: PdfFile, signatures: readonly SignatureReport[]): Promise<void> {
    const { now, expected } = this.#options;
    const prover = new Prover(readSecurityStore(file), expected, this.#checks);
    const isRight = ({ index }: Stamped) => isIntact(this.#findings, index);
    const stamps = this.#stamps.filter(isRight);
    const renewed = new Set<number>();
    for (const signed of this.#signed.filter(isRight)) {
      const proved = await lastingOf(signed, stamps, prover, { now, size: file.bytes.length });
      if (prover.revoked.has(signed.signer.certificate)) {
        this.#find('certificate_not_valid', signed.index);
        continue;
      }
      const report = signatures[signed.index];
      if (report) report.lasting = { level: proved.level, until: proved.until };
      const isTrusted = proved.renewals.every((index) => signatures[index]?.timestamp?.authority.expected);
      if (isTrusted && now <= new Date(proved.until))
        for (const index of [signed.index, ...proved.renewals]) renewed.add(index);
    }
    for (const { index, stamp } of [...this.#signed, ...this.#stamps]) {
      if (now > stamp.certificate.notAfter && !renewed.has(index)) this.#find('authority_expired', index);
    }
  }

  /** Finds the changes to the file after each signature. */
  #judgeChanges(file: PdfFile, located: readonly Located[]): void {
    const ends = [...new Set([...located.flatMap(({ contents }) => contents?.end ?? []), file.bytes.length])];
    const revisions = ends.map((end) => (end === file.bytes.length ? file : this.#revision(end)));
    const lastSigned = located.findLast(({ field, contents }) => contents && !isTimestamp(field.value));
    const answered = ends.indexOf(lastSigned?.contents?.end ?? 0);
    const steps = revisions.slice(1).map((after, index) => changesBetween(revisions[index], after));
    for (const [index, { field, contents }] of located.entries()) {
      if (contents === null) continue;
      const at = ends.indexOf(contents.end);
      const revision = revisions[at];
      const signed = revision && signatureAt(revision, contents.from);
      if (revision && !signed) this.#find('signature_wrong', index);
      const later = steps.slice(at);
      const unanswered = steps.slice(Math.max(at, answered));
      const lookedAt = revision && signed ? { file: revision, field: signed } : { file, field };
      if (later.length === 0) this.#find('covers_all', index);
      else this.#find(afterwards(lookedAt, later, unanswered), index);
    }
  }

  /** Null if the signed bytes are not a PDF by themselves. */
  #revision(end: number): PdfFile | null {
    try {
      return this.#read(end);
    } catch (error) {
      if (error instanceof PdfRefusal && error.code !== 'pdf_too_complex') return null;
      throw error;
    }
  }
}

/**
 * Says what became of a signature. Its permissions are those that it was made with: a later revision may replace them.
 * `unanswered`: the later changes that no signature covers. A timestamp over them is nobody's consent.
 */
function afterwards(
  { file, field }: { file: PdfFile; field: FieldSignature },
  later: readonly Changes[],
  unanswered: readonly Changes[],
): FindingCode {
  const certified = certificationOf(file, field.value);
  if (later.some(({ others }) => others)) {
    const isForbidden = certified !== null && certified < 3;
    return isForbidden || unanswered.some(({ others }) => others) ? 'changed_after' : 'changed_between';
  }
  const isSigned = later.some(({ signatures }) => signatures);
  if (isSigned && isLocked(file, field)) return 'changed_after';
  if (locksAnyOf(file, field.value, drawnBefore(file, field))) return 'locked_before';
  return later.some(({ metadata }) => metadata) ? 'metadata_changed' : 'signed_further';
}

/** More than is shown, in any encoding. Many fields may name one signature with a long reason. */
const REASON_BYTES = 8 * 1024;

function reasonOf(signature: PdfDict): string | null {
  const reason = signature.get('Reason');
  return reason instanceof PdfString ? shownText(readTextString(reason.raw.subarray(0, REASON_BYTES))) : null;
}

const changesBetween = (before: PdfFile | null | undefined, after: PdfFile | null): Changes =>
  before && after ? compareRevisions(before, after) : UNEXPLAINED;

/** Maps an error to a finding. `fallback` is for parts that do not match. */
function codeOf(error: unknown, fallback: FindingCode): FindingCode {
  if (error instanceof Unsupported) return 'cannot_check';
  if (error instanceof Altered && fallback === 'signature_wrong') return 'altered';
  if (error instanceof SignatureFault) return fallback;
  throw error;
}
