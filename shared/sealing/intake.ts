import { buildIncrement } from './append.ts';
import { PdfRefusal, type RefusalCode } from './pdf/refusal.ts';
import { planSeal } from './plan.ts';

export type PdfInspection =
  | { ok: true; pageCount: number; signed: boolean }
  | {
      ok: false;
      code: RefusalCode;
      /** A sentence for the person who uploaded the file. */
      reason: string;
      /** What was found and where, for the log. */
      detail: string;
    };

/**
 * Decides whether a PDF can be sealed later. It makes the plan that sealing will use and, for a trial, the increment
 * without its pages, so that nothing which sealing trips over is accepted. Time and memory are bounded whatever the
 * file (see pdf/budget.ts).
 */
export function inspectPdf(bytes: Uint8Array): PdfInspection {
  try {
    const plan = planSeal(bytes);
    buildIncrement(plan, { time: new Date(0) });
    return { ok: true, pageCount: plan.pageTree.pages.length, signed: plan.signed };
  } catch (error) {
    if (!(error instanceof PdfRefusal)) throw error;
    return { ok: false, code: error.code, reason: error.reason, detail: error.detail };
  }
}
