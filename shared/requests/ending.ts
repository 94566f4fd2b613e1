import { ApiError } from '../contract/api-error.ts';
import type { Actor } from '../contract/fields.ts';
import { actingSigner, completedData, requestData } from './event-data.ts';
import { isActive, isExpired, mayStillSign, purgeTime, signerById } from './lifecycle.ts';
import {
  type AuditEntry,
  type Change,
  changeOf,
  type RequestState,
  type SealRecord,
  type SignatureRequest,
  type SignerState,
  type Visitor,
} from './model.ts';
import { noticeOf } from './notices.ts';
import { renewalOf } from './renewing.ts';

/** Rules for ending a request: cancel, decline, expire, seal, and what follows. */

const ended = (state: RequestState, status: RequestState['status'], at: string): RequestState => ({
  ...state,
  status,
  endedAt: at,
  purgeAt: purgeTime(at, state.archiveProtected),
});

const invalidated = (signer: SignerState, at: string): SignerState =>
  mayStillSign(signer)
    ? { ...signer, status: 'invalidated', invalidatedAt: at, code: null, remindAt: null }
    : signer;

export function cancel(
  request: SignatureRequest,
  by: { actor: Actor; reason: string | null },
  now: Date,
): Change {
  if (!isActive(request.state))
    throw new ApiError(
      'request_not_cancellable',
      `The request’s status is \`${request.state.status}\`, so it can no longer be cancelled.`,
    );
  const at = now.toISOString();
  const state: RequestState = { ...ended(request.state, 'cancelled', at), cancelledAt: at };
  return {
    state,
    signers: request.signers.map((signer) => invalidated(signer, at)),
    audit: [{ type: 'request_cancelled', at, actor: by.actor, details: { reason: by.reason } }],
    effects: [
      {
        kind: 'event',
        type: 'signature_request.cancelled',
        data: { ...requestData(state), reason: by.reason },
      },
      noticeOf('cancelled', request),
    ],
  };
}

export function decline(
  request: SignatureRequest,
  by: { signerId: string; reason: string | null; visitor: Visitor },
  now: Date,
): Change {
  const signer = signerById(request, by.signerId);
  if (signer.status === 'signed') throw new ApiError('already_signed');
  if (signer.status === 'declined') throw new ApiError('link_declined');
  if (!isActive(request.state) || !mayStillSign(signer)) throw new ApiError('request_not_active');
  // The time may have run out since the call began.
  if (isExpired(request.state, now)) throw new ApiError('link_expired');
  const at = now.toISOString();
  const declined: SignerState = {
    ...signer,
    status: 'declined',
    declinedAt: at,
    declineReason: by.reason,
    code: null,
    remindAt: null,
    ipAddress: by.visitor.ipAddress,
    userAgent: by.visitor.userAgent,
  };
  const state = ended(request.state, 'declined', at);
  const audit: AuditEntry = {
    type: 'signer_declined',
    at,
    actor: 'signer',
    signerId: signer.id,
    visitor: by.visitor,
    details: { reason: by.reason },
  };
  return {
    state,
    signers: request.signers.map((other) => (other.id === signer.id ? declined : invalidated(other, at))),
    audit: [audit],
    effects: [
      {
        kind: 'event',
        type: 'signature_request.declined',
        data: { ...requestData(state), ...actingSigner(declined), decline_reason: by.reason },
      },
      noticeOf('declined', request, [signer]),
    ],
  };
}

/** Undefined if the request has ended, or its time is not over. */
export function expire(request: SignatureRequest, now: Date): Change | undefined {
  if (!isActive(request.state) || !isExpired(request.state, now)) return undefined;
  const at = now.toISOString();
  const state = ended(request.state, 'expired', at);
  return {
    state,
    // Signers keep their status, since the contract has no transition for them; their links answer for the request.
    signers: request.signers.map((signer) =>
      mayStillSign(signer) ? { ...signer, code: null, remindAt: null } : signer,
    ),
    audit: [{ type: 'request_expired', at, actor: 'service' }],
    effects: [
      { kind: 'event', type: 'signature_request.expired', data: requestData(state) },
      noticeOf('expired', request),
    ],
  };
}

export function sealed(
  request: SignatureRequest,
  seal: {
    record: SealRecord;
    documentHash: string;
    /** Left out for a request without an anchor. */
    evidenceHash?: string | null;
    archiveProtected: boolean;
    /** The first end among the certificates of the document timestamps; null below B-LTA. */
    holdsUntil?: string | null;
    baseUrl: string;
  },
  now: Date,
): Change {
  if (request.state.status !== 'awaiting_stamp') throw new ApiError('request_not_active');
  const at = now.toISOString();
  const state: RequestState = {
    ...ended({ ...request.state, archiveProtected: seal.archiveProtected }, 'signed', at),
    signedAt: at,
    documentHash: seal.documentHash,
    evidenceHash: seal.evidenceHash ?? null,
    seal: seal.record,
    renewal: seal.holdsUntil ? renewalOf(seal.record.sealedAt, seal.holdsUntil) : null,
    stampQueuedAt: null,
  };
  const data = completedData(state, at, seal.documentHash, seal.baseUrl);
  return changeOf(request, {
    state,
    audit: [
      {
        type: 'document_sealed',
        at,
        actor: 'service',
        details: {
          document_hash: seal.documentHash,
          ...(seal.evidenceHash && { evidence_hash: seal.evidenceHash }),
          pages_added: seal.record.pagesAdded,
          sealed_at: seal.record.sealedAt,
          sealed_size: seal.record.size,
          ...seal.record.technical,
        },
      },
    ],
    effects: [
      { kind: 'event', type: 'signature_request.completed', data },
      { kind: 'event', type: 'signature_request.signed', data },
      noticeOf('completed', request),
    ],
  });
}

export function sealFailed(request: SignatureRequest, why: { code: string }, now: Date): Change {
  if (request.state.status !== 'awaiting_stamp') throw new ApiError('request_not_active');
  return changeOf(request, {
    state: { ...request.state, status: 'stamp_failed', stampQueuedAt: null },
    audit: [{ type: 'seal_failed', at: now.toISOString(), actor: 'service', details: why }],
    effects: [noticeOf('sealing_failed', request)],
  });
}

/** An operator queues a failed seal again. */
export function restamp(request: SignatureRequest, now: Date): Change {
  const { status } = request.state;
  if (status !== 'stamp_failed')
    throw new ApiError(
      'request_not_active',
      `The request is ${status}: only one that is stamp_failed is queued again.`,
    );
  const at = now.toISOString();
  return changeOf(request, {
    state: { ...request.state, status: 'awaiting_stamp', stampQueuedAt: at },
    audit: [{ type: 'seal_queued', at, actor: 'operator' }],
    effects: [{ kind: 'seal' }],
  });
}

/** Queues a seal again that has waited since `queuedBy` without a job; undefined if it no longer waits. */
export function requeueSeal(request: SignatureRequest, queuedBy: Date, now: Date): Change | undefined {
  const { state } = request;
  if (state.status !== 'awaiting_stamp' || (state.stampQueuedAt ?? '') > queuedBy.toISOString())
    return undefined;
  const at = now.toISOString();
  return changeOf(request, {
    state: { ...state, stampQueuedAt: at },
    audit: [{ type: 'seal_queued', at, actor: 'service' }],
    effects: [{ kind: 'seal' }],
  });
}

/** True once the owner or an operator has asked for the PDFs to be removed: they are due at that time instead of the retention's. */
export const isDeletionAsked = ({ endedAt, purgeAt, archiveProtected }: RequestState): boolean =>
  endedAt !== null && purgeAt !== null && purgeAt !== purgeTime(endedAt, archiveProtected);

/**
 * The owner or an operator wants the PDFs of an ended request removed now. From then on they are due, so that the purge job
 * removes them if the call dies. Undefined if that was asked already, or they are gone.
 */
export function deletionRequested(
  request: SignatureRequest,
  { archive, ...by }: { archive: boolean; actor: Actor; visitor?: Visitor },
  now: Date,
): Change | undefined {
  const { state } = request;
  if (!state.endedAt)
    throw new ApiError(
      'request_not_ended',
      `The request’s status is \`${state.status}\`: ${isActive(state) ? 'cancel it, or wait' : 'wait'} until it is sealed, before its document is deleted.`,
    );
  if (state.purgedAt || isDeletionAsked(state)) return undefined;
  if (archive && state.mode === 'live') throw new ApiError('archive_protected');
  const at = now.toISOString();
  return changeOf(request, {
    state: { ...state, purgeAt: at },
    audit: [{ type: 'document_deletion_requested', at, ...by }],
  });
}

/** Records that the PDFs were removed; undefined if that is recorded. Record, hash and trail stay. */
export function purged(request: SignatureRequest, now: Date, actor: Actor = 'service'): Change | undefined {
  const { state } = request;
  if (state.purgedAt) return undefined;
  if (!isPurgeDue(state, now)) throw new ApiError('request_not_active');
  const at = now.toISOString();
  return changeOf(request, {
    state: { ...state, purgedAt: at, renewal: null },
    audit: [{ type: 'document_purged', at, actor }],
  });
}

export const documentDownloaded = (request: SignatureRequest, visitor: Visitor, now: Date): Change =>
  changeOf(request, {
    audit: [{ type: 'document_downloaded', at: now.toISOString(), actor: 'client', visitor }],
  });

/**
 * True from the purge date on, until the purge is recorded: a run of the job may have removed files already. A deletion that was
 * asked for is due by any clock.
 */
export const isPurgeDue = (state: RequestState, now: Date): boolean =>
  !state.purgedAt && state.purgeAt !== null && (state.purgeAt <= now.toISOString() || isDeletionAsked(state));

/** False from the purge date, or the call for a deletion, on: files may be gone already. */
export const hasFiles = (state: RequestState, now: Date): boolean =>
  !state.purgedAt && !isPurgeDue(state, now);

/**
 * Moves the purge date when the owner's archive protection begins or ends; undefined if nothing changes. Protection of what is
 * due is left to the purge job, which looks whether the document still exists.
 */
export const protect = (request: SignatureRequest, archive: boolean, now: Date): Change | undefined =>
  archive && isPurgeDue(request.state, now) ? undefined : protectExisting(request, archive, now);

/**
 * As `protect`, for a document that is known to exist, even if its purge is due. A deletion that the owner has asked
 * for continues, since its files may be gone already.
 */
export function protectExisting(request: SignatureRequest, archive: boolean, now: Date): Change | undefined {
  const { state } = request;
  const archiveProtected = archive && state.mode === 'live';
  if (state.purgedAt || isDeletionAsked(state) || state.archiveProtected === archiveProtected)
    return undefined;
  const purgeAt = state.endedAt ? purgeTime(state.endedAt, archiveProtected) : null;
  return changeOf(request, {
    state: { ...state, archiveProtected, purgeAt },
    audit: [
      {
        type: 'retention_changed',
        at: now.toISOString(),
        actor: 'service',
        details: { archive_protected: archiveProtected },
      },
    ],
  });
}
