/**
 * A key that seals. Where it lives (a PKCS#12 file, a KMS) is the adapter's matter; the private part never leaves it.
 */
export interface SealKey {
  /** DER, the key's own certificate first, then those above it. */
  certificateChain: Uint8Array[];
  algorithm: 'rsa' | 'ecdsa-p256';
  /** Signs the DER of the signed attributes: RSASSA-PKCS1-v1_5 or ECDSA (DER), both over SHA-256. */
  sign(signedAttributes: Uint8Array): Promise<Uint8Array>;
}
