import { cancel } from '../../../shared/requests/ending.ts';
import { resent, rotateCode } from '../../../shared/requests/inviting.ts';
import { NOTICE_REASONS, NOTICES } from '../../../shared/requests/model.ts';
import {
  isBeingInvited,
  isToldOf,
  noticeOf,
  noticesMailed,
  sealedNotices,
} from '../../../shared/requests/notices.ts';
import { applied, at, sentRequest } from '../../support/requests.ts';
import { difference, iso, signerOf, withSigner, withState } from './rules.ts';

const ENDINGS = ['declined', 'cancelled', 'expired'] as const;

/** Two of three have signed, and the document is sealed. */
const sealedRequest = () =>
  withState(withSigner(withSigner(sentRequest(3), { status: 'signed' }), { status: 'signed' }, 1), {
    status: 'signed',
  });

describe('a notice', () => {
  it.each(NOTICE_REASONS)(
    'goes to those whom the table names for %s, but not to whom it is about',
    (reason) => {
      const request = sentRequest(3);
      const [first, second, third] = request.signers.map(({ id }) => id);
      expect(noticeOf(reason, request, [signerOf(request, 1)])).toEqual({
        kind: 'notice',
        reason,
        recipients: [
          ...(NOTICES[reason].sender ? ['sender'] : []),
          ...(NOTICES[reason].signers ? [first, third] : []),
        ],
        about: [second],
      });
    },
  );

  it.each(['mail_failed', 'mail_bounced', 'mail_complained', 'code_entry_ended', 'sealing_failed'] as const)(
    'of trouble that only the sender can mend (%s) goes to the sender alone',
    (reason) => {
      expect(noticeOf(reason, sentRequest(2))).toMatchObject({ recipients: ['sender'], about: [] });
    },
  );

  it('of a cancel does not go to the sender, who cancelled', () => {
    const { recipients, about } = noticeOf('cancelled', sentRequest(2));
    expect(recipients).not.toContain('sender');
    expect(about).toHaveLength(0);
  });

  it.each(ENDINGS)('of a request that is %s concerns signers whose invitation was sent', (reason) => {
    const request = withSigner(sentRequest(2), { sentAt: null }, 1);
    expect(request.signers.map((signer) => isToldOf(reason, request, signer))).toEqual([true, false]);
  });

  it('of an ending concerns a signer who is invited by a resend that was under way, at the address of now', () => {
    const unmailed = withSigner(sentRequest(1), { status: 'pending', sentAt: null, invitation: null });
    const { id } = signerOf(unmailed);
    const mailing = applied(
      unmailed,
      rotateCode(unmailed, { signerId: id, codeHash: 'h', locale: undefined }, at(1)),
    );
    const cancelled = applied(mailing, cancel(mailing, { actor: 'client', reason: null }, at(2)));
    const mailed = (sent: boolean) => {
      const outcome = { signerId: id, sent, error: sent ? null : 'rejected' };
      return applied(cancelled, resent(cancelled, outcome, at(3)));
    };
    expect(isToldOf('cancelled', mailed(true), signerOf(mailed(true)))).toBe(true);
    expect(isToldOf('cancelled', mailed(false), signerOf(mailed(false)))).toBe(false);
    const moved = withSigner(mailed(true), { addressSince: iso(4) });
    expect(isToldOf('cancelled', moved, signerOf(moved))).toBe(false);
  });

  it('waits while the invitation of a signer may be under way', () => {
    const signer = { ...signerOf(sentRequest(1)), sentAt: null, mailLeaseUntil: iso(5) };
    expect(isBeingInvited(signer, at(4))).toBe(true);
    expect(isBeingInvited(signer, at(5))).toBe(false);
    expect(isBeingInvited({ ...signer, sentAt: iso(0) }, at(4))).toBe(false);
    expect(isBeingInvited({ ...signer, mailLeaseUntil: null }, at(4))).toBe(false);
  });

  it('of the seal concerns those who signed, until they have one', () => {
    const told = (request: ReturnType<typeof sealedRequest>) =>
      request.signers.map((signer) => isToldOf('completed', request, signer));
    const request = sealedRequest();
    expect(told(request)).toEqual([true, true, false]);
    expect(told(withState(request, { status: 'awaiting_stamp' }))).toEqual([false, false, false]);
    const mail = { kind: 'completed', recipient: signerOf(request).id, sent: true, error: null } as const;
    expect(told(applied(request, noticesMailed(request, 'completed', [mail], at(5))))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('the outcome of a notice', () => {
  const request = sealedRequest();
  const { id } = signerOf(request, 1);

  it.each([
    ['was sent before', true, true, 5],
    ['was sent before, and this one failed', true, false, 5],
    ['failed before', false, true, 6],
    ['failed before, as this one did', false, false, 5],
  ])('of the seal that %s is kept as the first that reached the signer', (_, before, after, kept) => {
    const mailed = (current: typeof request, sent: boolean, minute: number) => {
      const mail = { kind: 'completed', recipient: id, sent, error: sent ? null : 'rejected' } as const;
      return applied(current, noticesMailed(current, 'completed', [mail], at(minute)));
    };
    const { signers } = mailed(mailed(request, before, 5), after, 6);
    expect(signers[1]?.sealedNotice).toMatchObject({ at: iso(kept), sent: before || after });
  });

  it('of the seal is kept with the signer', () => {
    const mail = { kind: 'completed', recipient: id, sent: true, error: null } as const;
    expect(difference(request, noticesMailed(request, 'completed', [mail], at(5)))).toEqual({
      state: {},
      signers: [{}, { sealedNotice: { at: iso(5), sent: true, error: null } }, {}],
      audit: [{ type: 'sealed_notice_sent', at: iso(5), actor: 'service', signerId: id, details: {} }],
      effects: [],
    });
  });

  it('of another ending is not taken for that of the seal', () => {
    const mail = { kind: 'cancelled', recipient: id, sent: true, error: null } as const;
    const { signers } = noticesMailed(request, 'cancelled', [mail], at(5));
    expect(signers.map(({ sealedNotice }) => sealedNotice)).toEqual([null, null, null]);
  });

  it.each([
    ['completed', 'sealed_notice_failed', {}],
    ['cancelled', 'signer_notice_failed', { notice: 'cancelled' }],
  ] as const)('that a signer could not be mailed (%s) is told to the sender', (reason, type, details) => {
    const mail = { kind: reason, recipient: id, sent: false, error: 'rejected' };
    expect(noticesMailed(request, reason, [mail], at(5))).toMatchObject({
      audit: [{ type, signerId: id, details: { ...details, error: 'rejected' } }],
      effects: [{ kind: 'notice', reason: 'mail_failed', recipients: ['sender'], about: [id] }],
    });
  });

  it.each([
    ['cancelled', id, 'signer_notice_sent', { notice: 'cancelled' }],
    ['expired', 'sender', 'sender_notice_sent', { notice: 'expired' }],
    ['completed', 'sender', 'sender_notice_sent', { notice: 'completed' }],
  ] as const)(
    'that was mailed (%s) is in the trail, which says what it was about',
    (reason, recipient, type, details) => {
      const mail = { kind: null, recipient, sent: true, error: null };
      const change = noticesMailed(request, reason, [mail], at(5));
      expect(change.audit).toMatchObject([{ type, at: iso(5), details }]);
      expect(change.signers).toEqual(request.signers);
    },
  );

  it('to the sender is only recorded, without the address', () => {
    const mail = { kind: null, recipient: 'sender', sent: false, error: 'rejected' };
    expect(difference(request, noticesMailed(request, 'expired', [mail], at(5)))).toEqual({
      state: {},
      signers: [{}, {}, {}],
      audit: [
        {
          type: 'sender_notice_failed',
          at: iso(5),
          actor: 'service',
          details: { notice: 'expired', error: 'rejected' },
        },
      ],
      effects: [],
    });
  });
});

it('a task from before becomes a notice to the signers who still await theirs', () => {
  const request = withSigner(sealedRequest(), { sealedNotice: { at: iso(1), sent: true, error: null } });
  expect(difference(request, sealedNotices(request))).toEqual({
    state: {},
    signers: [{}, {}, {}],
    audit: [],
    effects: [{ kind: 'notice', reason: 'completed', recipients: [signerOf(request, 1).id], about: [] }],
  });
});
