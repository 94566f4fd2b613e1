import { after, DAY, SECOND } from '../runtime/time.ts';
import { REMIND_AFTER_DAYS } from './inviting.ts';
import { isActive, isExpired, mayStillSign, withSigner } from './lifecycle.ts';
import type { Change, SignatureRequest, SignerState } from './model.ts';

export const signerAt = (request: SignatureRequest, position: number): SignerState | undefined =>
  request.signers.find((signer) => signer.position === position);

/** Whether a signer is to be reminded now. */
export const isToBeReminded = ({ state }: SignatureRequest, signer: SignerState, now: Date): boolean =>
  isActive(state) &&
  !isExpired(state, now) &&
  state.reminders &&
  mayStillSign(signer) &&
  signer.remindAt !== null &&
  signer.remindAt <= now.toISOString();

/** The next time, counted from the invitation; null when both reminders are used up. */
function nextReminder(signer: SignerState, reminded: number): string | null {
  const days = REMIND_AFTER_DAYS[reminded];
  return days === undefined || !signer.sentAt ? null : after(signer.sentAt, days * DAY);
}

/** The first time for a reminder that is still to come. */
const laterReminder = (signer: SignerState, now: Date): string | null =>
  REMIND_AFTER_DAYS.map((_, reminded) => nextReminder(signer, reminded)).find(
    (at) => at !== null && at > now.toISOString(),
  ) ?? null;

/** How long whoever mails a reminder has for it; after that it is believed lost, and another run mails it. */
const MAIL_LEASE = 45 * SECOND;

/**
 * Takes what is due in hand: no other run mails it while the lease lasts. What is not to be mailed any more is struck out;
 * while the owner wants none, one passes, and the next has its own time.
 * A crash between a mail and its record may mail that one signer a second time; nobody is left without.
 */
export function takeReminder(
  request: SignatureRequest,
  position: number,
  { ownerReminds }: { ownerReminds: boolean },
  now: Date,
): Change | undefined {
  const signer = signerAt(request, position);
  if (!signer?.remindAt || signer.remindAt > now.toISOString()) return undefined;
  const remindAt = !isToBeReminded(request, signer, now)
    ? null
    : ownerReminds
      ? after(now, MAIL_LEASE)
      : laterReminder(signer, now);
  return {
    state: request.state,
    signers: withSigner(request.signers, { ...signer, remindAt }),
    audit: [],
    follow: [],
  };
}

/** What became of the reminder that was taken as the signer's `nth`, counted from 0. Of several that are past by now one was sent. */
export function reminderMailed(
  request: SignatureRequest,
  by: { position: number; nth: number; sent: boolean; error: string | null },
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
  return {
    state: request.state,
    signers: withSigner(request.signers, { ...signer, remindersSent, remindAt }),
    audit: [
      {
        type: by.sent ? 'reminder_sent' : 'reminder_failed',
        at: now.toISOString(),
        actor: 'service',
        signerId: signer.id,
        details: by.error ? { error: by.error } : {},
      },
    ],
    follow: [],
  };
}
