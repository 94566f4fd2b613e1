import { DerError } from '../der.ts';
import { SignatureFault } from '../faults.ts';

/** Of a certificate, an OCSP answer or a list. Lists of authorities with millions of certificates are larger; those have OCSP. */
export const MAX_ANSWER_BYTES = 128 * 1024;

/** Gets the body at an address, or posts one; limits time, size and where it may go. */
export type Retrieve = (url: string, post?: Post) => Promise<Uint8Array>;

export interface Post {
  contentType: string;
  body: Uint8Array;
}

/** Thrown by a Retrieve: the message is for logs and never quotes what was sent. */
export class RetrievalFault extends SignatureFault {
  override name = 'RetrievalFault';
}

/** The fault of an answer, for logs and alarms; rethrows any other error. */
export function faultOf(error: unknown): string {
  if (error instanceof DerError) return `the answer cannot be read (${error.message})`;
  if (error instanceof SignatureFault) return error.message;
  throw error;
}
