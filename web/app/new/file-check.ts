import { MOST_BYTES } from './draft.ts';

export type FileFault = 'not_a_pdf' | 'document_too_large' | 'file_unreadable';

/** Readers look for the mark of a PDF in this many bytes. */
const HEAD_BYTES = 1_024;

/**
 * A copy in memory: browsers refuse to read a file that was moved or changed since it was chosen. Or the fault that shows
 * before the file is sent; the service checks the rest.
 */
export async function copyOf(file: File): Promise<File | FileFault> {
  if (file.size > MOST_BYTES) return 'document_too_large';
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return 'file_unreadable';
  const head = new TextDecoder().decode(bytes.slice(0, HEAD_BYTES));
  return head.includes('%PDF-') ? new File([bytes], file.name, { type: file.type }) : 'not_a_pdf';
}
