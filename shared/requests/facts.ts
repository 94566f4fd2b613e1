import type { AuditEvent } from './chain.ts';
import { stateAtCreation } from './creating.ts';
import { erasedEmail } from './erasing.ts';
import {
  type AuditType,
  NO_OPTIONAL_VALUES,
  type RequestContent,
  type RequestState,
  type SealRecord,
  type SignerState,
} from './model.ts';
import { at, detail, ENDINGS, member, OneOf, OPERATIONAL, type Trail, times, UNKNOWN } from './trail.ts';

/**
 * The values that a request's items must hold according to its events. Every attribute is either a fact, which events state,
 * or operational: a new attribute compiles only once it is one of them.
 */

type Expected<T> = Record<keyof T, unknown>;

/** The keys where the objects of a request belong. */
export interface ObjectKeys {
  original: (requestId: string) => string;
  sealed: (requestId: string) => string;
  drawing: (requestId: string, signerId: string, sha256: string) => string;
}

function statusOf(trail: Trail, signerCount: unknown): unknown {
  if (trail.ending) return ENDINGS[trail.ending.type];
  if (trail.all('signer_signed').length === signerCount)
    return trail.last('seal_queued', 'seal_failed')?.type === 'seal_failed'
      ? 'stamp_failed'
      : 'awaiting_stamp';
  return trail.first('link_opened') ? 'opened' : trail.mailedStatus;
}

/** The first invitation's time, unless a resend's came before the invitations were reported. */
function requestSentAt(trail: Trail): unknown {
  if (!trail.isReported) return UNKNOWN;
  // A resend sends only a request that is pending.
  const pending = trail.before(trail.events.find(({ type }) => type === 'link_opened' || type in ENDINGS));
  const sent = [times(trail.all('invitation_sent'))[0], at(pending.first('invitation_resent'))];
  return new OneOf(...(sent.some(Boolean) ? sent.filter(Boolean) : [null]));
}

function sealFacts(sealed: AuditEvent | undefined, objectKey: string): Expected<SealRecord> | null {
  if (!sealed) return null;
  const { document_hash, evidence_hash, pages_added, sealed_at, sealed_size, ...technical } = sealed.details;
  return { sealedAt: sealed_at, objectKey, size: sealed_size, pagesAdded: pages_added, technical };
}

const renewedFacts = (
  event: AuditEvent | undefined,
): Expected<NonNullable<RequestState['renewed']>> | null =>
  event
    ? {
        number: detail(event, 'renewal'),
        at: event.at,
        documentHash: detail(event, 'renewed_document_hash'),
        evidenceHash: detail(event, 'renewed_evidence_hash'),
      }
    : null;

export function stateFacts(requestId: string, trail: Trail, keys: ObjectKeys): Expected<RequestState> {
  const created = trail.events[0];
  const sealed = trail.first('document_sealed');
  const end = trail.events.at(-1);
  const anchor = trail.first('seal_queued');
  return {
    id: requestId,
    status: statusOf(trail, detail(created, 'signers')),
    ...stateAtCreation(created),
    signedCount: trail.all('signer_signed').length,
    createdAt: at(created),
    invitationsReportedAt: OPERATIONAL,
    sentAt: requestSentAt(trail),
    openedAt: at(trail.first('link_opened')),
    signedAt: at(sealed),
    cancelledAt: at(trail.first('request_cancelled')),
    endedAt: at(trail.ending),
    archiveProtected: OPERATIONAL,
    documentHash: detail(sealed, 'document_hash'),
    evidenceHash: detail(sealed, 'evidence_hash'),
    seal: sealFacts(sealed, keys.sealed(requestId)),
    renewal: OPERATIONAL,
    renewed: renewedFacts(trail.last('archive_renewed')),
    stampQueuedAt: OPERATIONAL,
    purgeAt: OPERATIONAL,
    purgedAt: at(trail.first('document_purged')),
    version: OPERATIONAL,
    auditSequence: end?.sequence,
    auditHead: end?.hash,
    trailVersion: created?.version,
    anchor: anchor ? { sequence: anchor.sequence, hash: anchor.hash } : null,
    erasures: trail.all('person_erased').length,
    lastEventAt: OPERATIONAL,
  };
}

export function contentFacts(requestId: string, trail: Trail, keys: ObjectKeys): Expected<RequestContent> {
  const created = trail.events[0];
  return {
    message: detail(created, 'message_sha256'),
    metadataJson: detail(created, 'metadata_sha256'),
    filename: detail(created, 'filename'),
    documentSize: detail(created, 'document_size'),
    documentSha256: detail(created, 'document_sha256'),
    documentKey: keys.original(requestId),
    pageCount: detail(created, 'page_count'),
    alreadySigned: detail(created, 'already_signed'),
    attachments: detail(created, 'attachments'),
    returnUrl: detail(created, 'return_url'),
  };
}

const mailFacts = (event: AuditEvent | undefined, sent: AuditType) =>
  event ? { at: event.at, sent: event.type === sent, error: detail(event, 'error') } : null;

function signatureFacts(
  signed: AuditEvent | undefined,
  remaining: number,
  drawingKey: (sha256: string) => string,
): Expected<NonNullable<SignerState['signature']>> | null {
  if (!signed) return null;
  const type = detail(signed, 'signature_type');
  const drawingSha256 = detail(signed, 'drawing_sha256');
  return {
    type,
    value: type === 'typed' ? detail(signed, 'text') : drawingKey(String(drawingSha256)),
    drawingSha256,
    style: detail(signed, 'signature_style'),
    consentVersion: detail(signed, 'consent_version'),
    consentLocale: detail(signed, 'consent_locale'),
    documentSha256: detail(signed, 'document_sha256'),
    remaining,
    requestStatus: remaining === 0 ? 'awaiting_stamp' : 'opened',
  };
}

/** `current` is what happened since the signer was last corrected. */
function signerStatus(own: Trail, current: Trail, invalidation: AuditEvent | undefined): unknown {
  if (own.first('signer_signed')) return 'signed';
  if (own.first('signer_declined')) return 'declined';
  if (invalidation) return 'invalidated';
  if (current.first('link_opened')) return 'opened';
  // Invitations were reported before the correction, so nothing is open.
  return current === own || current.first('invitation_resent') ? current.mailedStatus : 'pending';
}

export function signerFacts(
  requestId: string,
  trail: Trail,
  index: number,
  keys: ObjectKeys,
): Expected<SignerState> {
  const created = trail.events[0];
  const invited = (name: string) => detail(created, `invited.${index}.${name}`);
  const id = invited('signer_id');
  const own = trail.of(id);
  const signed = own.first('signer_signed');
  const acted = signed ?? own.first('signer_declined');
  const invalidation = trail.first('request_cancelled', 'signer_declined');
  const signedAs = signed ? trail.all('signer_signed').indexOf(signed) + 1 : 0;
  const remaining = Number(detail(created, 'signers')) - signedAs;
  const relocated = own.last('code_rotated', 'invitation_resent');
  const corrected = own.last('signer_corrected');
  // Events before a correction are of whoever had the earlier link.
  const current = corrected ? own.after(corrected) : own;
  // A resend that was under way when the signer's part ended is told, and counts no more.
  const resent = current.before(acted ?? invalidation).all('invitation_resent');
  const [nameAsInvited, email] = corrected
    ? [detail(corrected, 'name'), detail(corrected, 'email')]
    : [invited('name'), invited('email')];
  const facts: Expected<SignerState> = {
    id,
    position: invited('position'),
    email,
    name: nameAsInvited ?? email,
    nameAsInvited,
    asCreated: corrected ? { email: invited('email'), name: invited('name') ?? invited('email') } : null,
    accessTokenAsCreated: OPERATIONAL,
    addressSince: OPERATIONAL,
    nameAsSigned: detail(signed, 'name'),
    locale: relocated ? detail(relocated, 'locale') : invited('locale'),
    localeAsInvited: invited('locale'),
    accessToken: OPERATIONAL,
    status: signerStatus(own, current, invalidation),
    sentAt: own.isReported ? (times([...current.all('invitation_sent'), ...resent]).at(-1) ?? null) : UNKNOWN,
    openedAt: at(current.first('link_opened')),
    viewedAt: at(current.first('document_viewed')),
    signedAt: at(signed),
    declinedAt: at(own.first('signer_declined')),
    invalidatedAt: acted ? null : at(invalidation),
    declineReason: detail(own.first('signer_declined'), 'reason'),
    ipAddress: member(acted, 'ipAddress'),
    userAgent: member(acted, 'userAgent'),
    representingAsInvited: invited('representing'),
    representingAsSigned: detail(signed, 'representing'),
    representingRole: detail(signed, 'role'),
    representingEntityId: detail(signed, 'entity_id'),
    invitation: own.isReported
      ? mailFacts(own.first('invitation_sent', 'invitation_failed'), 'invitation_sent')
      : UNKNOWN,
    code: OPERATIONAL,
    codeAttempts: OPERATIONAL,
    lastAttemptAt: OPERATIONAL,
    codeRequests: OPERATIONAL,
    mailLeaseUntil: OPERATIONAL,
    signature: signatureFacts(signed, remaining, (sha256) => keys.drawing(requestId, String(id), sha256)),
    sealedNotice: mailFacts(
      own.first('sealed_notice_sent') ?? own.first('sealed_notice_failed'),
      'sealed_notice_sent',
    ),
    codeFailureToldAt: OPERATIONAL,
    mails: OPERATIONAL,
    returnedMails: OPERATIONAL,
    remindersSent: OPERATIONAL,
    wrongCodes: OPERATIONAL,
    sessions: OPERATIONAL,
    remindAt: OPERATIONAL,
    version: OPERATIONAL,
    erasedAt: null,
  };
  const erased = own.first('person_erased');
  return erased ? { ...facts, ...erasedFacts(facts, erased) } : facts;
}

/** Placeholders for a signer's erased personal values. */
function erasedFacts(
  { id, nameAsSigned, signature }: Expected<SignerState>,
  erased: AuditEvent,
): Partial<Expected<SignerState>> {
  const shownAs = detail(erased, 'shown_as');
  const isTyped = typeof signature === 'object' && signature && 'type' in signature;
  return {
    email: erasedEmail(id),
    name: shownAs,
    nameAsInvited: null,
    nameAsSigned: nameAsSigned === null ? null : shownAs,
    ...NO_OPTIONAL_VALUES,
    signature: isTyped && signature.type === 'typed' ? { ...signature, value: shownAs } : signature,
    erasedAt: erased.at,
  };
}
