import * as z from 'zod';
import type { EventData, EventType } from '../contract/events.ts';
import {
  type Actor,
  type MailKind,
  MODES,
  OWNER_TYPES,
  REQUEST_STATUSES,
  SIGNER_STATUSES,
  TYPED_STYLES,
} from '../contract/fields.ts';
import { boolean, int, openEnum, orNull, string, stringOrNull } from '../runtime/schemas.ts';
import { LOCALES } from '../texts/languages.ts';

/**
 * The signature request as the rules see it and as the table stores it: one schema for both. Times are ISO strings in
 * UTC; null where something has not happened. A member added later needs a default, since stored items lack it;
 * `orNull` has one.
 */
const time = string;
const timeOrNull = stringOrNull;
const locale = z.enum(LOCALES);
const mailOutcome = z.object({ at: time, sent: boolean, error: stringOrNull });

const signerMail = z.object({
  /** SES's; null for a mail that was not sent. */
  id: stringOrNull,
  kind: openEnum<MailKind>(),
  at: time,
  sent: boolean,
});

/** `id` and `sentAt` are SES's. */
const returnedMail = z.object({
  id: string,
  kind: openEnum<MailKind>(),
  sentAt: time,
  outcome: z.enum(['bounced', 'complained']),
  at: time,
});

const session = z.object({ hash: string, expiresAt: time });

const sealRecord = z.object({
  sealedAt: time,
  objectKey: string,
  size: int,
  pagesAdded: int,
  technical: z.record(string, string),
});

const renewal = z.object({
  dueAt: time,
  /** The first end among the certificates of the files' newest document timestamps. */
  endsAt: time,
  /** Attempts that failed since the last renewal, why, and when the next one may begin. */
  failures: int,
  fault: stringOrNull,
  nextAttemptAt: timeOrNull,
});

export const requestState = z.object({
  id: string,
  ownerId: string,
  ownerType: z.enum(OWNER_TYPES),
  ownerName: string,
  mode: z.enum(MODES),
  status: z.enum(REQUEST_STATUSES),
  title: string,
  /** The client's own. */
  reference: stringOrNull,
  /** The user who made it on the dashboard; null if it was made with an API key. */
  createdBy: orNull(z.object({ userId: string, email: string })),
  locale,
  signerCount: int,
  signedCount: int,
  createdAt: time,
  /** When the attempted invitations were written to the trail and reported to the sender; null while mailing is under way. */
  invitationsReportedAt: timeOrNull,
  sentAt: timeOrNull,
  openedAt: timeOrNull,
  signedAt: timeOrNull,
  cancelledAt: timeOrNull,
  /** When the request ended, in whatever way; retention is counted from here. */
  endedAt: timeOrNull,
  expiresAt: time,
  reminders: boolean,
  archiveProtected: boolean,
  documentHash: stringOrNull,
  /** Of the evidence file; requests without an anchor have none. */
  evidenceHash: stringOrNull,
  seal: orNull(sealRecord),
  /** The date of the files’ renewal; null below B-LTA, and for requests sealed before they had a date. */
  renewal: orNull(renewal),
  /** The newest renewed files. Their hashes name the objects. */
  renewed: orNull(z.object({ number: int, at: time, documentHash: string, evidenceHash: stringOrNull })),
  /** When the seal was last queued; null unless the seal is awaited. */
  stampQueuedAt: timeOrNull,
  purgeAt: timeOrNull,
  purgedAt: timeOrNull,
  /** Increases with every write; each write is conditioned on the version it read. */
  version: int,
  auditSequence: int,
  auditHead: string,
  /** The version of the first event. Requests made before events held every fact have none that evidence can rest on. */
  trailVersion: int.default(1),
  /** The end of the trail when the last signer signed: what signature page and evidence state. Never moved again. */
  anchor: orNull(z.object({ sequence: int, hash: string })),
  /** The number of signers whose personal values were erased. */
  erasures: int.default(0),
  /** The `created_at` of the last webhook event, so that the next one is later. */
  lastEventAt: timeOrNull,
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

/** The members that full form, list and event payloads share, in the contract's names. */
export const requestHead = ({ status, title, reference }: ListedState) => ({ status, title, reference });

export const requestTimes = (state: ListedState) => ({
  created_at: state.createdAt,
  sent_at: state.sentAt,
  signed_at: state.signedAt,
  cancelled_at: state.cancelledAt,
  expires_at: state.expiresAt,
});

/** The part of a request that never changes after creation. */
export const requestContent = z.object({
  message: string,
  /** As sent: key order and digits kept. */
  metadataJson: string,
  filename: string,
  documentSize: int,
  documentSha256: string,
  documentKey: string,
  pageCount: int,
  alreadySigned: boolean,
  /** Null without any, and for requests made before they were listed. */
  attachments: orNull(
    z.object({
      /** Their number; only the first ones are listed. */
      count: int,
      listed: z.array(z.object({ filename: string, size: int })),
    }),
  ),
  /** The sender's page that signers are led back to. */
  returnUrl: stringOrNull,
});

export const signerState = z.object({
  id: string,
  position: int,
  email: string,
  name: string,
  nameAsInvited: stringOrNull,
  /** Values before the sender corrected them, which a replayed create answers; null while they hold. */
  asCreated: orNull(z.object({ email: string, name: string })),
  accessTokenAsCreated: stringOrNull,
  /** The time at which the sender corrected the address; null for the one of the creation, and for corrections from before this was kept. */
  addressSince: timeOrNull,
  nameAsSigned: stringOrNull,
  locale,
  /** The locale at creation, which a replayed create answers. */
  localeAsInvited: locale,
  accessToken: string,
  status: z.enum(SIGNER_STATUSES),
  sentAt: timeOrNull,
  openedAt: timeOrNull,
  /** When the document was first shown. */
  viewedAt: timeOrNull,
  signedAt: timeOrNull,
  declinedAt: timeOrNull,
  invalidatedAt: timeOrNull,
  declineReason: stringOrNull,
  ipAddress: stringOrNull,
  userAgent: stringOrNull,
  representingAsInvited: stringOrNull,
  representingAsSigned: stringOrNull,
  representingRole: stringOrNull,
  representingEntityId: stringOrNull,
  /** The outcome of the invitation; null until it was attempted. */
  invitation: orNull(mailOutcome),
  code: orNull(z.object({ hash: string, expiresAt: time })),
  codeAttempts: int,
  lastAttemptAt: timeOrNull,
  /** When the signer asked for codes on the page since the sender last mailed the link; after signing, within a day. */
  codeRequests: z.array(time),
  /** When wrong codes were entered since the sender last mailed the link; after signing, within a day. */
  wrongCodes: z.array(time).default([]),
  /** The verified browsers, at most five; the cookie's value is stored as a hash. */
  sessions: z.array(session).default([]),
  /** One call mails this signer until then; every other call waits. */
  mailLeaseUntil: timeOrNull,
  signature: orNull(
    z.object({
      type: z.enum(['typed', 'drawn']),
      /** The typed text, or the object key of the drawn image. */
      value: string,
      /** Of the stored image; null for typed text, and for images stored before it was kept. */
      drawingSha256: stringOrNull,
      /** The chosen typeface of typed text. */
      style: orNull(z.enum(TYPED_STYLES)),
      consentVersion: string,
      consentLocale: locale,
      documentSha256: string,
      /** Part of the first answer, which a repeated call gets again. */
      remaining: int,
      requestStatus: z.enum(REQUEST_STATUSES),
    }),
  ),
  /** The outcome of the mail that the document is sealed. */
  sealedNotice: orNull(mailOutcome),
  /** When the sender was last told that a code which the signer asked for could not be mailed. */
  codeFailureToldAt: timeOrNull,
  /** The newest mails, written by who sent them. */
  mails: z.array(signerMail).default([]),
  /**
   * The newest mails that came back or were reported as spam. Apart from `mails`, so that a bounce and a sender who is still
   * writing down the mail do not overwrite each other.
   */
  returnedMails: z.array(returnedMail).default([]),
  remindersSent: int,
  remindAt: timeOrNull,
  /** When the personal values were erased; neutral ones stand in their place. */
  erasedAt: timeOrNull,
  /** Increases with every write of the signer; each is conditioned on the version it read. */
  version: int.default(0),
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

/** Reasons to mail a notice, with its recipients; docs/notices.md is made from it. The signer whom a notice is about gets none. */
export const NOTICES = {
  /** The signers' mail has a link to the sealed document. */
  completed: { sender: true, signers: true },
  declined: { sender: true, signers: true },
  // The sender cancels.
  cancelled: { sender: false, signers: true },
  expired: { sender: true, signers: true },
  mail_failed: { sender: true, signers: false },
  mail_bounced: { sender: true, signers: false },
  mail_complained: { sender: true, signers: false },
  code_entry_ended: { sender: true, signers: false },
  sealing_failed: { sender: true, signers: false },
} as const;
export type NoticeReason = keyof typeof NOTICES;
export const NOTICE_REASONS = Object.keys(NOTICES) as [NoticeReason, ...NoticeReason[]];

/** The recipient of a notice who is not a signer. */
export const SENDER = 'sender';

export const notice = z.object({
  reason: z.enum(NOTICE_REASONS),
  /** `SENDER` and ids of signers, in the order in which they are mailed. */
  recipients: z.array(string),
  /** The signers whom it is about. */
  about: z.array(string),
});
export type Notice = z.output<typeof notice>;

/** A webhook event with the payload that the contract declares for its type. */
type EventEffect = {
  [T in EventType]: { kind: 'event'; type: T; data: EventData<T> };
}[EventType];

export type NoticeEffect = { kind: 'notice' } & Notice;

/** Work that follows from a change: committed with it, done after it. */
export type Effect =
  | EventEffect
  | { kind: 'seal' }
  | NoticeEffect
  | { kind: 'mail'; task: (typeof MAIL_TASKS)[number]; notBefore: string }
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

/** A change of these members; what is left out stays as it is. */
export const changeOf = ({ state, signers }: SignatureRequest, changed: Partial<Change>): Change => ({
  state,
  signers,
  audit: [],
  effects: [],
  ...changed,
});
