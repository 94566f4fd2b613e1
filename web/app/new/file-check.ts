import { MOST_BYTES } from './draft.ts';

export type FileFault = 'not_a_pdf' | 'document_too_large';

/** Readers look for the mark of a PDF in this many bytes. */
const HEAD_BYTES = 1_024;

/** The faults that show before the file is read; the service checks the rest. */
export async function checkFile(file: File): Promise<FileFault | null> {
  if (file.size > MOST_BYTES) return 'document_too_large';
  const head = await file.slice(0, HEAD_BYTES).text();
  return head.includes('%PDF-') ? null : 'not_a_pdf';
}
