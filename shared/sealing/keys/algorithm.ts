import type { KeyObject } from 'node:crypto';

/** RSASSA-PKCS1-v1_5, or ECDSA on a curve. */
export type SealAlgorithm = 'rsa' | 'ecdsa-p256' | 'ecdsa-p384';

/** The digest of the signature and of the bytes that it covers. It is as strong as the curve. */
export const SEAL_DIGESTS = { rsa: 'sha256', 'ecdsa-p256': 'sha256', 'ecdsa-p384': 'sha384' } as const;

/** Computes a digest of the bytes that a signature covers. */
export type DigestBy = (digest: (typeof SEAL_DIGESTS)[SealAlgorithm]) => Uint8Array;

export const CURVES = { 'ecdsa-p256': 'prime256v1', 'ecdsa-p384': 'secp384r1' } as const;

/** The algorithm of a key. The check of its certificate refuses a key that is too weak, or on another curve. */
export const algorithmOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SealAlgorithm => {
  if (asymmetricKeyType !== 'ec') return 'rsa';
  return asymmetricKeyDetails?.namedCurve === CURVES['ecdsa-p384'] ? 'ecdsa-p384' : 'ecdsa-p256';
};
