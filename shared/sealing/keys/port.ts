import type { SealAlgorithm } from './algorithm.ts';

/**
 * A sealing key. The adapter (PKCS#12 file or KMS) never gives out the private part.
 */
export interface SealKey {
  /** DER; the key's own certificate first, then its issuers. */
  certificateChain: Uint8Array[];
  algorithm: SealAlgorithm;
  /** Signs the DER of the signed attributes over the algorithm's digest. An ECDSA signature is in DER. */
  sign(signedAttributes: Uint8Array): Promise<Uint8Array>;
}
