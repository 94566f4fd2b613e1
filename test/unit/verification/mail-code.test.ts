import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { nextCodeAt } from '../../../shared/requests/codes.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import { invitationsReported } from '../../../shared/requests/inviting.ts';
import { requestIdOfToken } from '../../../shared/requests/links.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { MINUTE, SECOND, systemNow } from '../../../shared/runtime/time.ts';
import { metaKey, signerKey, tokenKey } from '../../../shared/store/keys.ts';
import { type OutboxItem, outboxItem } from '../../../shared/store/outbox.ts';
import { loadRequest, loadRequestOfLink, loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { findSignerRequests } from '../../../shared/store/signer-requests.ts';
import { MAIL_TEXTS } from '../../../shared/texts/languages.ts';
import {
  completeCorrection,
  correctSigner,
  mailRequestedCode,
  resendInvitation,
} from '../../../shared/verification/mail-code.ts';
import { verifyCode } from '../../../shared/verification/verify-code.ts';
import { FakeMailer } from '../../support/fake-mailer.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON, only, VISITOR } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const PEPPER = Buffer.alloc(32, 7);
let mails: FakeMailer;
let ids: { requestId: string; signerId: string; token: string };

const parts = () => ({
  table,
  mailer: mails.mailer,
  baseUrl: 'https://sign.example.com',
  codePepper: PEPPER,
  now: systemNow,
  send: async () => {},
});
const load = async (): Promise<SignatureRequest> => {
  const request = await loadRequest(table, ids.requestId);
  if (!request) throw new Error('The request is gone.');
  return request;
};
const signer = async () => only((await load()).signers);
const trail = async () =>
  ((await loadRequestWithTrail(table, ids.requestId))?.events ?? [])
    .slice(1)
    .map(({ type, actor, details }) => [type, actor, details]);

const ask = () => mailRequestedCode(parts(), ids, VISITOR);
const resend = (locale?: 'fi', check: (request: SignatureRequest) => void = () => {}) =>
  resendInvitation(parts(), ids, { locale, check });

/** Advances past the pauses between a call's attempts. */
async function soon<T>(call: Promise<T>): Promise<T> {
  await jest.advanceTimersByTimeAsync(SECOND);
  return call;
}

/** True if a mailed code is accepted. */
const opens = async (code = '') =>
  verifyCode(parts(), await load(), ids.signerId, { code, visitor: VISITOR }).then(
    () => true,
    () => false,
  );

beforeEach(async () => {
  virtualTime(NOON);
  memory.clear();
  mails = new FakeMailer();
  const { state, signers } = await storedRequest(table);
  ids = { requestId: state.id, signerId: only(signers).id, token: only(signers).accessToken };
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a correction by the sender', () => {
  /** Corrections wait until the invitations are reported. */
  const correctTo = async (email: string, services = parts()) => {
    await changed(table, ids.requestId, (request) => ({
      state: { ...request.state, invitationsReportedAt: NOON.toISOString() },
      signers: request.signers,
      audit: [],
      effects: [],
    }));
    return correctSigner(services, ids, { email, check: () => {} });
  };
  const tasks = () =>
    memory.items
      .filter(({ kind }) => kind === 'correction')
      .map((item) => outboxItem.parse(item))
      .filter((item) => item.kind === 'correction');
  const dieAtTheMail = async (email: string) => {
    const mailer = () => Promise.reject(new Error('killed'));
    await expect(correctTo(email, { ...parts(), mailer })).rejects.toThrow('killed');
    return only(tasks());
  };

  it('a correction that died is mailed once, with a code that opens its link', async () => {
    const task = await dieAtTheMail('right@example.com');
    expect(task.notBefore).toBe((await signer()).mailLeaseUntil);
    jest.setSystemTime(at(MINUTE));
    await completeCorrection(parts(), task);
    expect(tasks()).toEqual([]);
    await completeCorrection(parts(), task);
    const { to, content } = only(mails.mails);
    expect(to).toBe('right@example.com');
    expect(content.text).toContain(`/sign/${(await signer()).accessToken}`);
    expect(await signer()).toMatchObject({ status: 'sent', mailLeaseUntil: null });
    expect(await opens(only(mails.codes))).toBe(true);
  });

  it('a correction that died is not mailed after a resend, nor after the request has ended', async () => {
    const task = await dieAtTheMail('right@example.com');
    jest.setSystemTime(at(MINUTE));
    await resend();
    await completeCorrection(parts(), task);
    expect(mails.mails).toHaveLength(1);
    const another = await dieAtTheMail('righter@example.com');
    await changed(table, ids.requestId, (request, now) =>
      cancel(request, { actor: 'client', reason: null }, now),
    );
    await completeCorrection(parts(), another);
    expect(mails.mails).toHaveLength(1);
    expect(tasks()).toEqual([]);
  });

  it('the new address is mailed a new link and code, and the look-up of an older link is gone', async () => {
    memory.set({ ...tokenKey(ids.token), requestId: ids.requestId, signerId: ids.signerId });
    const { outcome, request } = await correctTo('right@example.com');
    const { accessToken } = only(request.signers);
    expect(outcome).toEqual({ sent: true, error: null });
    expect(tasks()).toEqual([]);
    expect(only(mails.mails)).toMatchObject({
      to: 'right@example.com',
      content: { text: expect.stringContaining(`https://sign.example.com/sign/${accessToken}`) },
      about: { requestId: ids.requestId, signerId: ids.signerId, kind: 'resend' },
    });
    expect(await opens(only(mails.codes))).toBe(true);
    expect(memory.item(tokenKey(ids.token))).toBeUndefined();
    expect((await loadRequestOfLink(table, accessToken))?.state.id).toBe(ids.requestId);
    expect(requestIdOfToken(accessToken)).toBe(ids.requestId);
    expect(await findSignerRequests(table, 'signer0@example.com')).toEqual([]);
    expect(await findSignerRequests(table, 'right@example.com')).toMatchObject([
      { requestId: ids.requestId },
    ]);
    expect((await trail()).map(([type]) => type)).toEqual([
      'signer_corrected',
      'invitation_resent',
      'code_verified',
    ]);
  });

  it('a correction that the caller’s check rejects changes nothing, and mails nobody', async () => {
    await changed(table, ids.requestId, invitationsReported);
    const before = await load();
    const rejected = correctSigner(parts(), ids, {
      email: 'right@example.com',
      name: undefined,
      check: () => {
        throw new Error('rejected');
      },
    });
    await expect(rejected).rejects.toThrow('rejected');
    expect(await load()).toEqual(before);
    expect(mails.mails).toEqual([]);
  });

  it('a code that was asked for with the old link is not mailed to the new address', async () => {
    await correctTo('right@example.com');
    await expect(ask()).rejects.toMatchObject({ code: 'not_found' });
    expect(mails.mails).toHaveLength(1);
  });
});

describe('codes requested by the signer', () => {
  it('a requested code is mailed, opens the link and is recorded in the trail', async () => {
    const { outcome, at: time, request } = await ask();
    expect(outcome).toEqual({ sent: true, error: null });
    expect(time).toBe(NOON.toISOString());
    expect(only(mails.mails)).toMatchObject({
      to: 'signer0@example.com',
      senderName: 'Acme',
      content: {
        text: expect.stringContaining(`https://sign.example.com/sign/${only(request.signers).accessToken}`),
      },
      deadline: at(8 * SECOND),
      about: { requestId: ids.requestId, signerId: ids.signerId, kind: 'code' },
    });
    expect(only(request.signers)).toMatchObject({
      code: { expiresAt: at(10 * MINUTE).toISOString() },
      codeRequests: [NOON.toISOString()],
      mailLeaseUntil: null,
    });
    expect(await signer()).toEqual(only(request.signers));
    expect(await trail()).toEqual([['code_sent', 'signer', {}]]);
    expect(await opens(only(mails.codes))).toBe(true);
  });

  it('a code whose mail fails brings the end of code entry no nearer', async () => {
    mails.fail('throttled');
    expect((await ask()).outcome).toEqual({ sent: false, error: 'throttled' });
    expect(await signer()).toMatchObject({ codeRequests: [], mailLeaseUntil: null });
    expect(await trail()).toEqual([['code_failed', 'signer', { error: 'throttled' }]]);
  });

  it('a code promises no time after the time to sign', async () => {
    const promisesTenMinutes = async (before: number) => {
      jest.setSystemTime(Date.parse((await load()).state.expiresAt) - before);
      await ask();
      return mails.mails.at(-1)?.content.text.includes('10 minutes');
    };
    expect(await promisesTenMinutes(11 * MINUTE)).toBe(true);
    expect(await promisesTenMinutes(9 * MINUTE)).toBe(false);
  });

  it('no code is created or mailed within thirty seconds of the last one', async () => {
    await ask();
    const before = await signer();
    jest.setSystemTime(at(29 * SECOND));
    await expect(ask()).rejects.toMatchObject({ code: 'too_many_codes' });
    expect(mails.mails).toHaveLength(1);
    expect(await signer()).toEqual(before);
  });

  it('a new code replaces the previous one', async () => {
    await ask();
    jest.setSystemTime(at(30 * SECOND));
    await ask();
    const [first, second] = mails.codes;
    expect(await opens(first)).toBe(first === second);
    expect(await opens(second)).toBe(true);
  });

  it('a call answers with the code’s times even if the request is cancelled while the mail is sent', async () => {
    mails.outcome = async () => {
      await changed(table, ids.requestId, (request, now) =>
        cancel(request, { actor: 'client', reason: null }, now),
      );
      return { sent: true, error: null };
    };
    const { request, signer: mailed } = await soon(ask());
    expect(only(request.signers).code).toBeNull();
    expect(mailed.code?.expiresAt).toBe(at(10 * MINUTE).toISOString());
    expect(nextCodeAt(mailed)).toBe(at(30 * SECOND).toISOString());
  });

  it('a request deleted while the mail is sent does not fail the call', async () => {
    mails.outcome = async () => {
      await table.delete(metaKey(ids.requestId));
      return { sent: true, error: null };
    };
    const { outcome, request } = await soon(ask());
    expect(outcome).toEqual({ sent: true, error: null });
    expect(request.state.id).toBe(ids.requestId);
  });

  it('no code is mailed for a request that does not exist', async () => {
    ids = { ...ids, requestId: 'nothing' };
    await expect(ask()).rejects.toMatchObject({ code: 'not_found' });
    expect(mails.mails).toEqual([]);
  });
});

describe('the sender’s resend', () => {
  it('a resend mails a new code in the requested language and resets attempts and locks', async () => {
    memory.set({
      ...signerKey(ids.requestId, 0),
      ...(await signer()),
      requestId: ids.requestId,
      codeAttempts: 5,
      lastAttemptAt: NOON.toISOString(),
      codeRequests: [NOON.toISOString()],
    });
    jest.setSystemTime(at(MINUTE));
    const { outcome } = await resend('fi');
    expect(outcome).toEqual({ sent: true, error: null });
    expect(await signer()).toMatchObject({
      locale: 'fi',
      localeAsInvited: 'en',
      codeAttempts: 0,
      lastAttemptAt: null,
      codeRequests: [],
      sentAt: at(MINUTE).toISOString(),
      mailLeaseUntil: null,
    });
    const about = { requestId: ids.requestId, signerId: ids.signerId, kind: 'resend' };
    expect(only(mails.mails)).toMatchObject({ content: { subject: expect.stringMatching(/./) }, about });
    expect(await trail()).toEqual([
      ['code_rotated', 'client', { locale: 'fi' }],
      ['invitation_resent', 'client', { locale: 'fi' }],
    ]);
    expect(await opens(only(mails.codes))).toBe(true);
  });

  it('a resend invites a signer whom no mail has reached, and does not tell them of earlier codes', async () => {
    const unreached = { ...(await signer()), status: 'pending', sentAt: null };
    memory.set({ ...signerKey(ids.requestId, 0), ...unreached, requestId: ids.requestId });
    await resend();
    await resend();
    const texts = MAIL_TEXTS.en;
    const subjects = mails.mails.map(({ content }) => content.subject);
    expect(subjects).toEqual(
      [texts.invitation, texts.resend].map(({ subject }) => subject('Acme', 'Contract')),
    );
    expect(mails.mails[0]?.content.text).toContain(texts.invitation.intro('Acme'));
  });

  it('a resend without a language keeps the signer’s', async () => {
    await resend();
    expect(await signer()).toMatchObject({ locale: 'en' });
  });

  it('a failed resend records the reason, and sends the notice of it', async () => {
    mails.fail('rejected');
    const sent: OutboxItem[] = [];
    const send = async (items: OutboxItem[]) => void sent.push(...items);
    const by = { locale: undefined, check: () => {} };
    const { outcome } = await resendInvitation({ ...parts(), send }, ids, by);
    expect(outcome).toEqual({ sent: false, error: 'rejected' });
    expect(sent).toMatchObject([{ kind: 'notice', reason: 'mail_failed', about: [ids.signerId] }]);
    expect((await trail()).at(-1)).toEqual([
      'invitation_resend_failed',
      'client',
      { locale: 'en', error: 'rejected' },
    ]);
    expect(await signer()).toMatchObject({ sentAt: NOON.toISOString(), mailLeaseUntil: null });
  });

  it('a resend that the caller’s check rejects changes nothing', async () => {
    const before = await signer();
    const refusal = new Error('Not yours.');
    const seen: string[] = [];
    await expect(
      resend(undefined, ({ state }) => {
        seen.push(state.id);
        throw refusal;
      }),
    ).rejects.toBe(refusal);
    expect(seen).toEqual([ids.requestId]);
    expect(await signer()).toEqual(before);
    expect(mails.mails).toEqual([]);
  });

  it('a resend is recorded even if the request is cancelled while the mail is sent', async () => {
    mails.outcome = async () => {
      await changed(table, ids.requestId, (request, now) =>
        cancel(request, { actor: 'client', reason: null }, now),
      );
      return { sent: true, error: null };
    };
    const { request } = await soon(resend());
    expect(request.state.status).toBe('cancelled');
    expect(await signer()).toMatchObject({ status: 'invalidated', mailLeaseUntil: null });
    expect((await trail()).at(-1)?.[0]).toBe('invitation_resent');
  });
});

describe('concurrent mails to one signer', () => {
  it('a call waits while another mails the signer, so that the last mail has the valid code', async () => {
    const first = Promise.withResolvers<{ sent: true; error: null }>();
    mails.outcome = () => first.promise;
    const both = [resend()];
    await jest.advanceTimersByTimeAsync(0);
    expect(mails.mails).toHaveLength(1);
    mails.outcome = () => ({ sent: true, error: null });
    both.push(resend());
    await jest.advanceTimersByTimeAsync(10 * SECOND);
    expect(mails.mails).toHaveLength(1);
    first.resolve({ sent: true, error: null });
    await soon(Promise.all(both));
    expect(mails.mails).toHaveLength(2);
    expect(await opens(mails.codes[1])).toBe(true);
  });

  it('a waiting call gives up after fifteen seconds', async () => {
    mails.outcome = () => new Promise(() => {});
    void resend();
    await jest.advanceTimersByTimeAsync(0);
    let refusal: unknown;
    const second = resend().catch((error: unknown) => {
      refusal = error;
    });
    await jest.advanceTimersByTimeAsync(15 * SECOND);
    expect(refusal).toBeUndefined();
    await soon(second);
    expect(refusal).toMatchObject({ code: 'conflict', retryAt: at(MINUTE).toISOString() });
    expect(mails.mails).toHaveLength(1);
  });

  it('a waiting call reads the request more and more seldom, so that a slow mail server costs little', async () => {
    mails.outcome = () => new Promise(() => {});
    void resend();
    await jest.advanceTimersByTimeAsync(0);
    memory.mock.resetHistory();
    void resend().catch(() => {});
    await jest.advanceTimersByTimeAsync(16 * SECOND);
    expect(memory.mock.commandCalls(QueryCommand).length).toBeLessThan(80);
  });

  it('a waiting call takes over once the other’s lease of one minute ends', async () => {
    mails.outcome = () => new Promise(() => {});
    void resend();
    await jest.advanceTimersByTimeAsync(50 * SECOND);
    mails.outcome = () => ({ sent: true, error: null });
    const second = resend();
    await jest.advanceTimersByTimeAsync(10 * SECOND);
    expect((await soon(second)).outcome).toEqual({ sent: true, error: null });
    expect(mails.mails).toHaveLength(2);
  });

  it('an error of the table is thrown without waiting', async () => {
    memory.beforeWrites.push(() => {
      throw new Error('The table is out of order.');
    });
    await expect(resend()).rejects.toThrow('out of order');
  });
});
