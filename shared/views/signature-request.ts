import type * as z from 'zod';
import type {
  signatureRequest,
  signerInRequest,
  signer as signerSchema,
  summary,
} from '../contract/resources.ts';
import { isExpired, purgeTime } from '../requests/lifecycle.ts';
import { signUrl } from '../requests/links.ts';
import { mailsOf } from '../requests/mails.ts';
import {
  type ListedState,
  type RequestState,
  requestHead,
  requestTimes,
  type SignerState,
} from '../requests/model.ts';
import { DAY } from '../runtime/time.ts';
import type { StoredRequest } from '../store/requests.ts';
import { auditTrailView } from './audit-trail.ts';

type SignerInRequest = z.input<typeof signerInRequest>;
type FullRequest = Omit<z.input<typeof signatureRequest>, 'metadata'>;

export const mailsView = (signer: SignerState): SignerInRequest['mails'] =>
  mailsOf(signer).map(({ kind, sentAt, outcome, at }) => ({ kind, sent_at: sentAt, outcome, at }));

export function signerInRequestView(signer: SignerState, baseUrl: string): SignerInRequest {
  return {
    id: signer.id,
    email: signer.email,
    name: signer.name,
    access_token: signer.accessToken,
    sign_url: signUrl(baseUrl, signer),
    status: signer.status,
    sent_at: signer.sentAt,
    opened_at: signer.openedAt,
    signed_at: signer.signedAt,
    declined_at: signer.declinedAt,
    decline_reason: signer.declineReason,
    locale: signer.locale,
    mails: mailsView(signer),
  };
}

export function signerView(
  signer: SignerState,
  { events }: StoredRequest,
  baseUrl: string,
): z.input<typeof signerSchema> {
  return {
    ...signerInRequestView(signer, baseUrl),
    name_as_invited: signer.nameAsInvited,
    name_as_signed: signer.nameAsSigned,
    position: signer.position,
    invalidated_at: signer.invalidatedAt,
    ip_address: signer.ipAddress,
    user_agent: signer.userAgent,
    representing_as_invited: signer.representingAsInvited,
    representing_as_signed: signer.representingAsSigned,
    representing_role: signer.representingRole,
    representing_entity_id: signer.representingEntityId,
    audit_trail: auditTrailView(events.filter((event) => event.signerId === signer.id)),
  };
}

/** Rounds up: the last day counts as 1 until it ends. */
const daysUntil = (time: string, now: Date) =>
  Math.max(0, Math.ceil((Date.parse(time) - now.getTime()) / DAY));

/** The date that the retention gave: a purge on demand moves the stored one, to be finished by the job if it is interrupted. */
const retentionEnd = ({ endedAt, purgedAt, purgeAt, archiveProtected }: RequestState) =>
  (purgedAt && endedAt && purgeTime(endedAt, archiveProtected)) ?? purgeAt;

/** Contains dates once there is a sealed PDF, unless the archive protects it. */
function retentionView(state: RequestState, archiveProtected: boolean, now: Date): FullRequest['retention'] {
  const availableUntil =
    state.documentHash && (state.purgedAt || !archiveProtected) ? retentionEnd(state) : null;
  return {
    is_archive_protected: archiveProtected,
    pdf_purged: state.purgedAt !== null,
    pdf_purged_at: state.purgedAt,
    pdf_available_until: availableUntil,
    pdf_days_remaining: availableUntil === null ? null : state.purgedAt ? 0 : daysUntil(availableUntil, now),
  };
}

function deprecatedFields([only, ...others]: SignerInRequest[]) {
  if (!only || others.length > 0) return {};
  return {
    token: only.access_token,
    sign_url: only.sign_url,
    signer_email: only.email,
    signer_name: only.name,
    opened_at: only.opened_at,
  };
}

/** The full view except `metadata`, which is returned verbatim. */
export function requestView(
  request: StoredRequest,
  owner: { archive: boolean },
  baseUrl: string,
  now: Date,
): FullRequest {
  const { state, content } = request;
  const signers = request.signers.map((signer) => signerInRequestView(signer, baseUrl));
  const archiveProtected = owner.archive && state.mode === 'live';
  return {
    id: state.id,
    ...requestHead(state),
    message: content.message,
    ...requestTimes(state),
    is_expired: isExpired(state, now),
    retention: retentionView(state, archiveProtected, now),
    signers,
    document_hash: state.documentHash,
    audit_trail: auditTrailView(request.events),
    sender_email: state.createdBy?.email ?? null,
    created_via: state.createdBy ? 'web' : 'api',
    owner_type: state.ownerType,
    ...(state.ownerType === 'user' ? { user_id: state.ownerId } : { organization_id: state.ownerId }),
    test: state.mode === 'test',
    reminders: state.reminders,
    return_url: content.returnUrl,
    ...deprecatedFields(signers),
  };
}

export const summaryView = (state: ListedState, now: Date): z.input<typeof summary> => ({
  id: state.id,
  ...requestHead(state),
  signer_count: state.signerCount,
  ...requestTimes(state),
  is_expired: isExpired(state, now),
  test: state.mode === 'test',
});
