import { DerError } from '../../shared/sealing/der.ts';
import { PdfRefusal } from '../../shared/sealing/pdf/refusal.ts';
import { SignatureFault } from '../../shared/sealing/signed-data.ts';

/** Undefined for what cannot be read. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const isFault =
      error instanceof SignatureFault || error instanceof DerError || error instanceof PdfRefusal;
    if (!isFault) throw error;
    return undefined;
  }
}
