import type { EventType } from '../contract/events.ts';
import type { Locale, RequestStatus, SignerStatus } from '../contract/fields.ts';
import type { Mode } from '../store/keys.ts';

/** The signature request as the rules see it. Times are ISO strings in UTC; null where something has not happened. */
export interface RequestState {
  id: string;
  ownerId: string;
  ownerType: 'organization' | 'user';
  ownerName: string;
  mode: Mode;
  status: RequestStatus;
  title: string;
  locale: Locale;
  signerCount: number;
  signedCount: number;
  createdAt: string;
  /** When the invitations had all been attempted; null while they are under way. */
  invitedAt: string | null;
  /** When the attempted invitations were written into the trail and told to the sender. */
  invitationsReportedAt: string | null;
  sentAt: string | null;
  openedAt: string | null;
  signedAt: string | null;
  cancelledAt: string | null;
  /** When it came to its end, however it ended: retention runs from here. */
  endedAt: string | null;
  expiresAt: string;
  reminders: boolean;
  archiveProtected: boolean;
  documentHash: string | null;
  seal: SealRecord | null;
  /** When the seal was last put into its queue, while it is awaited. */
  stampQueuedAt: string | null;
  purgeAt: string | null;
  purgedAt: string | null;
  /** Counts every write of the request; each is conditioned on the one before. */
  version: number;
  auditSequence: number;
  auditHead: string;
  /** The `created_at` of the last event, so that the next is later. */
  lastEventAt: string | null;
}

export interface SealRecord {
  sealedAt: string;
  objectKey: string;
  size: number;
  pagesAdded: number;
  technical: Record<string, string>;
}

/** What never changes after creation. */
export interface RequestContent {
  message: string;
  /** As sent: key order and digits kept. */
  metadataJson: string;
  filename: string;
  documentSize: number;
  documentSha256: string;
  documentKey: string;
  pageCount: number;
  alreadySigned: boolean;
}

export interface SignerState {
  id: string;
  position: number;
  email: string;
  name: string;
  nameAsInvited: string | null;
  nameAsSigned: string | null;
  locale: Locale;
  /** The locale at creation, which the answer to a repeated create shows. */
  localeAsInvited: Locale;
  accessToken: string;
  status: SignerStatus;
  sentAt: string | null;
  openedAt: string | null;
  /** When the document was first shown. */
  viewedAt: string | null;
  signedAt: string | null;
  declinedAt: string | null;
  invalidatedAt: string | null;
  declineReason: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  representingAsInvited: string | null;
  representingAsSigned: string | null;
  representingRole: string | null;
  representingEntityId: string | null;
  /** The outcome of the invitation: null until it was attempted. */
  invitation: { at: string; sent: boolean; error: string | null } | null;
  code: { hash: string; expiresAt: string } | null;
  codeAttempts: number;
  lastAttemptAt: string | null;
  /** When codes were asked for on the page, within the window that is counted. */
  codeRequests: string[];
  /** Until when someone is mailing this signer; nobody else does so meanwhile. */
  mailLeaseUntil: string | null;
  signature: SignatureRecord | null;
  /** The outcome of the mail that the document is sealed. */
  sealedNotice: { at: string; sent: boolean; error: string | null } | null;
  remindersSent: number;
  remindAt: string | null;
}

export interface SignatureRecord {
  type: 'typed' | 'drawn';
  /** The typed text, or the key of the drawn image. */
  value: string;
  consentVersion: string;
  consentLocale: Locale;
  documentSha256: string;
  /** The first answer, which the same signer gets again. */
  remaining: number;
  requestStatus: RequestStatus;
}

export interface SignatureRequest {
  state: RequestState;
  content: RequestContent;
  signers: SignerState[];
}

export type Actor = 'client' | 'signer' | 'service' | 'operator';

/** Who acted from where; the address comes from the trusted edge only. */
export interface Visitor {
  ipAddress: string | null;
  userAgent: string | null;
}

export interface AuditEntry {
  type: AuditType;
  at: string;
  actor: Actor;
  signerId?: string;
  visitor?: Visitor;
  details?: Record<string, unknown>;
}

export const AUDIT_TYPES = [
  'request_created',
  'invitation_sent',
  'invitation_failed',
  'code_rotated',
  'link_opened',
  'code_sent',
  'code_failed',
  'code_wrong',
  'link_locked',
  'code_verified',
  'document_viewed',
  'signer_signed',
  'signer_declined',
  'request_cancelled',
  'invitation_resent',
  'invitation_resend_failed',
  'reminder_sent',
  'reminder_failed',
  'seal_queued',
  'document_sealed',
  'seal_failed',
  'sealed_notice_sent',
  'sealed_notice_failed',
  'document_downloaded',
  'webhook_delivered',
  'webhook_failed',
  'request_expired',
  'document_purged',
  'retention_changed',
] as const;

export type AuditType = (typeof AUDIT_TYPES)[number];

/** Work that follows from a change, written with it and done after it. */
export type Follow =
  | { kind: 'event'; type: EventType; data: Record<string, unknown> }
  | { kind: 'seal' }
  | { kind: 'mail'; task: 'invitations' | 'sealed_notices'; notBefore?: string };

/** What a rule decided: the request as it will stand, and what is told and done because of it. */
export interface Change {
  state: RequestState;
  signers: SignerState[];
  audit: AuditEntry[];
  follow: Follow[];
}
