import type { Mode } from '../contract/fields.ts';
import { LIMITS } from '../contract/limits.ts';
import type { SignatureMembers } from '../contract/signatures.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { after, DAY, MINUTE, SECOND } from '../runtime/time.ts';
import type { Locale } from '../texts/languages.ts';
import { type AuditEvent, TRAIL_VERSION } from './chain.ts';
import { requestData, signerData } from './event-data.ts';
import {
  type Change,
  NO_OPTIONAL_VALUES,
  type RequestContent,
  type RequestState,
  type SignatureRequest,
  type SignerState,
} from './model.ts';
import { detail, OPERATIONAL } from './trail.ts';

/** Set by the contract: a code is valid for ten minutes after sending. */
export const CODE_MINUTES = 10;

/** A code as it is stored, mailed at this time. */
export const codeOf = (hash: string, at: Date | string) => ({
  hash,
  expiresAt: after(at, CODE_MINUTES * MINUTE),
});

/** A call has this long to mail a signer; afterwards another call may. */
export const MAIL_LEASE = 60 * SECOND;

/** The state's part of what a client sends. */
export const choicesIn = (body: Omit<SignatureMembers, 'document'>) => ({
  title: body.title,
  reference: body.reference || null,
  expiresInDays: body.expires_in_days ?? LIMITS.expiryDays,
  reminders: body.reminders ?? true,
});

export interface NewRequest extends ReturnType<typeof choicesIn> {
  id: string;
  owner: {
    id: string;
    type: RequestState['ownerType'];
    name: string;
    mode: Mode;
    archive: boolean;
    reminders: boolean;
  };
  createdBy: RequestState['createdBy'];
  locale: Locale;
  content: RequestContent;
  signers: {
    id: string;
    email: string;
    name: string | null;
    locale: Locale;
    accessToken: string;
    codeHash: string;
  }[];
}

function newSigner(signer: NewRequest['signers'][number], position: number, createdAt: string): SignerState {
  return {
    id: signer.id,
    position,
    email: signer.email,
    name: signer.name ?? signer.email,
    nameAsInvited: signer.name,
    addressSince: null,
    nameAsSigned: null,
    locale: signer.locale,
    localeAsInvited: signer.locale,
    accessToken: signer.accessToken,
    status: 'pending',
    sentAt: null,
    openedAt: null,
    viewedAt: null,
    signedAt: null,
    declinedAt: null,
    invalidatedAt: null,
    ...NO_OPTIONAL_VALUES,
    invitation: null,
    code: codeOf(signer.codeHash, createdAt),
    codeAttempts: 0,
    lastAttemptAt: null,
    codeRequests: [],
    wrongCodes: [],
    sessions: [],
    mailLeaseUntil: after(createdAt, MAIL_LEASE),
    signature: null,
    sealedNotice: null,
    codeFailureToldAt: null,
    mails: [],
    returnedMails: [],
    remindersSent: 0,
    remindAt: null,
    erasedAt: null,
    version: 0,
  };
}

/** Every fact that the request begins with. What a later event does not say still holds. */
const factsOf = (state: RequestState, content: RequestContent, signers: SignerState[]) => ({
  signers: signers.length,
  document_sha256: content.documentSha256,
  document_size: content.documentSize,
  filename: content.filename,
  page_count: content.pageCount,
  already_signed: content.alreadySigned,
  attachments: content.attachments,
  return_url: content.returnUrl,
  title: state.title,
  reference: state.reference,
  message_sha256: sha256Hex(content.message),
  metadata_sha256: sha256Hex(content.metadataJson),
  sender: state.ownerName,
  sender_id: state.ownerId,
  sender_type: state.ownerType,
  mode: state.mode,
  locale: state.locale,
  expires_at: state.expiresAt,
  ...(state.createdBy && { created_by: { user_id: state.createdBy.userId, email: state.createdBy.email } }),
  invited: signers.map((signer) => ({
    signer_id: signer.id,
    position: signer.position,
    name: signer.nameAsInvited,
    email: signer.email,
    locale: signer.localeAsInvited,
    representing: signer.representingAsInvited,
  })),
});

/** The state as the first event states it. */
export const stateAtCreation = (created: AuditEvent | undefined) =>
  ({
    ownerId: detail(created, 'sender_id'),
    ownerType: detail(created, 'sender_type'),
    ownerName: detail(created, 'sender'),
    mode: detail(created, 'mode'),
    title: detail(created, 'title'),
    reference: detail(created, 'reference'),
    createdBy: detail(created, 'created_by.user_id')
      ? { userId: detail(created, 'created_by.user_id'), email: detail(created, 'created_by.email') }
      : null,
    locale: detail(created, 'locale'),
    signerCount: detail(created, 'signers'),
    expiresAt: detail(created, 'expires_at'),
    reminders: OPERATIONAL,
  }) satisfies Partial<Record<keyof RequestState, unknown>>;

/** Creates a request; no mail has been sent yet. */
export function create(input: NewRequest, now: Date): { request: SignatureRequest; change: Change } {
  const createdAt = now.toISOString();
  const signers = input.signers.map((signer, position) => newSigner(signer, position, createdAt));
  const archiveProtected = input.owner.archive && input.owner.mode === 'live';
  const state: Change['state'] = {
    id: input.id,
    ownerId: input.owner.id,
    ownerType: input.owner.type,
    ownerName: input.owner.name,
    mode: input.owner.mode,
    status: 'pending',
    title: input.title,
    reference: input.reference,
    createdBy: input.createdBy,
    locale: input.locale,
    signerCount: signers.length,
    signedCount: 0,
    createdAt,
    invitationsReportedAt: null,
    sentAt: null,
    openedAt: null,
    signedAt: null,
    cancelledAt: null,
    endedAt: null,
    expiresAt: after(createdAt, input.expiresInDays * DAY),
    reminders: input.reminders && input.owner.reminders,
    archiveProtected,
    documentHash: null,
    evidenceHash: null,
    seal: null,
    renewal: null,
    renewed: null,
    stampQueuedAt: null,
    purgeAt: null,
    purgedAt: null,
    version: 0,
    auditSequence: 0,
    auditHead: '',
    trailVersion: TRAIL_VERSION,
    anchor: null,
    erasures: 0,
    lastEventAt: null,
  };
  const change: Change = {
    state,
    signers,
    audit: [
      {
        type: 'request_created',
        at: createdAt,
        actor: 'client',
        details: factsOf(state, input.content, signers),
      },
    ],
    effects: [
      {
        kind: 'event',
        type: 'signature_request.created',
        data: { ...requestData(state), signers: signers.map(signerData) },
      },
      { kind: 'mail', task: 'invitations', notBefore: after(createdAt, MAIL_LEASE) },
    ],
  };
  return { request: { state, content: input.content, signers }, change };
}
