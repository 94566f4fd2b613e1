import { actingSigner, completedData, requestData } from './event-data.ts';
import { isActive, isExpired, mayStillSign, purgeTime, Refusal, signerById } from './lifecycle.ts';
import type {
  Actor,
  AuditEntry,
  Change,
  RequestState,
  SealRecord,
  SignatureRequest,
  SignerState,
  Visitor,
} from './model.ts';

/** How a request ends: cancelled, declined, expired, sealed, or with a seal that failed. */

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
  if (!isActive(request.state)) throw new Refusal('request_not_cancellable');
  const at = now.toISOString();
  const state: RequestState = { ...ended(request.state, 'cancelled', at), cancelledAt: at };
  return {
    state,
    signers: request.signers.map((signer) => invalidated(signer, at)),
    audit: [{ type: 'request_cancelled', at, actor: by.actor, details: { reason: by.reason } }],
    follow: [
      {
        kind: 'event',
        type: 'signature_request.cancelled',
        data: { ...requestData(state), reason: by.reason },
      },
    ],
  };
}

export function decline(
  request: SignatureRequest,
  by: { signerId: string; reason: string | null; visitor: Visitor },
  now: Date,
): Change {
  const signer = signerById(request, by.signerId);
  if (signer.status === 'signed') throw new Refusal('already_signed');
  if (signer.status === 'declined') throw new Refusal('link_declined');
  if (!isActive(request.state) || !mayStillSign(signer)) throw new Refusal('request_not_active');
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
    follow: [
      {
        kind: 'event',
        type: 'signature_request.declined',
        data: { ...requestData(state), ...actingSigner(declined), decline_reason: by.reason },
      },
    ],
  };
}

export function expire(request: SignatureRequest, now: Date): Change {
  if (!isActive(request.state) || !isExpired(request.state, now)) throw new Refusal('request_not_active');
  const at = now.toISOString();
  const state = ended(request.state, 'expired', at);
  return {
    state,
    // The signers keep their status: the contract names no transition for them. Their links answer by the request's.
    signers: request.signers.map((signer) => ({ ...signer, code: null, remindAt: null })),
    audit: [{ type: 'request_expired', at, actor: 'service' }],
    follow: [{ kind: 'event', type: 'signature_request.expired', data: requestData(state) }],
  };
}

export function sealed(
  request: SignatureRequest,
  seal: { record: SealRecord; documentHash: string; archiveProtected: boolean; baseUrl: string },
  now: Date,
): Change {
  if (request.state.status !== 'awaiting_stamp') throw new Refusal('request_not_active');
  const at = now.toISOString();
  const state: RequestState = {
    ...ended({ ...request.state, archiveProtected: seal.archiveProtected }, 'signed', at),
    signedAt: at,
    documentHash: seal.documentHash,
    seal: seal.record,
    stampQueuedAt: null,
  };
  const data = completedData(state, at, seal.documentHash, seal.baseUrl);
  return {
    state,
    signers: request.signers,
    audit: [
      {
        type: 'document_sealed',
        at,
        actor: 'service',
        details: {
          document_hash: seal.documentHash,
          pages_added: seal.record.pagesAdded,
          ...seal.record.technical,
        },
      },
    ],
    follow: [
      { kind: 'event', type: 'signature_request.completed', data },
      { kind: 'event', type: 'signature_request.signed', data },
      { kind: 'mail', task: 'sealed_notices' },
    ],
  };
}

export function sealFailed(request: SignatureRequest, why: { code: string }, now: Date): Change {
  if (request.state.status !== 'awaiting_stamp') throw new Refusal('request_not_active');
  return {
    state: { ...request.state, status: 'stamp_failed', stampQueuedAt: null },
    signers: request.signers,
    audit: [{ type: 'seal_failed', at: now.toISOString(), actor: 'service', details: why }],
    follow: [],
  };
}

/** The operator's "try the seal again". */
export function restamp(request: SignatureRequest, now: Date): Change {
  if (request.state.status !== 'stamp_failed') throw new Refusal('request_not_active');
  const at = now.toISOString();
  return {
    state: { ...request.state, status: 'awaiting_stamp', stampQueuedAt: at },
    signers: request.signers,
    audit: [{ type: 'seal_queued', at, actor: 'operator' }],
    follow: [{ kind: 'seal' }],
  };
}

/** The seal waits since before `queuedBy` and has no job: it gets one. Undefined where that is not so any more. */
export function requeueSeal(request: SignatureRequest, queuedBy: Date, now: Date): Change | undefined {
  const { state } = request;
  if (state.status !== 'awaiting_stamp' || (state.stampQueuedAt ?? '') > queuedBy.toISOString())
    return undefined;
  const at = now.toISOString();
  return {
    state: { ...state, stampQueuedAt: at },
    signers: request.signers,
    audit: [{ type: 'seal_queued', at, actor: 'service' }],
    follow: [{ kind: 'seal' }],
  };
}

/** The PDFs are gone; the record, its hash and its trail stay. */
export function purged(request: SignatureRequest, now: Date): Change {
  const { state } = request;
  if (state.purgedAt || !state.purgeAt || now.toISOString() < state.purgeAt)
    throw new Refusal('request_not_active');
  const at = now.toISOString();
  return {
    state: { ...state, purgedAt: at },
    signers: request.signers,
    audit: [{ type: 'document_purged', at, actor: 'service' }],
    follow: [],
  };
}

/** The client fetched the sealed PDF. */
export const documentDownloaded = (request: SignatureRequest, visitor: Visitor, now: Date): Change => ({
  state: request.state,
  signers: request.signers,
  audit: [{ type: 'document_downloaded', at: now.toISOString(), actor: 'client', visitor }],
  follow: [],
});

/** The owner's archive protection began or ended: the date of the purge moves with it. Undefined where nothing moves. */
export function protect(request: SignatureRequest, archive: boolean, now: Date): Change | undefined {
  const { state } = request;
  const archiveProtected = archive && state.mode === 'live';
  if (state.purgedAt || state.archiveProtected === archiveProtected) return undefined;
  const purgeAt = state.endedAt ? purgeTime(state.endedAt, archiveProtected) : null;
  return {
    state: { ...state, archiveProtected, purgeAt },
    signers: request.signers,
    audit: [
      {
        type: 'retention_changed',
        at: now.toISOString(),
        actor: 'service',
        details: { archive_protected: archiveProtected },
      },
    ],
    follow: [],
  };
}
