import type { SignerState } from '../requests/model.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { SealError } from '../sealing/errors.ts';
import { drawnSignatureKey } from '../store/objects.ts';
import type { StoredRequest } from '../store/requests.ts';

/** Seal only the agreed document: these compare stored objects with the hashes in signers and events. */

type ReadObject = (key: string) => Promise<Uint8Array>;

export function assertAgreedOriginal(sha256: string, { content, signers }: StoredRequest): void {
  const agreed = [content.documentSha256, ...signers.map(({ signature }) => signature?.documentSha256)];
  if (agreed.some((hash) => hash !== sha256))
    throw new SealError('original_changed', 'the original is not the document that was agreed to');
}

/** The drawn signatures by their keys. */
export async function agreedDrawings(
  read: ReadObject,
  request: StoredRequest,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const drawn = request.signers.filter(({ signature }) => signature?.type === 'drawn');
  return new Map(await Promise.all(drawn.map((signer) => agreedDrawing(read, request, signer))));
}

async function agreedDrawing(
  read: ReadObject,
  { state, events }: StoredRequest,
  { id, signature }: SignerState,
): Promise<[string, Uint8Array]> {
  const key = signature?.value ?? '';
  const png = await read(key);
  const sha256 = sha256Hex(png);
  const signed = events.find(({ type, signerId }) => type === 'signer_signed' && signerId === id);
  const digests = [signature?.drawingSha256 ?? null, signed?.details.drawing_sha256 ?? null];
  // The key contains the hash too. Old signatures have no other record of it.
  const isAgreed =
    key === drawnSignatureKey(state.id, id, sha256) &&
    digests.every((digest) => digest === sha256 || digest === null);
  if (!isAgreed)
    throw new SealError('drawing_changed', `the drawing of signer ${id} is not the one that was signed with`);
  return [key, png];
}
