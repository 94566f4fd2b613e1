import type { RequestState } from '../requests/model.ts';

/** Object keys in the buckets. All objects of a request share a prefix. */
export const requestObjects = (requestId: string) => `requests/${requestId}/`;
export const requestIdOfObject = (key: string) => key.split('/')[1] ?? '';
export const originalKey = (requestId: string) => `requests/${requestId}/original.pdf`;
export const sealedKey = (requestId: string) => `requests/${requestId}/sealed.pdf`;
export const evidenceKey = (requestId: string) => `requests/${requestId}/evidence.pdf`;
/** Named by content, so that concurrent signatures do not overwrite each other's drawing. */
export const drawnSignatureKey = (requestId: string, signerId: string, sha256: string) =>
  `requests/${requestId}/signatures/${signerId}-${sha256.slice(0, 16)}.png`;
/** Files that were renewed, named by content: runs at once do not overwrite each other's. */
export const renewedKey = (requestId: string, sha256: string) =>
  `requests/${requestId}/renewed/${sha256}.pdf`;
/** An object with the SHA-256 that is recorded of it. */
export interface StoredFile {
  key: string;
  sha256: string;
}

/** The document and the evidence file as they were sealed; null if there is none. */
export const sealedDocumentOf = ({ seal, documentHash }: RequestState): StoredFile | null =>
  seal && documentHash ? { key: seal.objectKey, sha256: documentHash } : null;
export const sealedEvidenceOf = ({ id, evidenceHash }: RequestState): StoredFile | null =>
  evidenceHash ? { key: evidenceKey(id), sha256: evidenceHash } : null;

const renewedFile = (requestId: string, sha256: string): StoredFile => ({
  key: renewedKey(requestId, sha256),
  sha256,
});

/** The same with their newest timestamps. */
export const archivalDocumentOf = (state: RequestState): StoredFile | null =>
  state.renewed ? renewedFile(state.id, state.renewed.documentHash) : sealedDocumentOf(state);
export const archivalEvidenceOf = (state: RequestState): StoredFile | null =>
  state.renewed?.evidenceHash ? renewedFile(state.id, state.renewed.evidenceHash) : sealedEvidenceOf(state);

/** The keys of the newest renewed files. */
export const renewedFiles = ({ id, renewed }: Pick<RequestState, 'id' | 'renewed'>): string[] =>
  [renewed?.documentHash, renewed?.evidenceHash].flatMap((sha256) => (sha256 ? renewedKey(id, sha256) : []));
export const uploadObjectKey = (uploadId: string) => `uploads/${uploadId}.pdf`;
