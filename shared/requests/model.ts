import * as z from 'zod';
import type { EventData, EventType } from '../contract/events.ts';
import {
  type Actor,
  MODES,
  mailKind,
  REQUEST_STATUSES,
  SIGNER_STATUSES,
  TYPED_STYLES,
} from '../contract/fields.ts';
import { LOCALES } from '../texts/languages.ts';

/**
 * The signature request as the rules see it and as the table stores it: one schema for both. Times are ISO strings in
 * UTC; null where something has not happened. A member added later needs a default, since stored items lack it;
 * `orNull` has one.
 */
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);
const time = z.string();
const locale = z.enum(LOCALES);
const mailOutcome = z.object({ at: time, sent: z.boolean(), error: orNull(z.string()) });

const signerMail = z.object({
  /** SES's; null for a mail that was not sent. */
  id: orNull(z.string()),
  kind: mailKind,
  at: time,
  sent: z.boolean(),
});

/** `id` and `sentAt` are SES's. */
const returnedMail = z.object({
  id: z.string(),
  kind: mailKind,
  sentAt: time,
  outcome: z.enum(['bounced', 'complained']),
  at: time,
});

const session = z.object({ hash: z.string(), expiresAt: time });

export const sealRecord = z.object({
  sealedAt: time,
  objectKey: z.string(),
  size: z.int(),
  pagesAdded: z.int(),
  technical: z.record(z.string(), z.string()),
});

const renewal = z.object({
  dueAt: time,
  /** The first end among the certificates of the files' newest document timestamps. */
  endsAt: time,
  /** Attempts that failed since the last renewal, why, and when the next one may begin. */
  failures: z.int(),
  fault: orNull(z.string()),
  nextAttemptAt: orNull(time),
});

export const requestState = z.object({
  id: z.string(),
  ownerId: z.string(),
  ownerType: z.enum(['organization', 'user']),
  ownerName: z.string(),
  mode: z.enum(MODES),
  status: z.enum(REQUEST_STATUSES),
  title: z.string(),
  /** The client's own. */
  reference: orNull(z.string()),
  /** The user who made it on the dashboard; null if it was made with an API key. */
  createdBy: orNull(z.object({ userId: z.string(), email: z.string() })),
  locale,
  signerCount: z.int(),
  signedCount: z.int(),
  createdAt: time,
  /** When every invitation had been attempted; null while mailing is under way. */
  invitedAt: orNull(time),
  /** When the attempted invitations were written to the trail and reported to the sender. */
  invitationsReportedAt: orNull(time),
  sentAt: orNull(time),
  openedAt: orNull(time),
  signedAt: orNull(time),
  cancelledAt: orNull(time),
  /** When the request ended, in whatever way; retention is counted from here. */
  endedAt: orNull(time),
  expiresAt: time,
  reminders: z.boolean(),
  archiveProtected: z.boolean(),
  documentHash: orNull(z.string()),
  /** Of the evidence file; requests without an anchor have none. */
  evidenceHash: orNull(z.string()),
  seal: orNull(sealRecord),
  /** The date of the files’ renewal; null below B-LTA, and for requests sealed before they had a date. */
  renewal: orNull(renewal),
  /** The newest renewed files. Their hashes name the objects. */
  renewed: orNull(
    z.object({ number: z.int(), at: time, documentHash: z.string(), evidenceHash: orNull(z.string()) }),
  ),
  /** When the seal was last queued; null unless the seal is awaited. */
  stampQueuedAt: orNull(time),
  purgeAt: orNull(time),
  purgedAt: orNull(time),
  /** Increases with every write; each write is conditioned on the version it read. */
  version: z.int(),
  auditSequence: z.int(),
  auditHead: z.string(),
  /** The version of the first event. Requests made before events held every fact have none that evidence can rest on. */
  trailVersion: z.int().default(1),
  /** The end of the trail when the last signer signed: what signature page and evidence state. Never moved again. */
  anchor: orNull(z.object({ sequence: z.int(), hash: z.string() })),
  /** The number of signers whose personal values were erased. */
  erasures: z.int().default(0),
  /** The `created_at` of the last webhook event, so that the next one is later. */
  lastEventAt: orNull(time),
});

/** The attributes that a list shows. It reads them from the table: an index gives only their order. */
export const listedState = requestState.pick({
  id: true,
  status: true,
  title: true,
  reference: true,
  signerCount: true,
  createdAt: true,
  sentAt: true,
  signedAt: true,
  cancelledAt: true,
  expiresAt: true,
  mode: true,
});

/** The part of a request that never changes after creation. */
export const requestContent = z.object({
  message: z.string(),
  /** As sent: key order and digits kept. */
  metadataJson: z.string(),
  filename: z.string(),
  documentSize: z.int(),
  documentSha256: z.string(),
  documentKey: z.string(),
  pageCount: z.int(),
  alreadySigned: z.boolean(),
  /** Null without any, and for requests made before they were listed. */
  attachments: orNull(
    z.object({
      /** Their number; only the first ones are listed. */
      count: z.int(),
      listed: z.array(z.object({ filename: z.string(), size: z.int() })),
    }),
  ),
  /** The sender's page that signers are led back to. */
  returnUrl: orNull(z.string()),
});

export const signerState = z.object({
  id: z.string(),
  position: z.int(),
  email: z.string(),
  name: z.string(),
  nameAsInvited: orNull(z.string()),
  /** Values before the sender corrected them, which a replayed create answers; null while they hold. */
  asCreated: orNull(z.object({ email: z.string(), name: z.string() })),
  accessTokenAsCreated: orNull(z.string()),
  nameAsSigned: orNull(z.string()),
  locale,
  /** The locale at creation, which a replayed create answers. */
  localeAsInvited: locale,
  accessToken: z.string(),
  status: z.enum(SIGNER_STATUSES),
  sentAt: orNull(time),
  openedAt: orNull(time),
  /** When the document was first shown. */
  viewedAt: orNull(time),
  signedAt: orNull(time),
  declinedAt: orNull(time),
  invalidatedAt: orNull(time),
  declineReason: orNull(z.string()),
  ipAddress: orNull(z.string()),
  userAgent: orNull(z.string()),
  representingAsInvited: orNull(z.string()),
  representingAsSigned: orNull(z.string()),
  representingRole: orNull(z.string()),
  representingEntityId: orNull(z.string()),
  /** The outcome of the invitation; null until it was attempted. */
  invitation: orNull(mailOutcome),
  code: orNull(z.object({ hash: z.string(), expiresAt: time })),
  codeAttempts: z.int(),
  lastAttemptAt: orNull(time),
  /** When the signer asked for codes on the page since the sender last mailed the link; after signing, within a day. */
  codeRequests: z.array(time),
  /** When wrong codes were entered since the sender last mailed the link; after signing, within a day. */
  wrongCodes: z.array(time).default([]),
  /** The verified browsers, at most five; the cookie's value is stored as a hash. */
  sessions: z.array(session).default([]),
  /** One call mails this signer until then; every other call waits. */
  mailLeaseUntil: orNull(time),
  signature: orNull(
    z.object({
      type: z.enum(['typed', 'drawn']),
      /** The typed text, or the object key of the drawn image. */
      value: z.string(),
      /** Of the stored image; null for typed text, and for images stored before it was kept. */
      drawingSha256: orNull(z.string()),
      /** The chosen typeface of typed text. */
      style: orNull(z.enum(TYPED_STYLES)),
      consentVersion: z.string(),
      consentLocale: locale,
      documentSha256: z.string(),
      /** Part of the first answer, which a repeated call gets again. */
      remaining: z.int(),
      requestStatus: z.enum(REQUEST_STATUSES),
    }),
  ),
  /** The outcome of the mail that the document is sealed. */
  sealedNotice: orNull(mailOutcome),
  /** When the sender was last told that a code which the signer asked for could not be mailed. */
  codeFailureToldAt: orNull(time),
  /** The newest mails, written by who sent them. */
  mails: z.array(signerMail).default([]),
  /**
   * The newest mails that came back or were reported as spam. Apart from `mails`, so that a bounce and a sender who is still
   * writing down the mail do not overwrite each other.
   */
  returnedMails: z.array(returnedMail).default([]),
  remindersSent: z.int(),
  remindAt: orNull(time),
  /** When the personal values were erased; neutral ones stand in their place. */
  erasedAt: orNull(time),
});

export type ReturnedMail = z.output<typeof returnedMail>;
export type Session = z.output<typeof session>;
export type SealRecord = z.output<typeof sealRecord>;
export type Renewal = z.output<typeof renewal>;
export type RequestState = z.output<typeof requestState>;
export type ListedState = z.output<typeof listedState>;
export type RequestContent = z.output<typeof requestContent>;
export type SignerState = z.output<typeof signerState>;

/** A signer's optional personal values: before anything was given, and after erasing. */
export const NO_OPTIONAL_VALUES = {
  declineReason: null,
  ipAddress: null,
  userAgent: null,
  representingAsInvited: null,
  representingAsSigned: null,
  representingRole: null,
  representingEntityId: null,
  asCreated: null,
  accessTokenAsCreated: null,
} as const satisfies Partial<SignerState>;

export interface SignatureRequest {
  state: RequestState;
  content: RequestContent;
  signers: SignerState[];
}

/** The origin of an action, as the trusted edge saw it. */
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
  'signer_corrected',
  'link_opened',
  'code_sent',
  'code_failed',
  'code_wrong',
  'link_locked',
  'code_entry_ended',
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
  'signer_notice_sent',
  'signer_notice_failed',
  'sender_notice_sent',
  'sender_notice_failed',
  'mail_bounced',
  'mail_complained',
  'document_downloaded',
  'webhook_delivered',
  'webhook_failed',
  'request_expired',
  'document_deletion_requested',
  'document_purged',
  'retention_changed',
  'archive_renewed',
  'person_erased',
] as const;

export type AuditType = (typeof AUDIT_TYPES)[number];

export const MAIL_TASKS = ['invitations', 'sealed_notices'] as const;

/** Reasons to mail a notice to the sender or to signers. */
export const NOTICE_REASONS = [
  'completed',
  'declined',
  'cancelled',
  'expired',
  'mail_failed',
  'mail_bounced',
  'mail_complained',
  'code_entry_ended',
  'sealing_failed',
] as const;
export type NoticeReason = (typeof NOTICE_REASONS)[number];

/** The recipient of a notice who is not a signer. */
export const SENDER = 'sender';

export const notice = z.object({
  reason: z.enum(NOTICE_REASONS),
  /** `SENDER` and ids of signers, in the order in which they are mailed. */
  recipients: z.array(z.string()),
  /** The signers whom it is about. */
  about: z.array(z.string()),
});
export type Notice = z.output<typeof notice>;

/** A webhook event with the payload that the contract declares for its type. */
export type EventEffect = {
  [T in EventType]: { kind: 'event'; type: T; data: EventData<T> };
}[EventType];

export type NoticeEffect = { kind: 'notice' } & Notice;

/** Work that follows from a change: committed with it, done after it. */
export type Effect =
  | EventEffect
  | { kind: 'seal' }
  | NoticeEffect
  | { kind: 'mail'; task: (typeof MAIL_TASKS)[number]; notBefore?: string }
  | { kind: 'correction'; signerId: string; notBefore: string };

/** The decision of a rule: the next state of the request, its audit entries and its effects. */
export interface Change {
  state: RequestState;
  signers: SignerState[];
  audit: AuditEntry[];
  effects: Effect[];
  /** Fixes the anchor at the last event of this change. */
  fixesAnchor?: true;
}
