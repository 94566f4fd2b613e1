import { after, DAY } from '../runtime/time.ts';
import { hasCodeEntryEnded } from './codes.ts';
import { isLeased, leaseFor, REMIND_AFTER_DAYS } from './inviting.ts';
import { mayStillSign, takesSignatures, withSigner } from './lifecycle.ts';
import { isUnreachable, type MailOutcome, withMail } from './mails.ts';
import { type Change, changeOf, type SignatureRequest, type SignerState } from './model.ts';
import { noticeOf } from './notices.ts';

export const signerAt = (request: SignatureRequest, position: number): SignerState | undefined =>
  request.signers.find((signer) => signer.position === position);

/** A signer who can get no code could do nothing with a reminder. */
export const isReminderDue = ({ state }: SignatureRequest, signer: SignerState, now: Date): boolean =>
  takesSignatures(state, now) &&
  state.reminders &&
  mayStillSign(signer) &&
  !isUnreachable(signer) &&
  !hasCodeEntryEnded(signer, now) &&
  signer.remindAt !== null &&
  signer.remindAt <= now.toISOString();

/** The due time of a reminder, counted from the invitation; null after the last one. */
function nextReminder(signer: SignerState, reminded: number): string | null {
  const days = REMIND_AFTER_DAYS[reminded];
  return days === undefined || !signer.sentAt ? null : after(signer.sentAt, days * DAY);
}

/** The next reminder that is not due yet. */
const laterReminder = (signer: SignerState, now: Date): string | null =>
  REMIND_AFTER_DAYS.map((_, reminded) => nextReminder(signer, reminded)).find(
    (at) => at !== null && at > now.toISOString(),
  ) ?? null;

/**
 * Leases a reminder that is due, so that no other run mails it and the sender cannot correct the signer meanwhile. Clears one that no
 * longer applies, or skips to the next if the owner has turned reminders off. A crash between mail and record may repeat one mail;
 * none is lost.
 */
export function leaseReminder(
  request: SignatureRequest,
  position: number,
  { ownerReminds }: { ownerReminds: boolean },
  now: Date,
): Change | undefined {
  const signer = signerAt(request, position);
  if (!signer?.remindAt || signer.remindAt > now.toISOString()) return undefined;
  const isDue = isReminderDue(request, signer, now);
  if (isDue && ownerReminds && isLeased(signer, now)) return undefined;
  const lease = isDue && ownerReminds ? leaseFor(signer, now) : undefined;
  const next = lease
    ? { remindAt: lease, mailLeaseUntil: lease }
    : { remindAt: isDue ? laterReminder(signer, now) : null };
  return changeOf(request, { signers: withSigner(request.signers, { ...signer, ...next }) });
}

/** Returns the lease of a reminder that was not mailed, which stays due: the signer may ask for a code meanwhile. */
export function reminderPostponed(
  request: SignatureRequest,
  { position, mailLeaseUntil }: Pick<SignerState, 'position' | 'mailLeaseUntil'>,
): Change | undefined {
  const signer = signerAt(request, position);
  if (signer?.mailLeaseUntil !== mailLeaseUntil) return undefined;
  return changeOf(request, { signers: withSigner(request.signers, { ...signer, mailLeaseUntil: null }) });
}

/** Records the outcome of the signer's `nth` reminder, counted from 0. Further reminders that fell due meanwhile are skipped. */
export function reminderMailed(
  request: SignatureRequest,
  by: { position: number; nth: number } & MailOutcome,
  now: Date,
): Change | undefined {
  const signer = signerAt(request, by.position);
  if (!signer || signer.remindersSent !== by.nth) return undefined;
  let remindersSent = by.nth + 1;
  let remindAt = signer.remindAt && nextReminder(signer, remindersSent);
  while (remindAt && remindAt <= now.toISOString()) {
    remindersSent += 1;
    remindAt = nextReminder(signer, remindersSent);
  }
  return changeOf(request, {
    signers: withSigner(request.signers, {
      ...signer,
      remindersSent,
      remindAt,
      mailLeaseUntil: null,
      mails: withMail(signer, 'reminder', by, now.toISOString()),
    }),
    audit: [
      {
        type: by.sent ? 'reminder_sent' : 'reminder_failed',
        at: now.toISOString(),
        actor: 'service',
        signerId: signer.id,
        details: by.error ? { error: by.error } : {},
      },
    ],
    effects: by.sent ? [] : [noticeOf('mail_failed', request, [signer])],
  });
}
