import { after, DAY } from '../runtime/time.ts';
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

/**
 * Takes the reminder before it is mailed: a crash in between costs that one mail, and no one is reminded twice.
 * Of reminders that a long standstill let pass, one is sent.
 */
export function takeReminder(request: SignatureRequest, position: number, now: Date): Change | undefined {
  const signer = signerAt(request, position);
  if (!signer?.remindAt || signer.remindAt > now.toISOString()) return undefined;
  const wanted = isToBeReminded(request, signer, now);
  let remindersSent = signer.remindersSent + 1;
  let remindAt = wanted ? nextReminder(signer, remindersSent) : null;
  while (remindAt && remindAt <= now.toISOString()) {
    remindersSent += 1;
    remindAt = nextReminder(signer, remindersSent);
  }
  const taken = { ...signer, remindAt, ...(wanted && { remindersSent }) };
  return { state: request.state, signers: withSigner(request.signers, taken), audit: [], follow: [] };
}

export function reminderMailed(
  request: SignatureRequest,
  by: { position: number; sent: boolean; error: string | null },
  now: Date,
): Change | undefined {
  const signer = signerAt(request, by.position);
  if (!signer) return undefined;
  return {
    state: request.state,
    signers: request.signers,
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
