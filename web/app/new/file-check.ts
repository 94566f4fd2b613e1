import { LIMITS } from '../../../shared/contract/limits.ts';

export type FileFault = 'not_a_pdf' | 'document_too_large' | 'file_unreadable';

/** PDF readers search this many bytes for the header. */
const HEAD_BYTES = 1_024;

/** A copy in memory, because browsers cannot read a file that was changed since it was chosen; or an obvious fault of the file. */
export async function copyOf(file: File): Promise<File | FileFault> {
  if (file.size > LIMITS.documentBytes) return 'document_too_large';
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return 'file_unreadable';
  const head = new TextDecoder().decode(bytes.slice(0, HEAD_BYTES));
  return head.includes('%PDF-') ? new File([bytes], file.name, { type: file.type }) : 'not_a_pdf';
}
