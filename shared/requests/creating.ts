import type { Locale } from '../contract/fields.ts';
import { after, MINUTE, SECOND } from '../runtime/time.ts';
import type { Mode } from '../store/keys.ts';
import { requestData, signerData } from './event-data.ts';
import { expiryOf } from './lifecycle.ts';
import type { Change, RequestContent, SignatureRequest, SignerState } from './model.ts';

export const CODE_MINUTES = 10;

/** How long whoever mails a signer has for it; after that another may. */
export const MAIL_LEASE = 60 * SECOND;

export interface NewRequest {
  id: string;
  owner: {
    id: string;
    type: 'organization' | 'user';
    name: string;
    mode: Mode;
    archive: boolean;
    reminders: boolean;
  };
  title: string;
  locale: Locale;
  reminders: boolean;
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
    declineReason: null,
    ipAddress: null,
    userAgent: null,
    representingAsInvited: null,
    representingAsSigned: null,
    representingRole: null,
    representingEntityId: null,
    invitation: null,
    code: { hash: signer.codeHash, expiresAt: after(createdAt, CODE_MINUTES * MINUTE) },
    codeAttempts: 0,
    lastAttemptAt: null,
    codeRequests: [],
    mailLeaseUntil: after(createdAt, MAIL_LEASE),
    signature: null,
    sealedNotice: null,
    remindersSent: 0,
    remindAt: null,
  };
}

/** The first state of a request, before any mail has gone out. */
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
    locale: input.locale,
    signerCount: signers.length,
    signedCount: 0,
    createdAt,
    invitedAt: null,
    invitationsReportedAt: null,
    sentAt: null,
    openedAt: null,
    signedAt: null,
    cancelledAt: null,
    endedAt: null,
    expiresAt: expiryOf(createdAt),
    reminders: input.reminders && input.owner.reminders,
    archiveProtected,
    documentHash: null,
    seal: null,
    stampQueuedAt: null,
    purgeAt: null,
    purgedAt: null,
    version: 0,
    auditSequence: 0,
    auditHead: '',
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
        details: {
          signers: signers.length,
          document_sha256: input.content.documentSha256,
          document_size: input.content.documentSize,
        },
      },
    ],
    follow: [
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
