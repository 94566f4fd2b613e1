/** Where things lie in the buckets. */
export const originalKey = (requestId: string) => `requests/${requestId}/original.pdf`;
export const sealedKey = (requestId: string) => `requests/${requestId}/sealed.pdf`;
export const drawnSignatureKey = (requestId: string, signerId: string) =>
  `requests/${requestId}/signatures/${signerId}.png`;
export const uploadObjectKey = (uploadId: string) => `uploads/${uploadId}.pdf`;
