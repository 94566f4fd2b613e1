import type { SignerCalls } from '../api.ts';

/** The very bytes that are shown, hashed and, if the signer agrees, signed. */
export interface LoadedDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

export async function loadDocument(
  api: SignerCalls,
  onProgress: (share: number) => void,
): Promise<LoadedDocument> {
  const bytes = await api.bytes('/document', onProgress);
  return { bytes, sha256: await sha256Hex(bytes) };
}

export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
