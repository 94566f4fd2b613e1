/** The reason that a PDF cannot be sealed, worded for the person who uploaded it. */
export const REFUSAL_REASONS = {
  not_a_pdf: 'The file is not a PDF. Export the document as a PDF and upload that.',
  pdf_damaged:
    'The PDF is damaged: its structure cannot be read reliably. Open it, save or print it as a new PDF, and upload that.',
  pdf_encrypted:
    'The PDF is encrypted or protected by a password. Remove the protection and upload it again.',
  pdf_no_pages: 'The PDF has no pages. Export the document once more and upload that.',
  pdf_certified:
    'The PDF carries a signature that forbids every later change, so it cannot be signed here without breaking that signature. Upload one without it.',
  pdf_dynamic_form:
    'The PDF is a dynamic XFA form, whose pages exist only inside some programs. Print it as a plain PDF and upload that.',
  pdf_signature_broken:
    'The PDF carries a signature that does not match it: it was changed after that signature, or damaged. Upload the file as it was signed, or one without the signature.',
  pdf_active_content: 'The PDF contains active content. Print it as a plain PDF and upload that.',
  pdf_too_complex:
    'The PDF is too complex to be sealed safely. Open it, save or print it as a new PDF, and upload that.',
} as const;

export type RefusalCode = keyof typeof REFUSAL_REASONS;

/** Thrown when a PDF cannot be sealed. `detail` is for the log, `reason` for the uploader. */
export class PdfRefusal extends Error {
  override name = 'PdfRefusal';
  readonly code: RefusalCode;
  readonly detail: string;
  readonly reason: string;

  constructor(code: RefusalCode, detail: string, reason: string = REFUSAL_REASONS[code]) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.reason = reason;
  }
}

export const damaged = (detail: string): PdfRefusal => new PdfRefusal('pdf_damaged', detail);
export const tooComplex = (detail: string): PdfRefusal => new PdfRefusal('pdf_too_complex', detail);
