import {
  assertNotLocked,
  attemptCode,
  codeExpiry,
  codeMailed,
  codeToTry,
  documentViewed,
  hasCodeEntryEnded,
  lockOf,
  nextCodeAt,
  requestCode,
} from '../../../shared/requests/codes.ts';
import { resent, rotateCode } from '../../../shared/requests/inviting.ts';
import type { SignatureRequest, SignerState } from '../../../shared/requests/model.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { at, sentRequest, VISITOR } from '../../support/requests.ts';
import { difference, iso, refusal, signerOf, withSigner, withState } from './rules.ts';

const by = (request: SignatureRequest) => ({ signerId: signerOf(request).id, visitor: VISITOR });
const ask = (request: SignatureRequest, now = at(0)) =>
  requestCode(request, { ...by(request), codeHash: 'new' }, now);
const given = (changes: Partial<SignerState>) => withSigner(sentRequest(2), changes);
const entry = (request: SignatureRequest, now: number) => ({
  at: iso(now),
  actor: 'signer',
  signerId: signerOf(request).id,
  visitor: VISITOR,
});
const thrown = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('locks', () => {
  it('a link is locked for fifteen minutes after its fifth attempt', () => {
    const signer = { ...signerOf(sentRequest(1)), codeAttempts: 5, lastAttemptAt: iso(0) };
    expect(lockOf(signer, at(15 * MINUTE - 1))).toEqual({ until: iso(15 * MINUTE) });
    expect(lockOf(signer, at(15 * MINUTE))).toBeUndefined();
    expect(lockOf({ ...signer, codeAttempts: 4 }, at(0))).toBeUndefined();
    expect(lockOf({ ...signer, lastAttemptAt: null }, at(0))).toBeUndefined();
  });

  it('a locked link says until when, also as the time to retry', () => {
    const signer = { ...signerOf(sentRequest(1)), codeAttempts: 5, lastAttemptAt: iso(0) };
    expect(thrown(() => assertNotLocked(signer, at(1)))).toMatchObject({
      code: 'locked',
      retryAt: iso(15 * MINUTE),
      fields: { locked_until: iso(15 * MINUTE) },
    });
    expect(() => assertNotLocked({ ...signer, codeAttempts: 0 }, at(1))).not.toThrow();
  });
});

describe('the end of code entry', () => {
  const times = (count: number, from = 0) => Array.from({ length: count }, (_, n) => iso(from + n * HOUR));
  const isEnded = (changes: Partial<SignerState>, now = at(9 * DAY)) =>
    hasCodeEntryEnded(signerOf(given(changes)), now);

  it('twenty wrong codes end it for good, whenever they were entered', () => {
    expect(isEnded({ wrongCodes: times(19) })).toBe(false);
    expect(isEnded({ codeAttempts: 5, lastAttemptAt: iso(9 * DAY) })).toBe(false);
    const request = given({ wrongCodes: times(20) });
    expect(hasCodeEntryEnded(signerOf(request), at(0))).toBe(true);
    expect(lockOf(signerOf(request), at(9 * DAY))).toEqual({ until: null });
    const refused = thrown(() => ask(request, at(9 * DAY)));
    expect(refused).toMatchObject({ code: 'locked', fields: { locked_until: null } });
    expect((refused as { retryAt?: string }).retryAt).toBeUndefined();
    expect(refusal(() => codeToTry(request, by(request).signerId, at(0)))).toBe('locked');
  });

  it('twenty codes asked for end it when the last one no longer works', () => {
    const request = given({ codeRequests: times(20) });
    expect(refusal(() => ask(given({ codeRequests: times(19) }), at(DAY)))).toBe('accepted');
    expect(refusal(() => ask(request, at(DAY)))).toBe('locked');
    expect(codeToTry(request, by(request).signerId, at(0)).hash).toBe('hash');
    expect(hasCodeEntryEnded(signerOf(request), at(10 * MINUTE - 1))).toBe(false);
    expect(hasCodeEntryEnded(signerOf(request), at(10 * MINUTE))).toBe(true);
  });

  it('the sender’s resend begins both counts again', () => {
    const request = given({ wrongCodes: times(20), codeRequests: times(20) });
    const resend = { signerId: signerOf(request).id, codeHash: 'new', locale: undefined };
    expect(signerOf(rotateCode(request, resend, at(DAY)))).toMatchObject({
      wrongCodes: [],
      codeRequests: [],
    });
  });

  it('for one who has signed a day counts, and the lock ends with it', () => {
    const request = given({ status: 'signed', wrongCodes: times(20), code: null });
    const last = 19 * HOUR;
    expect(lockOf(signerOf(request), at(last))).toEqual({ until: iso(DAY) });
    expect(thrown(() => ask(request, at(last)))).toMatchObject({ code: 'locked', retryAt: iso(DAY) });
    expect(lockOf(signerOf(request), at(DAY))).toBeUndefined();
    expect(isEnded({ status: 'signed', wrongCodes: times(20), code: null }, at(last))).toBe(false);
    const asked = given({ status: 'signed', codeRequests: times(20) });
    expect(thrown(() => ask(asked, at(last + MINUTE)))).toMatchObject({ code: 'locked', retryAt: iso(DAY) });
    expect(signerOf(ask(asked, at(DAY))).codeRequests).toHaveLength(20);
  });

  it('the trail says when it ended: at the twentieth wrong code, or when the twentieth code was mailed', () => {
    const wrong = (count: number) => {
      const request = given({ wrongCodes: times(count, -count * HOUR) });
      return attemptCode(request, { ...by(request), codeHash: 'hash', opens: null }, at(5));
    };
    expect(wrong(18).audit.map(({ type }) => type)).toEqual(['code_wrong']);
    expect(wrong(19).audit.map(({ type }) => type)).toEqual(['code_wrong', 'code_entry_ended']);
    expect(signerOf(wrong(19)).wrongCodes).toHaveLength(20);
    const mailed = (count: number, sent: boolean) => {
      const request = given({ codeRequests: times(count) });
      return codeMailed(request, { ...by(request), sent, error: null }, at(DAY)).audit.map(
        ({ type }) => type,
      );
    };
    expect(mailed(19, true)).toEqual(['code_sent']);
    expect(mailed(20, true)).toEqual(['code_sent', 'code_entry_ended']);
    expect(mailed(20, false)).toEqual(['code_failed']);
  });
});

describe('requestCode', () => {
  it('a requested code replaces the last one and resets the attempts', () => {
    const request = given({ codeAttempts: 4, lastAttemptAt: iso(-1) });
    expect(difference(request, ask(request))).toEqual({
      state: {},
      signers: [
        {
          code: { hash: 'new', expiresAt: iso(10 * MINUTE) },
          codeAttempts: 0,
          lastAttemptAt: null,
          codeRequests: [iso(0)],
          mailLeaseUntil: iso(MINUTE),
        },
        {},
      ],
      audit: [],
      effects: [],
    });
  });

  it('codes are thirty seconds apart', () => {
    const request = given({ codeRequests: [iso(0)] });
    expect(nextCodeAt(signerOf(request))).toBe(iso(30 * SECOND));
    expect(nextCodeAt(signerOf(sentRequest(1)))).toBeNull();
    expect(thrown(() => ask(request, at(30 * SECOND - 1)))).toMatchObject({
      code: 'too_many_codes',
      retryAt: iso(30 * SECOND),
    });
    expect(signerOf(ask(request, at(30 * SECOND))).codeRequests).toEqual([iso(0), iso(30 * SECOND)]);
  });

  it('there are five codes in fifteen minutes; the first one makes room', () => {
    const times = [0, 1, 2, 3, 4].map((n) => iso(n * MINUTE));
    const request = given({ codeRequests: times });
    expect(thrown(() => ask(request, at(15 * MINUTE - 1)))).toMatchObject({
      code: 'too_many_codes',
      retryAt: iso(15 * MINUTE),
    });
    expect(signerOf(ask(request, at(15 * MINUTE))).codeRequests).toEqual([...times, iso(15 * MINUTE)]);
    expect(refusal(() => ask(given({ codeRequests: times.slice(1) }), at(5 * MINUTE)))).toBe('accepted');
  });

  it('five codes in fifteen minutes are asked for, also if no mail could be sent, and a resend begins again', () => {
    let request = given({ codeRequests: [] });
    const askInVain = (now: Date) => {
      request = withSigner(request, signerOf(ask(request, now)));
      const failed = codeMailed(request, { ...by(request), sent: false, error: 'rejected' }, now);
      request = withSigner(request, signerOf(failed));
    };
    for (let n = 0; n < 5; n += 1) askInVain(at(n));
    expect(thrown(() => ask(request, at(15 * MINUTE - 1)))).toMatchObject({
      code: 'too_many_codes',
      retryAt: iso(15 * MINUTE),
    });
    askInVain(at(15 * MINUTE));
    expect(refusal(() => ask(request, at(15 * MINUTE)))).toBe('too_many_codes');
    // They do not count towards the end of code entry.
    expect(signerOf(request).codeRequests).toEqual([]);
    const resend = { signerId: signerOf(request).id, sent: true, error: null };
    const sent = resent(request, resend, at(15 * MINUTE));
    expect(refusal(() => ask(withSigner(request, signerOf(sent)), at(15 * MINUTE)))).toBe('accepted');
  });

  it.each([
    ['reminders that could not be sent', 'reminder', false],
    ['codes that were sent, which count as asked for', 'code', true],
  ] as const)('%s are no codes that failed', (_, kind, sent) => {
    const mails = Array.from({ length: 5 }, () => ({ id: null, kind, at: iso(0), sent }));
    expect(refusal(() => ask(given({ mails }), at(MINUTE)))).toBe('accepted');
  });

  it('no code is given to a locked or dead link, or while another mail is sent', () => {
    expect(refusal(() => ask(given({ codeAttempts: 5, lastAttemptAt: iso(0) })))).toBe('locked');
    expect(refusal(() => ask(withState(sentRequest(1), { status: 'cancelled' })))).toBe('link_cancelled');
    expect(refusal(() => ask(sentRequest(1), at(30 * DAY)))).toBe('link_expired');
    expect(() => ask(given({ mailLeaseUntil: iso(1) }))).toThrow(
      expect.objectContaining({ name: 'MailLeaseHeld' }),
    );
  });

  it('the mail’s outcome ends the lease and is recorded', () => {
    const request = given({
      codeRequests: [iso(-2 * MINUTE), iso(-MINUTE), iso(0)],
      mailLeaseUntil: iso(MINUTE),
    });
    const mailed = (outcome: { sent: boolean; error: string | null }) =>
      difference(request, codeMailed(request, { ...by(request), ...outcome }, at(5)));
    expect(mailed({ sent: true, error: null })).toEqual({
      state: {},
      signers: [{ mailLeaseUntil: null }, {}],
      audit: [{ ...entry(request, 5), type: 'code_sent', details: {} }],
      effects: [],
    });
    expect(mailed({ sent: false, error: 'rejected' })).toEqual({
      state: {},
      signers: [
        {
          mailLeaseUntil: null,
          codeRequests: [iso(-2 * MINUTE), iso(-MINUTE)],
          codeFailureToldAt: iso(5),
        },
        {},
      ],
      audit: [{ ...entry(request, 5), type: 'code_failed', details: { error: 'rejected' } }],
      effects: [
        { kind: 'notice', reason: 'mail_failed', recipients: ['sender'], about: [signerOf(request).id] },
      ],
    });
  });

  it('the sender is told of codes that could not be mailed once a day', () => {
    const told = given({ codeFailureToldAt: iso(0) });
    const failed = (now: number) =>
      codeMailed(told, { ...by(told), sent: false, error: 'rejected' }, at(now)).effects.length;
    expect(failed(DAY - 1)).toBe(0);
    expect(failed(DAY)).toBe(1);
    const later = codeMailed(told, { ...by(told), sent: false, error: 'rejected' }, at(1));
    expect(signerOf(later).codeFailureToldAt).toBe(iso(0));
  });

  it('the sender is told when code entry ends for one who has not signed', () => {
    const twenty = Array.from({ length: 20 }, (_, n) => iso(n));
    const tells = (signer: Partial<SignerState>) => {
      const asked = given({ ...signer, codeRequests: twenty });
      const tried = given({ ...signer, wrongCodes: twenty.slice(1) });
      return [
        codeMailed(asked, { ...by(asked), sent: true, error: null }, at(5)),
        attemptCode(tried, { ...by(tried), codeHash: 'hash', opens: null }, at(5)),
      ].map(({ audit, effects }) => [
        audit.some(({ type }) => type === 'code_entry_ended'),
        effects.map((effect) => effect.kind === 'notice' && effect.reason),
      ]);
    };
    const asked = given({ codeRequests: twenty });
    expect(codeMailed(asked, { ...by(asked), sent: true, error: null }, at(5)).effects).toMatchObject([
      { recipients: ['sender'], about: [signerOf(asked).id] },
    ]);
    expect(tells({})).toEqual(Array(2).fill([true, ['code_entry_ended']]));
    expect(tells({ status: 'signed' })).toEqual(Array(2).fill([true, []]));
  });
});

describe('attempts', () => {
  it('there is a code to try until it expires', () => {
    const request = sentRequest(1);
    const tryAt = (now: number, of = request) => codeToTry(of, signerOf(of).id, at(now));
    expect(tryAt(10 * MINUTE - 1)).toEqual({ signer: signerOf(request), hash: 'hash' });
    expect(refusal(() => tryAt(10 * MINUTE))).toBe('code_expired');
    expect(refusal(() => tryAt(0, withSigner(request, { code: null })))).toBe('code_expired');
    expect(refusal(() => tryAt(0, withSigner(request, { codeAttempts: 5, lastAttemptAt: iso(0) })))).toBe(
      'locked',
    );
    expect(refusal(() => tryAt(0, withState(request, { status: 'declined' })))).toBe('link_invalidated');
  });

  const SESSION = { hash: 'session', expiresAt: iso(30 * MINUTE) };
  const attempt = (request: SignatureRequest, isRight: boolean, codeHash = 'hash') =>
    attemptCode(request, { ...by(request), codeHash, opens: isRight ? SESSION : null }, at(5));

  it('a wrong attempt is counted and recorded with those left, the fifth with the lock', () => {
    const request = given({ codeAttempts: 3, lastAttemptAt: iso(1), wrongCodes: [iso(1)] });
    expect(difference(request, attempt(request, false))).toEqual({
      state: {},
      signers: [{ codeAttempts: 4, lastAttemptAt: iso(5), wrongCodes: [iso(1), iso(5)] }, {}],
      audit: [{ ...entry(request, 5), type: 'code_wrong', details: { attempts_left: 1 } }],
      effects: [],
    });
    const fifth = given({ codeAttempts: 4, lastAttemptAt: iso(1) });
    expect(attempt(fifth, false).audit).toEqual([
      { ...entry(fifth, 5), type: 'code_wrong', details: { attempts_left: 0 } },
      { ...entry(fifth, 5), type: 'link_locked' },
    ]);
  });

  it('a right attempt uses the code up, and the wrong ones before it still count', () => {
    const request = given({ codeAttempts: 3, lastAttemptAt: iso(1), wrongCodes: [iso(1)] });
    expect(difference(request, attempt(request, true))).toEqual({
      state: {},
      signers: [{ code: null, codeAttempts: 0, lastAttemptAt: null, sessions: [SESSION] }, {}],
      audit: [{ ...entry(request, 5), type: 'code_verified' }],
      effects: [],
    });
  });

  it('a signer has five sessions at most: ended ones go first, then the oldest', () => {
    const session = (n: number) => ({ hash: `s${n}`, expiresAt: iso(n) });
    const sessionsAfter = (...ends: number[]) =>
      signerOf(attempt(given({ sessions: ends.map(session) }), true)).sessions.map(({ hash }) => hash);
    expect(sessionsAfter(6, 7, 8, 9, 10)).toEqual(['s7', 's8', 's9', 's10', 'session']);
    expect(sessionsAfter(5, 6, 7, 8, 9)).toEqual(['s6', 's7', 's8', 's9', 'session']);
    expect(sessionsAfter(6, 5, 7, 4)).toEqual(['s6', 's7', 'session']);
  });

  it('no attempt counts after a newer code, a lock or the end of the request', () => {
    expect(refusal(() => attempt(given({}), true, 'other'))).toBe('code_expired');
    expect(refusal(() => attempt(given({ code: null }), true))).toBe('code_expired');
    expect(refusal(() => attempt(given({ codeAttempts: 5 }), true))).toBe('code_expired');
    expect(refusal(() => attempt(given({ codeAttempts: 5, lastAttemptAt: iso(0) }), true))).toBe('locked');
    expect(refusal(() => attempt(withState(sentRequest(1), { status: 'cancelled' }), true))).toBe(
      'link_cancelled',
    );
  });
});

describe('codeExpiry', () => {
  const mail = (kind: SignerState['mails'][number]['kind'], sent: boolean) => ({
    id: null,
    kind,
    at: iso(0),
    sent,
  });
  const expiry = (changes: Partial<SignerState>, now = at(0), expiresAt?: string) => {
    const request = given(changes);
    const state = { ...request.state, ...(expiresAt && { expiresAt }) };
    return codeExpiry(state, signerOf(request), now);
  };
  const TEN_MINUTES = iso(10 * MINUTE);

  it.each(['invitation', 'resend', 'code'] as const)(
    'the code of a mail of the kind %s can be entered if it was sent',
    (kind) => {
      expect(expiry({ mails: [mail(kind, true)] })).toBe(TEN_MINUTES);
      expect(expiry({ mails: [mail(kind, true)] }, at(10 * MINUTE))).toBeNull();
      expect(expiry({ mails: [mail('invitation', true), mail(kind, false)] })).toBeNull();
      expect(expiry({ mails: [mail(kind, false), mail('invitation', true)] })).toBe(TEN_MINUTES);
    },
  );

  it('mails without a code change nothing, and a signer without a record of mails has the code', () => {
    expect(expiry({ mails: [mail('invitation', true), mail('reminder', false)] })).toBe(TEN_MINUTES);
    expect(expiry({ mails: [] })).toBe(TEN_MINUTES);
  });

  it('a code to sign with ends with the time to sign, and one that shows a signed document does not', () => {
    expect(expiry({}, at(0), iso(3 * MINUTE))).toBe(iso(3 * MINUTE));
    expect(expiry({ status: 'signed' }, at(0), iso(3 * MINUTE))).toBe(TEN_MINUTES);
  });

  it('no code can be entered while the link is locked, or when it was used', () => {
    expect(expiry({ codeAttempts: 5, lastAttemptAt: iso(0) })).toBeNull();
    expect(expiry({ code: null })).toBeNull();
  });
});

describe('documentViewed', () => {
  it('the first view of the document is recorded', () => {
    const request = sentRequest(2);
    expect(difference(request, documentViewed(request, by(request), at(5)))).toEqual({
      state: {},
      signers: [{ viewedAt: iso(5) }, {}],
      audit: [{ ...entry(request, 5), type: 'document_viewed' }],
      effects: [],
    });
    const viewed = withSigner(request, { viewedAt: iso(1) });
    expect(documentViewed(viewed, by(viewed), at(5))).toBeUndefined();
  });
});
