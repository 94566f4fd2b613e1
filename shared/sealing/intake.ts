import { refuseActiveContent } from './active-content.ts';
import { buildIncrement, type Unsigned } from './append.ts';
import { type Attachment, AttachmentList } from './attachments.ts';
import { refuseIfBroken } from './earlier-signatures.ts';
import { refuseFalseLinearization } from './linearization.ts';
import { partsOfStore, refuseBrokenStore } from './long-term/dss.ts';
import { LIMITS } from './pdf/budget.ts';
import { writtenBytes } from './pdf/edit.ts';
import { damaged, PdfRefusal, type RefusalCode, tooComplex } from './pdf/refusal.ts';
import { searchFindsTheSame } from './pdf/searched.ts';
import { planSeal, type SealPlan } from './plan.ts';

export type PdfInspection =
  | { ok: true; pageCount: number; signed: boolean; attachments: Attachment[] }
  | {
      ok: false;
      code: RefusalCode;
      /** For the person who uploaded the file. */
      reason: string;
      /** For the log: what was found, and where. */
      detail: string;
    };

/**
 * Decides whether a PDF can be sealed later. It makes the same plan as sealing and a trial increment without the
 * signature page, so whatever passes can be sealed. Time and memory are bounded for any file (see pdf/budget.ts).
 */
export function inspectPdf(bytes: Uint8Array): PdfInspection {
  try {
    const plan = planSeal(bytes);
    const trial = buildIncrement(plan, { time: new Date(0), name: '' });
    refuseLeadingBytes(plan);
    refuseAmbiguities(plan);
    refuseUnclearNames(plan);
    refuseBrokenStore(plan);
    refuseIfHeavy(plan, trial);
    refuseIfFull(plan);
    for (const signature of plan.signatures) refuseIfBroken(plan.file, signature);
    const list = new AttachmentList(plan);
    refuseActiveContent(plan, (page) => list.addPage(page));
    refuseUnclearObjects(plan);
    refuseFalseLinearization(plan.file, () => plan.pageTree.pages);
    return {
      ok: true,
      pageCount: plan.pageTree.pages.length,
      signed: plan.signed,
      attachments: list.attachments,
    };
  } catch (error) {
    if (!(error instanceof PdfRefusal)) throw error;
    return { ok: false, code: error.code, reason: error.reason, detail: error.detail };
  }
}

/**
 * Sealing and each later revision rewrite some objects uncompressed. In a small file those may unpack to so many bytes that
 * nobody could verify the result.
 */
const MAX_WRITTEN_BYTES = 4 * 1024 * 1024;

function refuseIfHeavy(plan: SealPlan, trial: Unsigned): void {
  const { file } = plan;
  const { rootDict } = plan.pageTree;
  // The trial adds neither pages nor proofs.
  const others = [rootDict, file.resolve(rootDict.get('Kids')), ...partsOfStore(plan)];
  if (trial.length - file.bytes.length + writtenBytes(others) > MAX_WRITTEN_BYTES)
    throw tooComplex('sealing would add too much to it');
}

/** Programs disagree on whether offsets count from the first byte or from the header. */
function refuseLeadingBytes({ file }: SealPlan): void {
  if (file.headerAt === 0) return;
  throw new PdfRefusal(
    'pdf_damaged',
    `${file.headerAt} bytes before the header`,
    'The PDF is damaged: there are bytes before its header "%PDF-". Open it, save or print it as a new PDF, and upload that.',
  );
}

/** A seal locks fields by name. A field whose name programs read differently could still be filled in afterwards. */
function refuseUnclearNames({ form }: SealPlan): void {
  if (!form.hasUnclearName) return;
  throw new PdfRefusal(
    'pdf_damaged',
    'the name of a form field is no text',
    'The PDF is damaged: a form field has a name that is no valid text. Print it as a new PDF, and upload that.',
  );
}

/** Refuses a file in which programs find different objects, or rebuild the cross-reference by searching for objects. */
function refuseAmbiguities({ file, pageTree }: SealPlan): void {
  const { xref } = file;
  const [ambiguity] = xref.ambiguities;
  if (ambiguity !== undefined) throw damaged(ambiguity);
  if (pageTree.ambiguity !== null) throw damaged(pageTree.ambiguity);
  if (file.listsBeyondEnd) throw damaged('the cross-reference lists an object beyond the end of the file');
  if (!xref.hasClearStart) throw damaged('not all programs find the offset after startxref');
}

/**
 * Sealing numbers its objects from the first free number on, so a dangling reference to such a number would lead to one of
 * them: a page could show a part of the signature page. Runs last, because it knows only the objects read so far.
 */
function refuseUnclearObjects({ file }: SealPlan): void {
  file.refuseUnclearPacks();
  if (file.largestReference >= file.xref.nextNumber) throw damaged('it refers to objects that are not there');
  if (file.unclear !== null) throw damaged(file.unclear);
  if (!searchFindsTheSame(file)) throw damaged('it holds objects that the cross-reference does not list');
}

/** Kept free for the objects that sealing and renewals add: signature pages with fonts and structure, fields, proofs. */
const ROOM = 2_000;

function refuseIfFull({ file, pageTree, form }: SealPlan): void {
  const isFull =
    file.xref.entries.size > LIMITS.objects - ROOM ||
    file.xref.nextNumber > LIMITS.nextObjectNumber - ROOM ||
    pageTree.pages.length > LIMITS.pages - ROOM ||
    form.count > LIMITS.fields - ROOM;
  if (isFull) throw tooComplex('there is no room for what sealing adds');
}
