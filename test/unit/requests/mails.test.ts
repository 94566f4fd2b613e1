import type { MailKind } from '../../../shared/contract/fields.ts';
import { codeMailed } from '../../../shared/requests/codes.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import { invited, resent, rotateCode } from '../../../shared/requests/inviting.ts';
import { isUnreachable, type MailOutcome, mailsOf, withMail } from '../../../shared/requests/mails.ts';
import type { SignatureRequest, SignerState } from '../../../shared/requests/model.ts';
import { noticesMailed } from '../../../shared/requests/notices.ts';
import { leaseReminder, reminderMailed } from '../../../shared/requests/reminding.ts';
import { mailReturned } from '../../../shared/requests/returned-mails.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { applied, at, newRequest, sentRequest, VISITOR } from '../../support/requests.ts';
import { difference, iso, signerOf, withSigner, withState } from './rules.ts';

const SENT = (messageId: string): MailOutcome => ({ sent: true, error: null, messageId });
const FAILED: MailOutcome = { sent: false, error: 'rejected' };

const bounce = (
  request: SignatureRequest,
  id: string,
  { kind = 'invitation', sentAt = 0, outcome = 'bounced', now = sentAt + 1 }: Partial<Bounce> = {},
) =>
  mailReturned(request, { signerId: signerOf(request).id, id, kind, sentAt: iso(sentAt), outcome }, at(now));
interface Bounce {
  kind: MailKind;
  sentAt: number;
  outcome: 'bounced' | 'complained';
  now: number;
}

/** A request whose one invitation SES took under this id. */
function invitedAs(id: string): SignatureRequest {
  const request = sentRequest(1);
  return withSigner(request, { mails: [{ id, kind: 'invitation', at: iso(0), sent: true }] });
}
const outcomes = (request: SignatureRequest) =>
  mailsOf(signerOf(request)).map(({ kind, outcome }) => `${kind} ${outcome}`);

function resend(request: SignatureRequest, outcome: MailOutcome, now: number): SignatureRequest {
  const signerId = signerOf(request).id;
  const rotated = applied(
    request,
    rotateCode(request, { signerId, codeHash: 'x', locale: undefined }, at(now)),
  );
  return applied(rotated, resent(rotated, { signerId, ...outcome }, at(now)));
}

describe('the record of a signer’s mails', () => {
  const request = sentRequest(1);
  const signer = { ...signerOf(request), mails: [] };
  const fresh = { ...request, signers: [signer] };
  const mailsAfter = (change: { signers: SignerState[] } | undefined) => change && signerOf(change).mails;

  it.each([
    ['invitation', (outcome) => [invited(fresh, signer, outcome, iso(5))]],
    ['resend', (outcome) => resent(fresh, { signerId: signer.id, ...outcome }, at(5)).signers],
    ['code', (o) => codeMailed(fresh, { signerId: signer.id, visitor: VISITOR, ...o }, at(5)).signers],
    ['reminder', (o) => reminderMailed(fresh, { position: 0, nth: 0, ...o }, at(5))?.signers ?? []],
    [
      'expired',
      (outcome) =>
        noticesMailed(fresh, 'expired', [{ kind: 'expired', recipient: signer.id, ...outcome }], at(5))
          .signers,
    ],
  ] as [MailKind, (outcome: MailOutcome) => SignerState[]][])(
    'holds each mail of the kind %s, sent or not',
    (kind, record) => {
      expect(mailsAfter({ signers: record(SENT('m-1')) })).toEqual([
        { id: 'm-1', kind, at: iso(5), sent: true },
      ]);
      expect(mailsAfter({ signers: record(FAILED) })).toEqual([{ id: null, kind, at: iso(5), sent: false }]);
    },
  );

  it('a mail to the sender is in no signer’s record', () => {
    const mail = { kind: null, recipient: 'sender', ...SENT('m-1') };
    expect(mailsAfter(noticesMailed(fresh, 'expired', [mail], at(5)))).toEqual([]);
  });

  it('the newest twenty mails are kept', () => {
    let known: Pick<SignerState, 'mails' | 'returnedMails'> = { mails: [], returnedMails: [] };
    for (let n = 0; n < 25; n += 1)
      known = { ...known, mails: withMail(known, 'code', SENT(`m-${n}`), iso(n)) };
    expect(known.mails).toHaveLength(20);
    expect(mailsOf(known).map((mail) => mail.sentAt)).toEqual(
      Array.from({ length: 20 }, (_, n) => iso(n + 5)),
    );
  });

  it('a request made before there was a record has none', () => {
    expect(mailsOf(signerOf(newRequest(1).request))).toEqual([]);
  });
});

describe('a bounce', () => {
  it('is recorded, told to the sender, and changes no status', () => {
    const request = invitedAs('m-1');
    expect(difference(request, bounce(request, 'm-1', { now: 60 }))).toEqual({
      state: {},
      signers: [
        {
          returnedMails: [{ id: 'm-1', kind: 'invitation', sentAt: iso(0), outcome: 'bounced', at: iso(60) }],
        },
      ],
      audit: [
        {
          type: 'mail_bounced',
          at: iso(60),
          actor: 'service',
          signerId: signerOf(request).id,
          details: { mail: 'invitation', mail_sent_at: iso(0) },
        },
      ],
      effects: [
        { kind: 'notice', reason: 'mail_bounced', recipients: ['sender'], about: [signerOf(request).id] },
      ],
    });
    const returned = applied(request, bounce(request, 'm-1', { now: 60 }));
    expect(mailsOf(signerOf(returned))).toEqual([
      { kind: 'invitation', sentAt: iso(0), outcome: 'bounced', at: iso(60) },
    ]);
  });

  it('a complaint has an event and a notice of its own', () => {
    const request = invitedAs('m-1');
    const change = bounce(request, 'm-1', { outcome: 'complained' });
    expect(change).toMatchObject({
      audit: [{ type: 'mail_complained' }],
      effects: [{ kind: 'notice', reason: 'mail_complained' }],
    });
    expect(outcomes(applied(request, change))).toEqual(['invitation complained']);
  });

  it('that comes twice is recorded once', () => {
    const request = applied(invitedAs('m-1'), bounce(invitedAs('m-1'), 'm-1'));
    const known = { ...request, signers: [{ ...signerOf(request) }] };
    expect(bounce(known, 'm-1')).toBeUndefined();
    expect(bounce(known, 'm-1', { outcome: 'complained' })).toBeUndefined();
  });

  it('that comes before its sender wrote the mail down is kept, and counts as that mail afterwards', () => {
    const { request } = newRequest(1);
    const early = applied(request, bounce(request, 'm-1', { sentAt: 3 }));
    expect(outcomes(early)).toEqual(['invitation bounced']);
    const written = invited(early, signerOf(early), SENT('m-1'), iso(5));
    expect(mailsOf(written)).toEqual([
      { kind: 'invitation', sentAt: iso(5), outcome: 'bounced', at: iso(4) },
    ]);
    expect(written.status).toBe('sent');
  });

  it('of a mail that was not written down stands beside those that were', () => {
    const request = invitedAs('m-1');
    const known = applied(request, bounce(request, 'm-2', { kind: 'code', sentAt: 3 }));
    expect(outcomes(known)).toEqual(['invitation sent', 'code bounced']);
  });

  it('is not made good by a later mail that is no resend', () => {
    const request = applied(invitedAs('m-1'), bounce(invitedAs('m-1'), 'm-1'));
    const by = { signerId: signerOf(request).id, visitor: VISITOR };
    const coded = applied(request, codeMailed(request, { ...by, ...SENT('m-2') }, at(DAY)));
    expect(isUnreachable(signerOf(coded))).toBe(true);
  });

  it('about a signer whom the request does not have is dropped', () => {
    const request = invitedAs('m-1');
    const mail = {
      signerId: 'another',
      id: 'm-1',
      kind: 'invitation',
      sentAt: iso(0),
      outcome: 'bounced',
    } as const;
    expect(mailReturned(request, mail, at(1))).toBeUndefined();
  });

  it('each mail gets at most one event, however many came back and however often', () => {
    let request = sentRequest(1);
    let events = 0;
    for (const round of [1, 2])
      for (let n = 0; n < 50; n += 1) {
        const change = bounce(request, `m-${n}`, { sentAt: n, now: round * 100 });
        events += change?.audit.length ?? 0;
        request = applied(request, change);
      }
    expect(events).toBe(50);
    expect(signerOf(request).returnedMails).toHaveLength(20);
  });

  it('the sender is told once until they resend', () => {
    let request = invitedAs('m-1');
    request = applied(request, bounce(request, 'm-1'));
    expect(bounce(request, 'm-2', { kind: 'code', sentAt: 10 })?.effects).toEqual([]);
    const ofResend = { kind: 'resend', sentAt: DAY } as const;
    const early = bounce(request, 'm-3', ofResend);
    expect(early?.effects).toHaveLength(1);
    expect(bounce(applied(request, early), 'm-4', { kind: 'code', sentAt: DAY + 1 })?.effects).toEqual([]);
    request = resend(request, SENT('m-3'), DAY);
    expect(bounce(request, 'm-3', ofResend)?.effects).toHaveLength(1);
  });

  it('of a mail to the address before a correction is recorded, told to nobody, and stops no reminder', () => {
    const sent = withState(invitedAs('m-1'), { invitationsReportedAt: iso(0) });
    const signerId = signerOf(sent).id;
    const by = { signerId, email: 'right@example.com', accessToken: 'new-token', codeHash: 'x' };
    const corrected = applied(sent, correct(sent, by, at(DAY)));
    const mailed = (outcome: MailOutcome) =>
      applied(corrected, resent(corrected, { signerId, ...outcome }, at(DAY + 5)));
    for (const request of [corrected, mailed(FAILED), mailed(SENT('m-2'))]) {
      const change = bounce(request, 'm-1', { now: DAY + 9 });
      expect(change).toMatchObject({ audit: [{ type: 'mail_bounced' }], effects: [] });
      expect(isUnreachable(signerOf(applied(request, change)))).toBe(false);
      const own = bounce(request, 'm-2', { kind: 'resend', sentAt: DAY + 4 });
      expect(own?.effects).toHaveLength(1);
    }
  });

  it('nobody is told about a signer who was erased', () => {
    const request = withSigner(invitedAs('m-1'), { erasedAt: iso(0) });
    expect(bounce(request, 'm-1')?.effects).toEqual([]);
  });
});

describe('reminders after a bounce', () => {
  const due = (request: SignatureRequest, now: number) => {
    const leased = applied(request, leaseReminder(request, 0, { ownerReminds: true }, at(now)));
    return signerOf(leased).remindAt;
  };
  const bounced = () => applied(invitedAs('m-1'), bounce(invitedAs('m-1'), 'm-1'));

  it('stop', () => {
    expect(due(invitedAs('m-1'), 3 * DAY)).not.toBeNull();
    expect(due(bounced(), 3 * DAY)).toBeNull();
  });

  it('stop though the bounce came before the invitation was written down', () => {
    const { request } = newRequest(1);
    const early = applied(request, bounce(request, 'm-1'));
    const written = invited(early, signerOf(early), SENT('m-1'), iso(5));
    expect(written.remindAt).not.toBeNull();
    expect(due({ ...early, signers: [written] }, 4 * DAY)).toBeNull();
  });

  it('begin anew with a resend, also after the first of them', () => {
    for (const before of [bounced(), withSigner(bounced(), { remindersSent: 1, remindAt: null })]) {
      const again = resend(before, SENT('m-2'), DAY);
      expect(signerOf(again)).toMatchObject({ remindersSent: 0, remindAt: iso(4 * DAY) });
      expect(isUnreachable(signerOf(again))).toBe(false);
    }
  });

  it('stay stopped by a resend that failed', () => {
    const again = resend(bounced(), FAILED, DAY);
    expect(isUnreachable(signerOf(again))).toBe(true);
    expect(due(again, 4 * DAY)).toBeNull();
  });

  it('go on though an earlier mail’s bounce comes after the resend', () => {
    const again = resend(invitedAs('m-1'), SENT('m-2'), DAY);
    const bounced = bounce(again, 'm-1', { now: 2 * DAY });
    expect(bounced?.effects).toEqual([]);
    const late = applied(again, bounced);
    expect(outcomes(late)).toEqual(['invitation bounced', 'resend sent']);
    expect(isUnreachable(signerOf(late))).toBe(false);
  });

  it('stop again if the resend bounces, also before it was written down', () => {
    const early = applied(bounced(), bounce(bounced(), 'm-2', { kind: 'resend', sentAt: DAY - 1 }));
    const again = resend(early, SENT('m-2'), DAY);
    expect(outcomes(again)).toEqual(['invitation bounced', 'resend bounced']);
    expect(due(again, 4 * DAY)).toBeNull();
  });
});
