import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { NEUTRAL } from '../../../shared/accounts/brand.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { open } from '../../../shared/requests/signing.ts';
import { DAY, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { signerKey } from '../../../shared/store/keys.ts';
import { loadRequest, loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { MAIL_TEXTS } from '../../../shared/texts/languages.ts';
import { codeHash } from '../../../shared/verification/code.ts';
import { mailInvitations } from '../../../shared/verification/invite.ts';
import { verifyCode } from '../../../shared/verification/verify-code.ts';
import { FakeMailer } from '../../support/fake-mailer.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON, VISITOR } from '../../support/requests.ts';
import { changed, storedNew, storedRequest } from '../../support/stored-requests.ts';
import { until } from '../../support/until.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const PEPPER = Buffer.alloc(32, 7);
let mails: FakeMailer;
let request: SignatureRequest;
let clock: Date;

const parts = () => ({
  table,
  mailer: mails.mailer,
  baseUrl: 'https://sign.example.com',
  codePepper: PEPPER,
  now: () => clock,
});
const idOf = (place: number) => request.signers[place]?.id ?? '';
/** The codes of a new request, as its creator knows them. */
const codes = () => new Map(request.signers.map(({ id }, place) => [id, `00000${place}`]));
const load = async (): Promise<SignatureRequest> => {
  const loaded = await loadRequest(table, request.state.id);
  if (!loaded) throw new Error('The request is gone.');
  return loaded;
};
const invitationsInTrail = async () =>
  (await loadRequestWithTrail(table, request.state.id))?.events.filter(
    ({ type }) => type === 'invitation_sent',
  );
const opens = async (place: number, code = '') =>
  verifyCode({ ...parts(), send: async () => {} }, await load(), idOf(place), {
    code,
    visitor: VISITOR,
  }).then(
    () => true,
    () => false,
  );
const recipients = () => mails.mails.map(({ to }) => to);

const invite = async () => (await mailInvitations(parts(), request, { codes: codes() })).request;
const inviteAgain = async () => (await mailInvitations(parts(), request)).request;

beforeEach(async () => {
  memory.clear();
  clock = NOON;
  mails = new FakeMailer();
  request = await storedNew(table, 3);
});

describe('invitations', () => {
  it('every signer is mailed, with a personal link and code', async () => {
    await invite();
    expect(recipients()).toEqual(['signer0@example.com', 'signer1@example.com', 'signer2@example.com']);
    expect(mails.codes).toEqual(['000000', '000001', '000002']);
    for (const [place, { content, senderName }] of mails.mails.entries()) {
      expect(senderName).toBe('Acme');
      expect(content.text).toContain(`https://sign.example.com/sign/${request.signers[place]?.accessToken}`);
      expect(content.text).toContain('Contract');
      const about = { requestId: request.state.id, signerId: idOf(place), kind: 'invitation' };
      expect(mails.mails[place]).toMatchObject({ about });
    }
  });

  it('five signers are mailed at once, and the next ones when the outcomes of those are stored', async () => {
    request = await storedNew(table, 7);
    const done = new Map<string, () => void>();
    mails.outcome = ({ to }) =>
      new Promise((resolve) => done.set(to, () => resolve({ sent: true, error: null })));
    const mailing = invite();
    await until(() => done.size === 5, 'five mails');
    for (const end of done.values()) end();
    await until(() => done.size === 7, 'the next two mails');
    expect((await load()).signers.map(({ invitation }) => invitation?.sent)).toEqual([
      ...Array(5).fill(true),
      ...Array(2).fill(undefined),
    ]);
    for (const end of done.values()) end();
    const { signers } = await mailing;
    expect(signers.map(({ email, status }) => [email, status])).toEqual(
      Array.from({ length: 7 }, (_, place) => [`signer${place}@example.com`, 'sent']),
    );
    expect(mails.mails).toHaveLength(7);
  });

  it('three outcomes, the report of the batch and the end of its task are one transaction', async () => {
    const task = { pk: 'OUTBOX#task', sk: 'OUTBOX' };
    await table.put(task);
    memory.mock.resetHistory();
    const { request: sent, outbox } = await mailInvitations(parts(), request, {
      codes: codes(),
      finalWrites: [{ delete: task }],
    });
    expect(memory.mock.commandCalls(TransactWriteItemsCommand)).toHaveLength(1);
    expect(memory.mock.calls()).toHaveLength(2); // The other reads the brand.
    expect(memory.item(task)).toBeUndefined();
    expect(sent.state.invitationsReportedAt).toBe(NOON.toISOString());
    expect(outbox).toMatchObject([{ kind: 'event', eventType: 'signature_request.sent' }]);
  });

  it.each([5, 7])('the task of %i invitations stays until the last outcome is stored', async (signers) => {
    request = await storedNew(table, signers);
    const task = { pk: 'OUTBOX#task', sk: 'OUTBOX' };
    await table.put(task);
    const stored: boolean[] = [];
    mails.outcome = () => {
      stored.push(memory.item(task) !== undefined);
      return { sent: true, error: null };
    };
    await mailInvitations(parts(), request, { codes: codes(), finalWrites: [{ delete: task }] });
    expect(stored).toEqual(Array(signers).fill(true));
    expect(memory.item(task)).toBeUndefined();
  });

  it('a batch whose outcomes are all known is reported, and mails nobody', async () => {
    const task = { pk: 'OUTBOX#task', sk: 'OUTBOX' };
    await table.put(task);
    request = await storedRequest(table, 2);
    const { outbox } = await mailInvitations(parts(), request, { finalWrites: [{ delete: task }] });
    expect(outbox).toMatchObject([{ kind: 'event', eventType: 'signature_request.sent' }]);
    expect(memory.item(task)).toBeUndefined();
    expect(mails.mails).toEqual([]);
  });

  it('an invitation shows the brand that the caller knows', async () => {
    const brand = { ...NEUTRAL, name: 'Acme Homes' };
    await mailInvitations(parts(), request, { codes: codes(), brand });
    expect(mails.mails.map(({ content }) => content.text)).toEqual(
      request.signers.map(() => expect.stringContaining('Acme Homes')),
    );
  });

  it('an invitation says when its code ends', async () => {
    await invite();
    expect(mails.mails[0]?.content.text).toContain('12:10');
  });

  it('only the invitation of a test request is marked as a test', async () => {
    const owner = { id: 'o', type: 'organization', name: 'Acme', archive: false, reminders: true } as const;
    const textIn = async (mode: 'live' | 'test') => {
      mails = new FakeMailer();
      request = await storedNew(table, 1, { owner: { ...owner, mode } });
      await invite();
      return mails.mails[0]?.content.text ?? '';
    };
    const [live, test] = [await textIn('live'), await textIn('test')];
    expect(test).toContain(MAIL_TEXTS.en.testNotice);
    expect(live).not.toContain(MAIL_TEXTS.en.testNotice);
  });

  it('mailed invitations make the request sent and schedule the first reminder', async () => {
    clock = at(SECOND);
    const sent = await invite();
    expect(await load()).toMatchObject(sent);
    expect(sent.state).toMatchObject({
      status: 'sent',
      sentAt: at(SECOND).toISOString(),
      invitationsReportedAt: at(SECOND).toISOString(),
    });
    for (const signer of sent.signers)
      expect(signer).toMatchObject({
        status: 'sent',
        sentAt: at(SECOND).toISOString(),
        invitation: { at: at(SECOND).toISOString(), sent: true, error: null },
        mailLeaseUntil: null,
        remindAt: at(SECOND + 3 * DAY).toISOString(),
      });
  });

  it('all invitations share a deadline of twenty seconds', async () => {
    mails.outcome = () => {
      clock = new Date(clock.getTime() + 5 * SECOND);
      return { sent: true, error: null };
    };
    await invite();
    expect(mails.mails.map(({ deadline }) => deadline)).toEqual([at(20_000), at(20_000), at(20_000)]);
  });

  it('a request stays pending if no invitation could be mailed', async () => {
    mails.fail('rejected');
    const { state, signers } = await invite();
    expect(state).toMatchObject({
      status: 'pending',
      sentAt: null,
      invitationsReportedAt: NOON.toISOString(),
    });
    for (const signer of signers)
      expect(signer).toMatchObject({
        status: 'pending',
        sentAt: null,
        invitation: { sent: false, error: 'rejected' },
        mailLeaseUntil: null,
        remindAt: null,
      });
  });

  it('one mailed invitation is enough to make the request sent', async () => {
    mails.outcome = ({ to }) =>
      to.startsWith('signer1') ? { sent: true, error: null } : { sent: false, error: 'rejected' };
    const { state, signers } = await invite();
    expect(state.status).toBe('sent');
    expect(signers.map(({ status }) => status)).toEqual(['pending', 'sent', 'pending']);
  });

  it('a mailing that stops has stored the outcome of every mail it ended, and starts no other', async () => {
    request = await storedNew(table, 7);
    mails.outcome = ({ to }) => {
      if (to.startsWith('signer1')) throw new Error('The function was stopped.');
      return { sent: true, error: null };
    };
    await expect(invite()).rejects.toThrow('stopped');
    const { state, signers } = await load();
    const mailed = [true, undefined, true, true, true, undefined, undefined];
    expect(signers.map(({ invitation }) => invitation?.sent)).toEqual(mailed);
    expect(mails.mails).toHaveLength(5);
    expect(state.invitationsReportedAt).toBeNull();
  });
});

describe('changes while invitations are mailed', () => {
  /** Runs `act` while the second signer is mailed. */
  const meanwhile = (act: () => Promise<unknown>) => {
    mails.outcome = async ({ to }) => {
      if (to.startsWith('signer1')) await act();
      return { sent: true, error: null };
    };
  };

  it('a link opened before the outcome is stored stays opened', async () => {
    meanwhile(() =>
      changed(table, request.state.id, (current, now) =>
        open(current, { signerId: idOf(1), visitor: VISITOR }, now),
      ),
    );
    const { state, signers } = await invite();
    expect(signers.map(({ status }) => status)).toEqual(['sent', 'opened', 'sent']);
    expect(signers[1]).toMatchObject({ invitation: { sent: true, error: null }, sentAt: NOON.toISOString() });
    expect(state.status).toBe('opened');
    expect((await load()).signers[1]).toMatchObject({ status: 'opened', openedAt: NOON.toISOString() });
  });

  it('a request cancelled during the mailing stays cancelled', async () => {
    meanwhile(() =>
      changed(table, request.state.id, (current, now) =>
        cancel(current, { actor: 'client', reason: null }, now),
      ),
    );
    await invite();
    const { state, signers } = await load();
    expect(state.status).toBe('cancelled');
    expect(signers.map(({ status }) => status)).toEqual(['invalidated', 'invalidated', 'invalidated']);
  });

  it('nobody else is mailed once the request has ended', async () => {
    request = await storedNew(table, 7);
    const ends = (current: SignatureRequest, now: Date) =>
      cancel(current, { actor: 'client', reason: null }, now);
    mails.outcome = async () => {
      if (mails.mails.length === 1) await changed(table, request.state.id, ends);
      return { sent: true, error: null };
    };
    expect((await invite()).state.status).toBe('cancelled');
    expect(recipients()).toHaveLength(5);
  });

  it('an error of the table stops the mailing', async () => {
    request = await storedNew(table, 7);
    memory.beforeWrites.push(() => {
      throw new Error('The table is out of order.');
    });
    await expect(invite()).rejects.toThrow('out of order');
    expect(mails.mails).toHaveLength(5);
  });
});

describe('interrupted invitations', () => {
  const LEFT = [1, 5, 6];

  beforeEach(async () => {
    request = await storedNew(table, 7);
    mails.outcome = ({ to }) => {
      if (to.startsWith('signer1')) throw new Error('The function was stopped.');
      return { sent: true, error: null };
    };
    await invite().catch(() => {});
    mails = new FakeMailer();
    request = await load();
  });

  it('signers without an outcome are mailed new codes one minute after an interruption', async () => {
    clock = at(MINUTE);
    const { state, signers } = await inviteAgain();
    expect(recipients().sort()).toEqual(LEFT.map((place) => `signer${place}@example.com`));
    expect(state).toMatchObject({
      status: 'sent',
      sentAt: NOON.toISOString(),
      invitationsReportedAt: at(MINUTE).toISOString(),
    });
    expect(signers.map(({ sentAt }) => sentAt)).toEqual(
      signers.map((_, place) => (LEFT.includes(place) ? at(MINUTE) : NOON).toISOString()),
    );
    for (const place of LEFT) {
      const code = mails.codes[recipients().indexOf(`signer${place}@example.com`)] ?? '';
      expect(signers[place]?.code).toEqual({
        hash: codeHash(PEPPER, state.id, idOf(place), code),
        expiresAt: at(11 * MINUTE).toISOString(),
      });
      expect(await opens(place, code)).toBe(true);
    }
  });

  it('a second call does not mail while the first one’s lease lasts', async () => {
    clock = at(MINUTE - 1);
    await expect(inviteAgain()).rejects.toMatchObject({ name: 'MailLeaseHeld' });
    expect(mails.mails).toEqual([]);
  });

  it('mailing again changes nothing and mails nobody twice', async () => {
    clock = at(MINUTE);
    await inviteAgain();
    const first = await load();
    clock = at(2 * MINUTE);
    const again = await inviteAgain();
    expect(recipients()).toHaveLength(LEFT.length);
    expect(again.state).toEqual(first.state);
  });

  it('the task stays while one of its signers has no outcome, and ends with the last', async () => {
    const task = { pk: 'OUTBOX#task', sk: 'OUTBOX' };
    await table.put(task);
    const work = async () => mailInvitations(parts(), await load(), { finalWrites: [{ delete: task }] });
    await table.update(signerKey(request.state.id, 5), { mailLeaseUntil: at(2 * MINUTE).toISOString() });
    clock = at(MINUTE);
    await expect(work()).rejects.toMatchObject({ name: 'MailLeaseHeld' });
    expect(recipients().sort()).toEqual(['signer1@example.com', 'signer6@example.com']);
    expect(memory.item(task)).toBeDefined();
    clock = at(2 * MINUTE);
    const { outbox } = await work();
    expect(recipients()).toEqual([expect.anything(), expect.anything(), 'signer5@example.com']);
    expect(outbox).toMatchObject([{ kind: 'event', eventType: 'signature_request.sent' }]);
    expect(memory.item(task)).toBeUndefined();
  });

  it('a resumed mailing invites nobody to a request that was cancelled meanwhile', async () => {
    request = await storedNew(table, 7);
    clock = at(MINUTE);
    mails.outcome = async () => {
      if (mails.mails.length === 5)
        await changed(table, request.state.id, (current, now) =>
          cancel(current, { actor: 'client', reason: null }, now),
        );
      return { sent: true, error: null };
    };
    await inviteAgain();
    expect(mails.mails).toHaveLength(5);
    const { state, signers } = await load();
    expect(state.status).toBe('cancelled');
    expect(await invitationsInTrail()).toHaveLength(5);
    expect(signers.map(({ code, sentAt }) => code ?? sentAt)).toEqual([
      ...Array(5).fill(at(MINUTE).toISOString()),
      null,
      null,
    ]);
  });

  it('a resumed mailing invites nobody to a request that expired meanwhile', async () => {
    clock = at(30 * DAY);
    await inviteAgain();
    expect(mails.mails).toEqual([]);
    expect(await invitationsInTrail()).toHaveLength(7 - LEFT.length);
    expect((await load()).signers.map(({ mailLeaseUntil }) => mailLeaseUntil)).toEqual(
      request.signers.map(({ mailLeaseUntil }) => mailLeaseUntil),
    );
  });

  it('an interrupted mailing of a deleted request is refused', async () => {
    clock = at(MINUTE);
    memory.clear();
    await expect(inviteAgain()).rejects.toMatchObject({ code: 'not_found' });
  });
});
