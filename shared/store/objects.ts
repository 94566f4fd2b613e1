/** Object keys in the buckets. All objects of a request share a prefix. */
export const requestObjects = (requestId: string) => `requests/${requestId}/`;
/** The request that a key belongs to. */
export const requestIdOf = (key: string) => key.split('/')[1] ?? '';
export const originalKey = (requestId: string) => `requests/${requestId}/original.pdf`;
export const sealedKey = (requestId: string) => `requests/${requestId}/sealed.pdf`;
export const evidenceKey = (requestId: string) => `requests/${requestId}/evidence.pdf`;
/** Named by content, so that concurrent signatures do not overwrite each other's drawing. */
export const drawnSignatureKey = (requestId: string, signerId: string, sha256: string) =>
  `requests/${requestId}/signatures/${signerId}-${sha256.slice(0, 16)}.png`;
export const uploadObjectKey = (uploadId: string) => `uploads/${uploadId}.pdf`;
