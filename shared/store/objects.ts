/** Where things lie in the buckets. */
/** All of a request's objects begin with this. */
export const requestObjects = (requestId: string) => `requests/${requestId}/`;
export const originalKey = (requestId: string) => `requests/${requestId}/original.pdf`;
export const sealedKey = (requestId: string) => `requests/${requestId}/sealed.pdf`;
/** Named by its content, so that of two signatures sent at once each keeps its own picture. */
export const drawnSignatureKey = (requestId: string, signerId: string, sha256: string) =>
  `requests/${requestId}/signatures/${signerId}-${sha256.slice(0, 16)}.png`;
export const uploadObjectKey = (uploadId: string) => `uploads/${uploadId}.pdf`;
