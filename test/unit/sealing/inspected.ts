import { inspectPdf } from '../../../shared/sealing/intake.ts';

/** The code with which intake refuses a PDF, or 'ok'. */
export function codeOf(bytes: Uint8Array): string {
  const result = inspectPdf(bytes);
  return result.ok ? 'ok' : result.code;
}

/** A PDF with one text in place of another that it has. */
export function replaced(pdf: Buffer, from: string, to: string): Buffer {
  expect(pdf.toString('latin1')).toContain(from);
  return Buffer.from(pdf.toString('latin1').replace(from, to), 'latin1');
}
