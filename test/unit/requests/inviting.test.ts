import { cancel } from '../../../shared/requests/ending.ts';
import {
  invitationsMailed,
  invitationsReported,
  invited,
  leaseFor,
  MailLeaseHeld,
  resent,
  resumeInvitation,
  rotateCode,
} from '../../../shared/requests/inviting.ts';
import type { SignatureRequest, SignerState } from '../../../shared/requests/model.ts';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import { applied, at, NOON, newRequest, sentRequest } from '../../support/requests.ts';
import { difference, head, iso, refusal, signerOf, withSigner, withState } from './rules.ts';

const SENT = { sent: true, error: null };
const FAILED = { sent: false, error: 'rejected' };
const signerId = (request: SignatureRequest, place = 0) => signerOf(request, place).id;

describe('invited', () => {
  const { request } = newRequest(1);
  const after = (outcome: typeof SENT | typeof FAILED, changes: Partial<SignerState> = {}, of = request) =>
    invited(of, { ...signerOf(of), ...changes }, outcome, iso(5));

  it('a mailed signer is sent and has a first reminder after three days', () => {
    expect(after(SENT)).toEqual({
      ...signerOf(request),
      status: 'sent',
      sentAt: iso(5),
      invitation: { at: iso(5), ...SENT },
      mails: [{ id: null, kind: 'invitation', at: iso(5), sent: true }],
      mailLeaseUntil: null,
      remindAt: iso(3 * DAY + 5),
    });
  });

  it('a signer whose mail failed stays pending, without a reminder', () => {
    expect(after(FAILED)).toEqual({
      ...signerOf(request),
      invitation: { at: iso(5), ...FAILED },
      mails: [{ id: null, kind: 'invitation', at: iso(5), sent: false }],
      mailLeaseUntil: null,
    });
  });

  it('a signer who opened the link meanwhile stays opened, and is reminded', () => {
    expect(after(SENT, { status: 'opened' })).toMatchObject({
      status: 'opened',
      sentAt: iso(5),
      remindAt: iso(3 * DAY + 5),
    });
  });

  it('a signer who is done is not reminded', () => {
    expect(after(SENT, { status: 'signed' })).toMatchObject({ status: 'signed', remindAt: null });
  });

  it('a request without reminders has none', () => {
    expect(after(SENT, {}, withState(request, { reminders: false })).remindAt).toBeNull();
  });

  it('a failed mail keeps the time of an earlier one', () => {
    expect(after(FAILED, { sentAt: iso(1) }).sentAt).toBe(iso(1));
  });
});

describe('invitationsReported', () => {
  /** A new request whose signers have these outcomes, each at its own time. */
  const attempted = (...outcomes: [typeof SENT | typeof FAILED, number][]) => {
    const { request } = newRequest(outcomes.length);
    return {
      ...request,
      signers: request.signers.map((signer, place) => {
        const [outcome, time] = outcomes[place] ?? [FAILED, 0];
        return invited(request, signer, outcome, iso(time));
      }),
    };
  };

  it('a request is sent since its first mail that was sent', () => {
    const request = attempted([FAILED, 1], [SENT, 3], [SENT, 2]);
    expect(difference(request, invitationsReported(request, at(9)))).toMatchObject({
      state: { status: 'sent', sentAt: iso(2), invitationsReportedAt: iso(9) },
      signers: [{}, {}, {}],
    });
  });

  it('a request stays pending if no mail was sent', () => {
    const request = attempted([FAILED, 1]);
    expect(difference(request, invitationsReported(request, at(9)))?.state).toEqual({
      invitationsReportedAt: iso(9),
    });
  });

  it('a request that moved on keeps its status and times', () => {
    const request = withState(attempted([SENT, 1]), { status: 'opened', sentAt: iso(0) });
    expect(difference(request, invitationsReported(request, at(9)))?.state).toEqual({
      invitationsReportedAt: iso(9),
    });
  });

  it('the outcomes are reported once, in the trail and in one event', () => {
    const request = attempted([SENT, 1], [FAILED, 2]);
    const change = invitationsReported(request, at(9));
    const signers = request.signers.map(({ id, email, name, status, locale, position }) => ({
      signer_id: id,
      email,
      name,
      status,
      locale,
      position,
    }));
    expect(difference(request, change)).toEqual({
      state: { status: 'sent', sentAt: iso(1), invitationsReportedAt: iso(9) },
      signers: [{}, {}],
      audit: [
        { type: 'invitation_sent', at: iso(1), actor: 'service', signerId: signerId(request), details: {} },
        {
          type: 'invitation_failed',
          at: iso(2),
          actor: 'service',
          signerId: signerId(request, 1),
          details: { error: 'rejected' },
        },
      ],
      effects: [
        {
          kind: 'event',
          type: 'signature_request.sent',
          data: {
            ...head(request, { status: 'sent', sent_at: iso(1) }),
            signers: [
              { ...signers[0], email_sent: true, email_error: null },
              { ...signers[1], email_sent: false, email_error: 'rejected' },
            ],
          },
        },
        { kind: 'notice', reason: 'mail_failed', recipients: ['sender'], about: [signerId(request, 1)] },
      ],
    });
    expect(invitationsReported(applied(request, change), at(10))).toBeUndefined();
  });
});

describe('invitationsMailed', () => {
  const { request } = newRequest(2);
  const record = (of: SignatureRequest, ...places: number[]) =>
    invitationsMailed(
      of,
      new Map(places.map((place) => [signerId(request, place), { ...SENT, at: iso(place) }])),
      at(9),
    );

  it('some of the outcomes are kept, and the batch is not reported yet', () => {
    expect(difference(request, record(request, 1))).toEqual({
      state: {},
      signers: [
        {},
        {
          status: 'sent',
          sentAt: iso(1),
          invitation: { at: iso(1), ...SENT },
          mailLeaseUntil: null,
          remindAt: iso(3 * DAY + 1),
        },
      ],
      audit: [],
      effects: [],
    });
  });

  it('the last outcome reports the batch, of whose signers each was mailed once', () => {
    const half = applied(request, record(request, 1));
    const change = record(half, 0, 1);
    expect(change?.signers.map(({ mails }) => mails.length)).toEqual([1, 1]);
    expect(change?.state).toMatchObject({ status: 'sent', sentAt: iso(0), invitationsReportedAt: iso(9) });
    expect(change?.audit.map(({ type }) => type)).toEqual(['invitation_sent', 'invitation_sent']);
    expect(change?.effects).toMatchObject([{ kind: 'event', type: 'signature_request.sent' }]);
  });

  it('without an outcome nothing changes', () => {
    expect(record(request)).toBeUndefined();
  });

  it('the trail of a request that ended meanwhile names those who were invited, without the event', () => {
    const by = { actor: 'client', reason: null } as const;
    const ended = applied(request, cancel(request, by, at(2)));
    const change = record(ended, 1);
    expect(change?.audit).toMatchObject([{ type: 'invitation_sent', signerId: signerId(request, 1) }]);
    expect(change?.effects).toEqual([]);
    expect(change?.state).toMatchObject({ status: 'cancelled', sentAt: iso(1) });
    const reported = applied(ended, change);
    expect(record(reported)).toBeUndefined();
    expect(record(ended)).toBeUndefined();
  });

  it('an outcome that comes after the report of an ended request is in the trail too, once', () => {
    const by = { actor: 'client', reason: null } as const;
    const ended = applied(request, cancel(request, by, at(2)));
    const reported = applied(ended, record(ended, 1));
    const later = record(reported, 0, 1);
    expect(later?.signers[0]).toMatchObject({ sentAt: iso(0) });
    expect(later?.audit).toMatchObject([
      { type: 'invitation_sent', at: iso(0), signerId: signerId(request) },
    ]);
    expect(later?.effects).toEqual([]);
    const failed = new Map([[signerId(request), { ...FAILED, at: iso(3) }]]);
    expect(invitationsMailed(reported, failed, at(9))).toMatchObject({
      audit: [{ type: 'invitation_failed', details: { error: 'rejected' } }],
      effects: [{ kind: 'notice', reason: 'mail_failed', about: [signerId(request)] }],
    });
  });
});

describe('the mail lease', () => {
  it('one call at a time may mail a signer, for a minute', () => {
    const { request } = newRequest(1);
    const signer = signerOf(request);
    expect(() => leaseFor(signer, at(MINUTE - 1))).toThrow(MailLeaseHeld);
    expect(() => leaseFor(signer, at(MINUTE - 1))).toThrow(
      expect.objectContaining({ name: 'MailLeaseHeld', until: iso(MINUTE) }),
    );
    expect(leaseFor(signer, at(MINUTE))).toBe(iso(2 * MINUTE));
    expect(leaseFor({ ...signer, mailLeaseUntil: null }, NOON)).toBe(iso(MINUTE));
  });

  it('an interrupted invitation is resumed under a new code once its lease ends', () => {
    const { request } = newRequest(2);
    const by = { signerId: signerId(request, 1), codeHash: 'new' };
    expect(() => resumeInvitation(request, by, at(MINUTE - 1))).toThrow(MailLeaseHeld);
    expect(difference(request, resumeInvitation(request, by, at(MINUTE)))).toEqual({
      state: {},
      signers: [{}, { mailLeaseUntil: iso(2 * MINUTE), code: { hash: 'new', expiresAt: iso(11 * MINUTE) } }],
      audit: [],
      effects: [],
    });
  });

  it('an invitation to a request that has ended is not resumed', () => {
    const request = withState(newRequest(1).request, { status: 'cancelled' });
    const by = { signerId: signerId(request), codeHash: 'new' };
    expect(resumeInvitation(request, by, at(DAY))).toBeUndefined();
  });

  it('an invitation to a request that expired is not resumed, before the daily job has ended it too', () => {
    const { request } = newRequest(1);
    const by = { signerId: signerId(request), codeHash: 'new' };
    expect(resumeInvitation(request, by, at(30 * DAY - 1))).toBeDefined();
    expect(resumeInvitation(request, by, at(30 * DAY))).toBeUndefined();
  });

  it('an invitation with an outcome is not resumed', () => {
    const request = sentRequest(1);
    expect(
      resumeInvitation(request, { signerId: signerId(request), codeHash: 'new' }, at(DAY)),
    ).toBeUndefined();
  });
});

describe('rotateCode', () => {
  const rotate = (request: SignatureRequest, locale?: 'fi', now = at(MINUTE)) =>
    rotateCode(request, { signerId: signerId(request), codeHash: 'new', locale }, now);

  it('a resend replaces the code and resets attempts, limits and language', () => {
    const request = withSigner(sentRequest(2), {
      codeAttempts: 5,
      lastAttemptAt: iso(0),
      codeRequests: [iso(0)],
    });
    expect(difference(request, rotate(request, 'fi'))).toEqual({
      state: {},
      signers: [
        {
          locale: 'fi',
          code: { hash: 'new', expiresAt: iso(11 * MINUTE) },
          codeAttempts: 0,
          lastAttemptAt: null,
          codeRequests: [],
          mailLeaseUntil: iso(2 * MINUTE),
        },
        {},
      ],
      audit: [
        {
          type: 'code_rotated',
          at: iso(MINUTE),
          actor: 'client',
          signerId: signerId(request),
          details: { locale: 'fi' },
        },
      ],
      effects: [],
    });
  });

  it('a resend without a language keeps the signer’s', () => {
    expect(rotate(withSigner(sentRequest(1), { locale: 'de' })).signers[0]?.locale).toBe('de');
  });

  it.each(['signed', 'declined', 'invalidated'] as const)('a signer who is %s is not mailed', (status) => {
    expect(refusal(() => rotate(withSigner(sentRequest(1), { status })))).toBe('signer_not_active');
  });

  it.each(['pending', 'sent', 'opened'] as const)('a signer who is %s is mailed', (status) => {
    expect(refusal(() => rotate(withSigner(sentRequest(1), { status })))).toBe('accepted');
  });

  it('nobody is mailed about a request that ended or expired', () => {
    expect(refusal(() => rotate(withState(sentRequest(1), { status: 'cancelled' })))).toBe(
      'request_not_active',
    );
    expect(refusal(() => rotate(sentRequest(1), undefined, at(30 * DAY)))).toBe('request_not_active');
    expect(refusal(() => rotate(sentRequest(1), undefined, at(30 * DAY - 1)))).toBe('accepted');
  });

  it('a refusal says what stands in the way', () => {
    const signed = withSigner(sentRequest(1), { status: 'signed' });
    expect(() => rotate(signed)).toThrow('The signer’s status is `signed`, so no mail is sent.');
    const cancelled = withState(sentRequest(1), { status: 'cancelled' });
    expect(() => rotate(cancelled)).toThrow('The request’s status is `cancelled`, so no mail is sent.');
    const late = () => rotate(sentRequest(1), undefined, at(30 * DAY));
    expect(late).toThrow(`The request’s time ended at ${iso(30 * DAY)}, so no mail is sent.`);
  });

  it('nobody is mailed by two calls at once', () => {
    expect(() => rotate(withSigner(sentRequest(1), { mailLeaseUntil: iso(2 * MINUTE) }))).toThrow(
      MailLeaseHeld,
    );
  });
});

describe('resent', () => {
  const record = (request: SignatureRequest, outcome: typeof SENT | typeof FAILED) =>
    resent(request, { signerId: signerId(request), ...outcome }, at(DAY));

  it('a resend that is mailed makes a pending request and signer sent', () => {
    const { request } = newRequest(2);
    expect(difference(request, record(request, SENT))).toEqual({
      state: { status: 'sent', sentAt: iso(DAY) },
      signers: [{ status: 'sent', sentAt: iso(DAY), mailLeaseUntil: null, remindAt: iso(4 * DAY) }, {}],
      audit: [
        {
          type: 'invitation_resent',
          at: iso(DAY),
          actor: 'client',
          signerId: signerId(request),
          details: { locale: 'en' },
        },
      ],
      effects: [],
    });
  });

  it('a resend keeps the reminder that is due, and starts none after the first', () => {
    const request = sentRequest(1);
    expect(difference(request, record(request, SENT))?.signers).toEqual([{ sentAt: iso(DAY) }]);
    const reminded = withSigner(request, { remindAt: null, remindersSent: 1 });
    expect(difference(reminded, record(reminded, SENT))?.signers).toEqual([{ sentAt: iso(DAY) }]);
    expect(difference(request, record(request, SENT))?.state).toEqual({});
  });

  it('a resend keeps when a pending request was first sent', () => {
    const request = withState(newRequest(1).request, { sentAt: iso(1) });
    expect(difference(request, record(request, SENT))?.state).toEqual({ status: 'sent' });
  });

  it('an opened signer stays opened, one who is done is left alone', () => {
    const opened = withSigner(sentRequest(1), { status: 'opened' });
    expect(difference(opened, record(opened, SENT))?.signers).toEqual([{ sentAt: iso(DAY) }]);
    const signed = withSigner(sentRequest(1), { status: 'signed', remindAt: null, mailLeaseUntil: iso(1) });
    expect(difference(signed, record(signed, SENT))?.signers).toEqual([{ mailLeaseUntil: null }]);
  });

  it('a resend whose mail failed changes only the lease, and says why', () => {
    const { request } = newRequest(1);
    expect(difference(request, record(request, FAILED))).toEqual({
      state: {},
      signers: [{ mailLeaseUntil: null }],
      audit: [
        {
          type: 'invitation_resend_failed',
          at: iso(DAY),
          actor: 'client',
          signerId: signerId(request),
          details: { locale: 'en', error: 'rejected' },
        },
      ],
      effects: [
        { kind: 'notice', reason: 'mail_failed', recipients: ['sender'], about: [signerId(request)] },
      ],
    });
  });
});
