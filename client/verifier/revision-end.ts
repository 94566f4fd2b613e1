import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { latin1 } from '../../shared/sealing/pdf/text.ts';

const MAX_END = 1_024;
const END = /%%EOF(\r\n|\r|\n)?$/;
/** Comments may stand before it. */
const END_OF_TABLE = /^(?:\s|%[^\r\n]*[\r\n])*startxref\s+\d+\s+%%EOF(\r\n|\r|\n)?$/;

/** True if nothing follows a file's own end but a line end, and no second trailer its newest one. */
export function endsWithItsMark({ bytes, xref }: PdfFile): boolean {
  const isTable = xref.style === 'table';
  const from = Math.max(bytes.length - MAX_END, isTable ? xref.trailer.to : 0);
  return (isTable ? END_OF_TABLE : END).test(latin1(bytes.subarray(from)));
}
