import { protect, protectExisting, requeueSeal } from '../../../shared/requests/ending.ts';
import { leaseFor, MailLeaseHeld, resent, rotateCode } from '../../../shared/requests/inviting.ts';
import type { Change, SignatureRequest } from '../../../shared/requests/model.ts';
import {
  isReminderDue,
  leaseReminder,
  reminderMailed,
  reminderPostponed,
} from '../../../shared/requests/reminding.ts';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import { applied, at, NOON, sentRequest } from '../../support/requests.ts';
import { withSigner, withState } from './rules.ts';

const signerOf = (request: SignatureRequest) => {
  const [signer] = request.signers;
  if (!signer) throw new Error('There is no signer.');
  return signer;
};
describe('a reminder', () => {
  const take = (request: SignatureRequest, now: Date) =>
    leaseReminder(request, 0, { ownerReminds: true }, now);
  const mail = (request: SignatureRequest, now: Date) =>
    reminderMailed(
      request,
      { position: 0, nth: signerOf(request).remindersSent, sent: true, error: null },
      now,
    );

  it('is due from the third day on to the millisecond', () => {
    const request = sentRequest(1);
    expect(take(request, at(3 * DAY - 1))).toBeUndefined();
    expect(take(request, at(3 * DAY))).toBeDefined();
  });

  it('that was taken is nobody else’s for a while, then again somebody’s', () => {
    const request = sentRequest(1);
    const taken = applied(request, take(request, at(3 * DAY)));
    expect(take(taken, at(3 * DAY + 1))).toBeUndefined();
    expect(take(taken, at(3 * DAY + MINUTE))).toBeDefined();
  });

  it('is recorded once, and leads to the second; the second to none', () => {
    let request = sentRequest(1);
    request = applied(request, take(request, at(3 * DAY)));
    const nth = 0;
    const first = mail(request, at(3 * DAY + 1));
    request = applied(request, first);
    expect(signerOf(request)).toMatchObject({ remindersSent: 1, remindAt: at(7 * DAY).toISOString() });
    const late: Change | undefined = reminderMailed(
      request,
      { position: 0, nth, sent: true, error: null },
      at(3 * DAY + 2),
    );
    expect(late).toBeUndefined();
    request = applied(request, take(request, at(7 * DAY)));
    request = applied(request, mail(request, at(7 * DAY)));
    expect(signerOf(request)).toMatchObject({ remindersSent: 2, remindAt: null });
  });

  it('keeps others from mailing the signer, and waits while another mails them', () => {
    const request = sentRequest(1);
    const due = at(3 * DAY);
    const taken = applied(request, take(request, due));
    expect(() => leaseFor(signerOf(taken), at(3 * DAY + 1))).toThrow(MailLeaseHeld);
    const mailed = signerOf(applied(taken, mail(taken, at(3 * DAY + 1))));
    expect(leaseFor(mailed, at(3 * DAY + 1))).toBe(at(3 * DAY + 1 + MINUTE).toISOString());

    const busy = {
      ...request,
      signers: [{ ...signerOf(request), mailLeaseUntil: at(3 * DAY + 1).toISOString() }],
    };
    expect(take(busy, due)).toBeUndefined();
    expect(take(busy, at(3 * DAY + 1))).toBeDefined();
    const passed = applied(busy, leaseReminder(busy, 0, { ownerReminds: false }, due));
    expect(signerOf(passed)).toMatchObject({
      remindAt: at(7 * DAY).toISOString(),
      mailLeaseUntil: signerOf(busy).mailLeaseUntil,
    });
    const ended = withState(busy, { status: 'cancelled' });
    expect(signerOf(applied(ended, take(ended, due))).remindAt).toBeNull();
  });

  it('that was not mailed keeps nobody from mailing the signer, and stays due', () => {
    const request = sentRequest(1);
    const taken = applied(request, take(request, at(3 * DAY)));
    const left = applied(taken, reminderPostponed(taken, signerOf(taken)));
    expect(leaseFor(signerOf(left), at(3 * DAY + 1))).toBe(at(3 * DAY + 1 + MINUTE).toISOString());
    expect(take(left, at(4 * DAY))).toBeDefined();
    const later = applied(request, take(request, at(3 * DAY + 1)));
    expect(reminderPostponed(later, signerOf(taken))).toBeUndefined();
  });

  it('of a request that has ended is struck out', () => {
    const request = withState(sentRequest(1), { status: 'cancelled' });
    const struck = applied(request, take(request, at(3 * DAY)));
    expect(signerOf(struck)).toMatchObject({ remindersSent: 0, remindAt: null });
  });

  it('of a signer whose code entry has ended is struck out, and a resend brings it back', () => {
    const wrongCodes = Array.from({ length: 20 }, () => at(DAY).toISOString());
    const locked = withSigner(sentRequest(1), { wrongCodes });
    const struck = applied(locked, take(locked, at(3 * DAY)));
    expect(signerOf(struck)).toMatchObject({ remindersSent: 0, remindAt: null });
    const by = { signerId: signerOf(struck).id, codeHash: 'hash', locale: undefined };
    const rotated = applied(struck, rotateCode(struck, by, at(4 * DAY)));
    const mailed = applied(rotated, resent(rotated, { ...by, sent: true, error: null }, at(4 * DAY)));
    expect(signerOf(mailed).remindAt).toBe(at(7 * DAY).toISOString());
    expect(isReminderDue(mailed, signerOf(mailed), at(7 * DAY))).toBe(true);
  });

  it('passes while the owner wants none, and the next has its own time', () => {
    let request = sentRequest(1);
    request = applied(request, leaseReminder(request, 0, { ownerReminds: false }, at(3 * DAY)));
    expect(signerOf(request)).toMatchObject({ remindersSent: 0, remindAt: at(7 * DAY).toISOString() });
    request = applied(request, take(request, at(7 * DAY)));
    request = applied(request, mail(request, at(7 * DAY)));
    expect(signerOf(request).remindAt).toBeNull();
    const passed = sentRequest(1);
    const late = leaseReminder(passed, 0, { ownerReminds: false }, at(8 * DAY));
    expect(signerOf(applied(passed, late)).remindAt).toBeNull();
  });
});

describe('the outcome of a reminder', () => {
  const by = (request: SignatureRequest, position: number) => request.signers[position]?.id;
  const record = (
    request: SignatureRequest,
    outcome: { sent: boolean; error: string | null },
    now = 3 * DAY,
  ) => reminderMailed(request, { position: 1, nth: 0, ...outcome }, at(now));

  it('is recorded for the signer who was reminded', () => {
    const request = sentRequest(2);
    const change = record(request, { sent: true, error: null });
    expect(change?.signers.map(({ remindersSent }) => remindersSent)).toEqual([0, 1]);
    expect(change?.audit).toEqual([
      {
        type: 'reminder_sent',
        at: at(3 * DAY).toISOString(),
        actor: 'service',
        signerId: by(request, 1),
        details: {},
      },
    ]);
    expect(change?.effects).toEqual([]);
  });

  it('that failed says why, and is told to the sender', () => {
    const request = sentRequest(2);
    const change = record(request, { sent: false, error: 'rejected' });
    expect(change?.audit).toMatchObject([{ type: 'reminder_failed', details: { error: 'rejected' } }]);
    expect(change?.effects).toEqual([
      { kind: 'notice', reason: 'mail_failed', recipients: ['sender'], about: [by(request, 1)] },
    ]);
  });

  it('comes late once: reminders that fell due meanwhile are skipped', () => {
    const change = record(sentRequest(2), { sent: true, error: null }, 8 * DAY);
    expect(change?.signers[1]).toMatchObject({ remindersSent: 2, remindAt: null });
  });

  it('of a signer whom the request does not have is dropped', () => {
    const request = sentRequest(1);
    expect(record(request, { sent: true, error: null })).toBeUndefined();
    expect(leaseReminder(request, 1, { ownerReminds: true }, at(3 * DAY))).toBeUndefined();
  });

  it('is awaited without a word in the trail', () => {
    const change = leaseReminder(sentRequest(1), 0, { ownerReminds: true }, at(3 * DAY));
    expect(change).toMatchObject({ audit: [], effects: [] });
  });

  it('is due to nobody before its time', () => {
    const request = sentRequest(1);
    const isDue = (now: number) => isReminderDue(request, signerOf(request), at(now));
    expect([isDue(3 * DAY - 1), isDue(3 * DAY)]).toEqual([false, true]);
  });
});

describe('a seal that waits', () => {
  const waiting = withState(sentRequest(1), { status: 'awaiting_stamp', stampQueuedAt: NOON.toISOString() });

  it('is queued again where it has waited since before, and not where it was queued meanwhile', () => {
    expect(requeueSeal(waiting, NOON, at(MINUTE))?.effects).toEqual([{ kind: 'seal' }]);
    expect(requeueSeal(waiting, at(-1), at(MINUTE))).toBeUndefined();
    expect(requeueSeal(withState(waiting, { status: 'signed' }), NOON, at(MINUTE))).toBeUndefined();
  });
});

describe('archive protection', () => {
  const ended = withState(sentRequest(1), {
    status: 'cancelled',
    endedAt: NOON.toISOString(),
    purgeAt: at(7 * DAY).toISOString(),
  });

  it('takes the date away, and gives the same one back', () => {
    const on = applied(ended, protect(ended, true, at(DAY)));
    expect(on.state).toMatchObject({ archiveProtected: true, purgeAt: null });
    const off = applied(on, protect(on, false, at(DAY)));
    expect(off.state).toMatchObject({ archiveProtected: false, purgeAt: ended.state.purgeAt });
  });

  it('leaves documents that are due to the purge job, which alone keeps those that still exist', () => {
    expect(protect(ended, true, at(7 * DAY))).toBeUndefined();
    expect(applied(ended, protectExisting(ended, true, at(7 * DAY))).state.purgeAt).toBeNull();
    const archived = applied(ended, protect(ended, true, at(DAY)));
    expect(applied(archived, protect(archived, false, at(9 * DAY))).state.purgeAt).toBe(ended.state.purgeAt);
  });

  it('changes nothing twice, nothing that is gone, and no test request', () => {
    expect(protect(ended, false, at(DAY))).toBeUndefined();
    expect(
      protect(withState(ended, { purgedAt: at(8 * DAY).toISOString() }), true, at(9 * DAY)),
    ).toBeUndefined();
    expect(protect(withState(ended, { mode: 'test' }), true, at(DAY))).toBeUndefined();
  });
});
