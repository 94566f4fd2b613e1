import type { ErrorCode } from '../contract/errors.ts';
import type { RequestStatus, SignerStatus } from '../contract/fields.ts';
import { after, DAY } from '../runtime/time.ts';
import type { RequestState, SignatureRequest, SignerState } from './model.ts';

export const LINK_DAYS = 30;
export const RETENTION_DAYS = 7;

const ACTIVE: readonly RequestStatus[] = ['pending', 'sent', 'opened'];
const UNSIGNED: readonly SignerStatus[] = ['pending', 'sent', 'opened'];

interface RefusalExtra {
  /** When the same may be tried again. */
  retryAt?: string;
  /** Fields that the contract puts beside the error. */
  fields?: Record<string, unknown>;
}

/** A rule's no. The HTTP side turns it into the contract's error. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly retryAt: string | undefined;
  readonly fields: Record<string, unknown>;

  constructor(code: ErrorCode, { retryAt, fields = {} }: RefusalExtra = {}) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.retryAt = retryAt;
    this.fields = fields;
  }
}

export const isActive = (state: Pick<RequestState, 'status'>) => ACTIVE.includes(state.status);
/** True from the moment of `expires_at` on, whether or not the daily job has been there. */
export const isExpired = (state: Pick<RequestState, 'status' | 'expiresAt'>, now: Date) =>
  state.status === 'expired' || (isActive(state) && now.getTime() >= Date.parse(state.expiresAt));
export const mayStillSign = (signer: SignerState) => UNSIGNED.includes(signer.status);

export const expiryOf = (createdAt: string) => after(createdAt, LINK_DAYS * DAY);

/** Test requests go after seven days whatever the subscription. */
export const purgeTime = (endedAt: string, archiveProtected: boolean) =>
  archiveProtected ? null : after(endedAt, RETENTION_DAYS * DAY);

/** Why a signer's link no longer works, in the word the page uses; undefined while it does. Who has signed keeps the link. */
export function deadLink(request: SignatureRequest, signer: SignerState, now: Date): ErrorCode | undefined {
  if (signer.status === 'signed') return undefined;
  if (signer.status === 'declined') return 'link_declined';
  if (request.state.status === 'cancelled') return 'link_cancelled';
  if (request.state.status === 'declined') return 'link_invalidated';
  if (isExpired(request.state, now)) return 'link_expired';
  return undefined;
}

export function signerById(request: SignatureRequest, id: string): SignerState {
  const signer = request.signers.find((candidate) => candidate.id === id);
  if (!signer) throw new Refusal('not_found');
  return signer;
}

/** The signers with one of them replaced. */
export const withSigner = (signers: SignerState[], changed: SignerState) =>
  signers.map((signer) => (signer.id === changed.id ? changed : signer));
