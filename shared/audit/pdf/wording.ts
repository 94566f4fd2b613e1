import type { RequestStatus, SignerStatus } from '../../contract/fields.ts';
import type { Actor, AuditType } from '../../requests/model.ts';

/** The audit trail is in English whatever the request's language: it is read by lawyers and auditors of any country. */
export const STATUS: Record<RequestStatus, string> = {
  pending: 'Pending: no invitation could be sent yet',
  sent: 'Sent',
  opened: 'Opened',
  signed: 'Signed and sealed',
  cancelled: 'Cancelled',
  declined: 'Declined',
  expired: 'Expired',
  awaiting_stamp: 'Signed by all, awaiting the seal',
  stamp_failed: 'Signed by all, sealing failed',
};

export const SIGNER_STATUS: Record<SignerStatus, string> = {
  pending: 'Pending',
  sent: 'Invited',
  opened: 'Opened',
  signed: 'Signed',
  declined: 'Declined',
  invalidated: 'Invalidated',
};

export const EVENT: Record<AuditType, string> = {
  request_created: 'Request created',
  invitation_sent: 'Invitation sent',
  invitation_failed: 'Invitation could not be sent',
  link_opened: 'Signing link opened',
  code_sent: 'One-time code sent',
  code_rotated: 'One-time code replaced',
  code_failed: 'One-time code could not be sent',
  code_wrong: 'Wrong one-time code entered',
  link_locked: 'Locked after too many wrong codes',
  code_verified: 'One-time code verified',
  document_viewed: 'Document shown to the signer',
  signer_signed: 'Signed',
  signer_declined: 'Declined to sign',
  request_cancelled: 'Request cancelled',
  invitation_resent: 'Invitation sent again',
  invitation_resend_failed: 'Invitation could not be sent again',
  reminder_sent: 'Reminder sent',
  reminder_failed: 'Reminder could not be sent',
  seal_queued: 'Seal requested',
  document_sealed: 'Document sealed',
  seal_failed: 'Sealing attempt failed',
  sealed_notice_sent: 'Notice of completion sent',
  sealed_notice_failed: 'Notice of completion could not be sent',
  document_downloaded: 'Sealed document downloaded',
  webhook_delivered: 'Webhook delivered',
  webhook_failed: 'Webhook delivery failed',
  request_expired: 'Request expired',
  document_purged: 'Document deleted after its retention period',
  retention_changed: 'Retention changed',
};

export const ACTOR: Record<Actor, string> = {
  client: 'Sender (API)',
  signer: 'Signer',
  service: 'Service',
  operator: 'Operator',
};

const LABEL: Record<string, string> = {
  subject: 'Certificate subject',
  issuer: 'Certificate issuer',
  serial: 'Certificate serial',
  notBefore: 'Valid from',
  notAfter: 'Valid until',
  algorithm: 'Algorithm',
  timestampAuthority: 'Time-stamp authority',
  timestampTime: 'Time-stamp time',
  timestampSerial: 'Time-stamp serial',
  timestampPolicy: 'Time-stamp policy',
};

export const NOT_SIGNED =
  'This audit trail is informational and is not signed. The sealed document is the legal evidence.';

export const TEST_MARK =
  'Test – made in test mode. The seal uses a test certificate and has no legal effect.';

/** 2026-11-21 10:00:00 */
export function clockTime(iso: string): string {
  return new Date(iso).toISOString().slice(0, 19).replace('T', ' ');
}

export function utc(iso: string): string {
  return `${clockTime(iso)} UTC`;
}

/** The name of a stored detail as people read it: `document_sha256` → Document SHA-256. */
export function asLabel(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace('sha256', 'SHA-256');
  return LABEL[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function asValue(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? utc(value) : value;
}

export function asSize(bytes: number): string {
  const exact = `${String(bytes).replace(/\B(?=(\d{3})+$)/g, ' ')} bytes`;
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(1)} KB (${exact})`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB (${exact})`;
}
