import { ApiError, notFound } from '../contract/api-error.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { RequestStatus, SignerStatus } from '../contract/fields.ts';
import { after, DAY } from '../runtime/time.ts';
import type { RequestState, SignatureRequest, SignerState } from './model.ts';

const LINK_DAYS = 30;
export const RETENTION_DAYS = 7;

const ACTIVE: readonly RequestStatus[] = ['pending', 'sent', 'opened'];
const UNSIGNED: readonly SignerStatus[] = ['pending', 'sent', 'opened'];

export const isActive = (state: Pick<RequestState, 'status'>) => ACTIVE.includes(state.status);
/** True from `expires_at` on, even if the daily job has not run yet. */
export const isExpired = (state: Pick<RequestState, 'status' | 'expiresAt'>, now: Date) =>
  state.status === 'expired' || (isActive(state) && now.getTime() >= Date.parse(state.expiresAt));
export const takesSignatures = (state: Pick<RequestState, 'status' | 'expiresAt'>, now: Date) =>
  isActive(state) && !isExpired(state, now);
export const mayStillSign = (signer: SignerState) => UNSIGNED.includes(signer.status);

/** Archive protection never covers test requests. */
export const purgeTime = (endedAt: string, archiveProtected: boolean) =>
  archiveProtected ? null : after(endedAt, RETENTION_DAYS * DAY);

/** When the links of a request end for good; null until it has ended. */
export const linksEndAt = ({ endedAt }: Pick<RequestState, 'endedAt'>): string | null =>
  endedAt && after(endedAt, LINK_DAYS * DAY);

const haveLinksEnded = (state: RequestState, now: Date): boolean => {
  const endsAt = linksEndAt(state);
  return endsAt !== null && now.toISOString() >= endsAt;
};

/** When the sealed document can no longer be downloaded with a copy link: at the purge, or when links end. */
export function copyEndsAt(state: RequestState): string | null {
  const endsAt = linksEndAt(state);
  return endsAt && state.purgeAt && state.purgeAt < endsAt ? state.purgeAt : endsAt;
}

/** The reason why a signer's link no longer works; undefined while it works. Signers keep their link after signing. */
export function deadLink(request: SignatureRequest, signer: SignerState, now: Date): ErrorCode | undefined {
  if (signer.erasedAt || haveLinksEnded(request.state, now)) return 'link_expired';
  if (signer.status === 'signed') return undefined;
  if (signer.status === 'declined') return 'link_declined';
  if (request.state.status === 'cancelled') return 'link_cancelled';
  if (request.state.status === 'declined') return 'link_invalidated';
  if (isExpired(request.state, now)) return 'link_expired';
  return undefined;
}

export function signerById(request: SignatureRequest, id: string): SignerState {
  const signer = request.signers.find((candidate) => candidate.id === id);
  if (!signer) throw notFound('signer_id');
  return signer;
}

/** The signer, while their link works. */
export function livingSigner(request: SignatureRequest, signerId: string, now: Date): SignerState {
  const signer = signerById(request, signerId);
  const dead = deadLink(request, signer, now);
  if (dead) throw new ApiError(dead);
  return signer;
}

/** Refuses a call whose link was replaced after it began. */
export function assertLink(request: SignatureRequest, signerId: string, token: string): void {
  if (signerById(request, signerId).accessToken !== token)
    throw new ApiError('not_found', 'This link does not exist.');
}

export const withSigner = (signers: SignerState[], changed: SignerState) =>
  signers.map((signer) => (signer.id === changed.id ? changed : signer));
