/**
 * A sealing key. The adapter (PKCS#12 file or KMS) never gives out the private part.
 */
export interface SealKey {
  /** DER; the key's own certificate first, then its issuers. */
  certificateChain: Uint8Array[];
  algorithm: 'rsa' | 'ecdsa-p256';
  /** Signs the DER of the signed attributes: RSASSA-PKCS1-v1_5 or ECDSA (DER), both over SHA-256. */
  sign(signedAttributes: Uint8Array): Promise<Uint8Array>;
}
