import { PdfRefusal } from './pdf/refusal.ts';

/** Thrown when a signature, certificate, proof or timestamp is not as required. */
export class SignatureFault extends Error {
  override name = 'SignatureFault';
}

/** Thrown for weak or unknown algorithms, with which nothing can be proved or disproved. */
export class Unsupported extends SignatureFault {
  override name = 'Unsupported';
}

/** Undefined for what cannot be read. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SignatureFault || error instanceof PdfRefusal) return undefined;
    throw error;
  }
}
