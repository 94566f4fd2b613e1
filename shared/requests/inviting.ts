import { ApiError } from '../contract/api-error.ts';
import { after, DAY } from '../runtime/time.ts';
import type { Locale } from '../texts/languages.ts';
import { codeOf, MAIL_LEASE } from './creating.ts';
import { requestData, signerData } from './event-data.ts';
import { isActive, mayStillSign, signerById, takesSignatures, withSigner } from './lifecycle.ts';
import { isUnreachable, type MailOutcome, withMail } from './mails.ts';
import {
  type AuditEntry,
  type Change,
  changeOf,
  type Effect,
  type RequestState,
  type SignatureRequest,
  type SignerState,
} from './model.ts';
import { noticeOf } from './notices.ts';

export const REMIND_AFTER_DAYS = [3, 7] as const;

const firstReminder = (request: SignatureRequest, at: string) =>
  request.state.reminders ? after(at, REMIND_AFTER_DAYS[0] * DAY) : null;

/** Applies the outcome of an invitation to its signer. A link opened meanwhile stays opened. */
export function invited(
  request: SignatureRequest,
  signer: SignerState,
  outcome: MailOutcome,
  at: string,
): SignerState {
  const sent = outcome.sent && signer.status === 'pending';
  return {
    ...signer,
    status: sent ? 'sent' : signer.status,
    sentAt: outcome.sent ? at : signer.sentAt,
    invitation: { at, sent: outcome.sent, error: outcome.error },
    mails: withMail(signer, 'invitation', outcome, at),
    mailLeaseUntil: null,
    remindAt: outcome.sent && mayStillSign(signer) ? firstReminder(request, at) : null,
  };
}

/** True once nobody will be invited any more. After the time to sign nobody else is. */
const areAllAttempted = ({ state, signers }: SignatureRequest, now: Date): boolean =>
  takesSignatures(state, now)
    ? signers.every(({ invitation }) => invitation)
    : signers.some(({ invitation }) => invitation);

/** What the outcomes of invitations say in the trail, and to the sender about those that failed. */
function reportOf(
  request: SignatureRequest,
  attempted: readonly SignerState[],
  now: Date,
): { audit: AuditEntry[]; effects: Effect[] } {
  const failed = attempted.filter(({ invitation }) => !invitation?.sent);
  return {
    audit: attempted.map(({ id, invitation }) => ({
      type: invitation?.sent ? 'invitation_sent' : 'invitation_failed',
      at: invitation?.at ?? now.toISOString(),
      actor: 'service',
      signerId: id,
      details: invitation?.error ? { error: invitation.error } : {},
    })),
    effects: failed.length > 0 ? [noticeOf('mail_failed', request, failed)] : [],
  };
}

/**
 * Reports the invitation batch once: audit entries, and the `sent` event unless the request ended before all were invited. The
 * request is sent, or pending if no mail could be sent.
 */
export function invitationsReported(request: SignatureRequest, now: Date): Change | undefined {
  const { state: before, signers } = request;
  if (before.invitationsReportedAt) return undefined;
  const attempted = signers.filter(({ invitation }) => invitation);
  const [sentAt = null] = attempted
    .flatMap(({ invitation }) => (invitation?.sent ? invitation.at : []))
    .sort();
  const state: RequestState = {
    ...before,
    invitationsReportedAt: now.toISOString(),
    sentAt: before.sentAt ?? sentAt,
    status: before.status === 'pending' && sentAt ? 'sent' : before.status,
  };
  const { audit, effects } = reportOf(request, attempted, now);
  const outcomes = signers.map((signer) => ({
    ...signerData(signer),
    email_sent: signer.invitation?.sent ?? false,
    email_error: signer.invitation?.error ?? null,
  }));
  const data = { ...requestData(state), signers: outcomes };
  const isWhole = attempted.length === signers.length;
  return {
    state,
    signers,
    audit,
    effects: [
      ...(isWhole ? [{ kind: 'event', type: 'signature_request.sent', data } as const] : []),
      ...effects,
    ],
  };
}

export interface Mailed extends MailOutcome {
  at: string;
}

/**
 * Records the outcomes of invitations, by signer, and reports the batch with the last of them. Of two functions that mailed it at
 * once, the later one may find it reported without its own, since the request has ended: they are reported alone.
 */
export function invitationsMailed(
  request: SignatureRequest,
  outcomes: ReadonlyMap<string, Mailed>,
  now: Date,
): Change | undefined {
  const fresh = request.signers.flatMap((signer) => {
    const outcome = outcomes.get(signer.id);
    return outcome && !signer.invitation ? [invited(request, signer, outcome, outcome.at)] : [];
  });
  const mailed = { ...request, signers: fresh.reduce(withSigner, request.signers) };
  const report = areAllAttempted(mailed, now) ? invitationsReported(mailed, now) : undefined;
  if (report) return report;
  const isReported = request.state.invitationsReportedAt !== null;
  return outcomes.size > 0 ? changeOf(mailed, isReported ? reportOf(mailed, fresh, now) : {}) : undefined;
}

export function assertMayBeMailed(request: SignatureRequest, signer: SignerState, now: Date): void {
  if (!mayStillSign(signer))
    throw new ApiError(
      'signer_not_active',
      `The signer’s status is \`${signer.status}\`, so no mail is sent.`,
    );
  const { state } = request;
  if (takesSignatures(state, now)) return;
  const why = isActive(state) ? `time ended at ${state.expiresAt}` : `status is \`${state.status}\``;
  throw new ApiError('request_not_active', `The request’s ${why}, so no mail is sent.`);
}

/** Thrown if another call holds the signer's mail lease, which ends at `until`. */
export class MailLeaseHeld extends Error {
  override name = 'MailLeaseHeld';
  readonly until: string;

  constructor(until: string) {
    super('The signer is being mailed by another call.');
    this.until = until;
  }
}

/** True while another call mails the signer. */
export const isLeased = ({ mailLeaseUntil }: SignerState, now: Date): boolean =>
  mailLeaseUntil !== null && now.toISOString() < mailLeaseUntil;

/**
 * Serializes mails to a signer, so that the mail sent last contains the valid code, and none goes to an earlier address once
 * the signer is corrected.
 */
export function leaseFor(signer: SignerState, now: Date): string {
  if (signer.mailLeaseUntil && isLeased(signer, now)) throw new MailLeaseHeld(signer.mailLeaseUntil);
  return after(now, MAIL_LEASE);
}

/**
 * Resumes an invitation after a crash, with a new code, since only the hash of the first one was stored. Undefined if
 * it has an outcome, or if the time to sign is over: the task may run a day late.
 */
export function resumeInvitation(
  request: SignatureRequest,
  by: { signerId: string; codeHash: string },
  now: Date,
): Change | undefined {
  const signer = signerById(request, by.signerId);
  if (signer.invitation || !takesSignatures(request.state, now)) return undefined;
  return mailLeased(request, signer, by.codeHash, now);
}

/** Takes the signer's mail lease, for a mail with this code. */
export const mailLeased = (
  request: SignatureRequest,
  signer: SignerState,
  codeHash: string,
  now: Date,
): Change => {
  const leased = { ...signer, mailLeaseUntil: leaseFor(signer, now), code: codeOf(codeHash, now) };
  return changeOf(request, { signers: withSigner(request.signers, leased) });
};

/** A new code for a mail of the sender, with counters and lock reset. Takes the mail lease. */
export const freshCodeEntry = (signer: SignerState, codeHash: string, now: Date) => ({
  code: codeOf(codeHash, now),
  codeAttempts: 0,
  lastAttemptAt: null,
  codeRequests: [],
  wrongCodes: [],
  mailLeaseUntil: leaseFor(signer, now),
});

/** The sender's resend: replaces the code at once and resets counters and lock. */
export function rotateCode(
  request: SignatureRequest,
  by: { signerId: string; codeHash: string; locale: Locale | undefined },
  now: Date,
): Change {
  const signer = signerById(request, by.signerId);
  assertMayBeMailed(request, signer, now);
  const at = now.toISOString();
  const rotated: SignerState = {
    ...signer,
    locale: by.locale ?? signer.locale,
    ...freshCodeEntry(signer, by.codeHash, now),
  };
  return changeOf(request, {
    signers: withSigner(request.signers, rotated),
    audit: [
      { type: 'code_rotated', at, actor: 'client', signerId: signer.id, details: { locale: rotated.locale } },
    ],
  });
}

/**
 * Records the outcome of a resend, which restarts reminders that a bounce stopped. The first mail that is sent makes a
 * pending request sent.
 */
export function resent(request: SignatureRequest, by: { signerId: string } & MailOutcome, now: Date): Change {
  const signer = signerById(request, by.signerId);
  const at = now.toISOString();
  const known = by.sent && isUnreachable(signer) ? { ...signer, remindersSent: 0, remindAt: null } : signer;
  const mailed: SignerState = {
    ...known,
    mailLeaseUntil: null,
    mails: withMail(signer, 'resend', by, at),
    ...(by.sent &&
      mayStillSign(signer) && {
        status: signer.status === 'pending' ? ('sent' as const) : signer.status,
        sentAt: at,
        remindAt: known.remindAt ?? (known.remindersSent === 0 ? firstReminder(request, at) : null),
      }),
  };
  const becomesSent = by.sent && request.state.status === 'pending';
  return changeOf(request, {
    state: becomesSent
      ? { ...request.state, status: 'sent', sentAt: request.state.sentAt ?? at }
      : request.state,
    signers: withSigner(request.signers, mailed),
    audit: [
      {
        type: by.sent ? 'invitation_resent' : 'invitation_resend_failed',
        at,
        actor: 'client',
        signerId: signer.id,
        details: { locale: signer.locale, ...(by.error && { error: by.error }) },
      },
    ],
    effects: by.sent ? [] : [noticeOf('mail_failed', request, [signer])],
  });
}
