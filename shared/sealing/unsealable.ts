import { SealError } from './errors.ts';
import { PdfRefusal } from './pdf/refusal.ts';

/** A PDF that cannot be changed as sealing has to is a permanent fault of that PDF: a SealError. */
export function orUnsealable<T>(change: () => T): T {
  try {
    return change();
  } catch (cause) {
    if (!(cause instanceof PdfRefusal)) throw cause;
    throw new SealError('original_unsealable', true, cause.message, { cause });
  }
}
