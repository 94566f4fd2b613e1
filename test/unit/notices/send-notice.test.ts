import { addMember } from '../../../shared/accounts/members.ts';
import { sendNotice } from '../../../shared/notices/send-notice.ts';
import { cancel, decline, expire, sealed } from '../../../shared/requests/ending.ts';
import type { Change, SignatureRequest } from '../../../shared/requests/model.ts';
import { mailReturned } from '../../../shared/requests/returned-mails.ts';
import { DAY, SECOND } from '../../../shared/runtime/time.ts';
import { changeRequest } from '../../../shared/store/change.ts';
import { copyKey, memberKey, metaKey, ownerKey, signerKey } from '../../../shared/store/keys.ts';
import { type OutboxItem, type OutboxNotice, readOutbox } from '../../../shared/store/outbox.ts';
import type { Owner } from '../../../shared/store/owners.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { FakeMailer } from '../../support/fake-mailer.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { at, NOON, only, signedBy, VISITOR } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
let mails: FakeMailer;
let request: SignatureRequest;
let clock: Date;
let sent: OutboxItem[];
let tokens: number;

const idOf = (place: number) => request.signers[place]?.id ?? '';
const recipients = () => mails.mails.map(({ to }) => to);
const textTo = (to: string) => only(mails.mails.filter((mail) => mail.to === to)).content;

const storeOwner = (changes: Partial<Owner> = {}) => {
  const owner = ownerItem({ id: request.state.ownerId, notify: 'office@example.com', ...changes });
  return table.put({ ...ownerKey(owner.id), ...owner });
};

/** The notice that a change leaves in the outbox. */
async function noticeAfter(
  rule: (request: SignatureRequest, now: Date) => Change | undefined,
  now = NOON,
): Promise<OutboxNotice> {
  const done = await changeRequest({ table, now: () => now }, request.state.id, rule);
  return only((done?.outbox ?? []).flatMap((item) => (item.kind === 'notice' ? [item] : [])));
}

const cancelled = () =>
  noticeAfter((current, now) => cancel(current, { actor: 'client', reason: null }, now));

async function sealedNotice(): Promise<OutboxNotice> {
  for (const place of [0, 1, 2])
    await changed(table, request.state.id, (current, now) => signedBy(current, place, now));
  return noticeAfter((current, now) =>
    sealed(
      current,
      {
        record: { sealedAt: now.toISOString(), objectKey: 'k', size: 1, pagesAdded: 1, technical: {} },
        documentHash: 'b'.repeat(64),
        archiveProtected: false,
        baseUrl: 'https://sign.example.com',
      },
      now,
    ),
  );
}

const mailReturnedOf = (current: SignatureRequest, id: string, now: Date, place = 0) =>
  mailReturned(
    current,
    { signerId: idOf(place), id, kind: 'invitation', sentAt: now.toISOString(), outcome: 'bounced' },
    now,
  );

const send = (notice: OutboxNotice) =>
  sendNotice(
    {
      table,
      mailer: mails.mailer,
      baseUrl: 'https://sign.example.com',
      newToken: () => {
        tokens += 1;
        return `copy-${tokens}`;
      },
      now: () => clock,
      send: async (items) => void sent.push(...items),
    },
    notice,
  );

/** Sends what is still to be told, as the sweep's message makes another run do. */
async function sendAgain({ id }: OutboxNotice): Promise<void> {
  const left = await readOutbox(table, id);
  if (left?.kind === 'notice') await send(left);
}

const trail = async () =>
  ((await loadRequestWithTrail(table, request.state.id))?.events ?? [])
    .filter(({ type }) => type.includes('notice'))
    .map(({ type, signerId, details }) => [type, signerId, details]);

beforeEach(async () => {
  memory.clear();
  mails = new FakeMailer();
  sent = [];
  tokens = 0;
  clock = at(SECOND);
  request = await storedRequest(table, 3);
  await storeOwner();
});

describe('recipients', () => {
  it('the sender and every signer are mailed once the document is sealed', async () => {
    const notice = await sealedNotice();
    await send(notice);
    expect(recipients()).toEqual(['office@example.com', ...[0, 1, 2].map((n) => `signer${n}@example.com`)]);
    expect(mails.mails[0]).toMatchObject({ senderName: 'Acme', deadline: at(11 * SECOND) });
    expect(textTo('office@example.com').subject).toBe('Completed: “Contract”');
    expect(textTo('office@example.com').text).toContain(
      `https://sign.example.com/app/requests/${request.state.id}\n`,
    );
    expect(textTo('signer1@example.com').text).toContain('https://sign.example.com/sign/copy#copy-2');
    expect(textTo('signer1@example.com').text).not.toContain('token-1');
    expect(await trail()).toEqual([
      ['sender_notice_sent', null, { notice: 'completed' }],
      ...[0, 1, 2].map((n) => ['sealed_notice_sent', idOf(n), {}]),
    ]);
    expect(await readOutbox(table, notice.id)).toBeUndefined();
  });

  it('each mail to a signer names the signer and its kind, for a report that it came back', async () => {
    await send(await sealedNotice());
    const requestId = request.state.id;
    expect(mails.mails.map(({ about }) => about)).toEqual([
      { requestId },
      ...[0, 1, 2].map((place) => ({ requestId, signerId: idOf(place), kind: 'completed' })),
    ]);
  });

  it('a notice takes four round trips beside its mails', async () => {
    const notice = await sealedNotice();
    memory.mock.resetHistory();
    await send(notice);
    expect(mails.mails).toHaveLength(4);
    // The request, the owner, the lease with the copy links, and the outcomes.
    expect(memory.mock.calls()).toHaveLength(4);
  });

  it('at most five recipients are mailed at once, and their outcomes recorded before the next', async () => {
    request = await storedRequest(table, 7);
    await storeOwner();
    const notice = await noticeAfter((current, now) => expire(current, now), at(31 * DAY));
    const recorded: number[] = [];
    let underWay = 0;
    let most = 0;
    mails.outcome = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      recorded.push((await trail()).length);
      underWay -= 1;
      return { sent: true, error: null };
    };
    await send(notice);
    expect(most).toBe(5);
    expect(recorded).toEqual([0, 0, 0, 0, 0, 5, 5, 5]);
    expect((await trail()).map(([, signerId]) => signerId)).toEqual([
      null,
      ...request.signers.map(({ id }) => id),
    ]);
    expect(await readOutbox(table, notice.id)).toBeUndefined();
  });

  it('a copy link is stored before its mail is sent, for its signer, until after all links have ended: an archive may begin before the purge', async () => {
    const stored: unknown[] = [];
    mails.outcome = async ({ to, content }) => {
      const token = /copy#([\w-]+)/.exec(content.text)?.[1];
      if (token) stored.push([to, await table.get(copyKey(token))]);
      return { sent: true, error: null };
    };
    await send(await sealedNotice());
    expect(stored).toEqual(
      [0, 1, 2].map((place) => [
        `signer${place}@example.com`,
        expect.objectContaining({
          requestId: request.state.id,
          signerId: idOf(place),
          ttl: at(37 * DAY).getTime() / SECOND,
        }),
      ]),
    );
    expect(JSON.stringify(stored)).not.toContain('copy-1');
  });

  it('a decline is told to the sender with its reason, to the others without', async () => {
    const by = { signerId: idOf(1), reason: 'The price is wrong', visitor: VISITOR };
    await send(await noticeAfter((current, now) => decline(current, by, now)));
    expect(recipients()).toEqual(['office@example.com', 'signer0@example.com', 'signer2@example.com']);
    const { text } = textTo('office@example.com');
    expect(text).toContain('Signer 1 (signer1@example.com)');
    expect(text).toContain('> The price is wrong');
    expect(textTo('signer0@example.com').text).not.toMatch(/price|Signer 1/);
  });

  it('a sender who cancels is not told; those who were never invited are not either', async () => {
    await table.update(signerKey(request.state.id, 1), { sentAt: null, mailLeaseUntil: null });
    await send(await cancelled());
    expect(recipients()).toEqual(['signer0@example.com', 'signer2@example.com']);
  });

  it('signers hear nothing of endings if the organization wants it so, but get the sealed document', async () => {
    await storeOwner({ signerNotices: false });
    const notice = await cancelled();
    await send(notice);
    expect(recipients()).toEqual([]);
    expect(await readOutbox(table, notice.id)).toBeUndefined();
    request = await storedRequest(table, 3);
    await storeOwner({ signerNotices: false });
    await send(await sealedNotice());
    expect(recipients()).toHaveLength(4);
  });

  it.each<[string, Partial<Owner>, string[]]>([
    ['an organization without an address', { notify: undefined }, []],
    ['an organization that turned notices off', { notify: null }, []],
    ['a user', { type: 'user', name: 'una@example.com', notify: undefined }, ['una@example.com']],
    ['a user who turned notices off', { type: 'user', name: 'una@example.com', notify: null }, []],
  ])('%s is mailed at: %j', async (_, owner, expected) => {
    await storeOwner({ ...owner, signerNotices: false });
    await send(await noticeAfter((current, now) => expire(current, now), at(31 * DAY)));
    expect(recipients()).toEqual(expected);
  });

  it.each<[string, Partial<Owner>, string]>([
    ['an organization, which has none, in that of the request', {}, 'Expired: “Contract”'],
    ['a user in that of the user', { type: 'user', locale: 'fi' }, 'Määräaika päättynyt: ”Contract”'],
    ['a user without a language in that of the request', { type: 'user' }, 'Expired: “Contract”'],
  ])('the owner’s notice is in the language of the owner: %s', async (_, owner, subject) => {
    await storeOwner(owner);
    await send(await noticeAfter((current, now) => expire(current, now), at(31 * DAY)));
    expect(textTo('office@example.com').subject).toBe(subject);
  });

  it.each<[string, Partial<Owner> | null, string]>([
    ['in the language that the user has chosen', { locale: 'fi' }, 'Määräaika päättynyt: ”Contract”'],
    ['in that of the request if the user has chosen none', {}, 'Expired: “Contract”'],
    ['in that of the request if the user is gone', null, 'Expired: “Contract”'],
  ])('the notice of a request from the dashboard is %s', async (_, changes, subject) => {
    await storeOwner({ type: 'user', locale: 'sv' });
    const createdBy = { userId: 'user-1', email: 'una@example.com' };
    await table.update(metaKey(request.state.id), { createdBy });
    const user = changes && ownerItem({ id: 'user-1', type: 'user', name: createdBy.email, ...changes });
    if (user) await table.put({ ...ownerKey(user.id), ...user });
    await send(await noticeAfter((current, now) => expire(current, now), at(31 * DAY)));
    expect(textTo('una@example.com').subject).toBe(subject);
    expect(recipients()).not.toContain('office@example.com');
  });

  it('a user who left the organization gets no notice of its requests any more, and its own address gets them', async () => {
    const una = await addMember(
      table,
      request.state.ownerId,
      { email: 'una@example.com', role: 'member' },
      { userId: 'operator', visitor: VISITOR, now: NOON },
    );
    const createdBy = { userId: una.member.userId, email: una.member.email };
    await table.update(metaKey(request.state.id), { createdBy });
    const [first, second] = [
      await noticeAfter((current, now) => mailReturnedOf(current, 'm-1', now)),
      await noticeAfter((current, now) => mailReturnedOf(current, 'm-2', now, 1)),
    ];
    await send(first);
    expect(recipients()).toEqual(['una@example.com']);
    await table.delete(memberKey(request.state.ownerId, una.member.userId));
    await send(second);
    expect(recipients()).toEqual(['una@example.com', 'office@example.com']);
  });

  it('a notice waits while a signer is being invited', async () => {
    await table.update(signerKey(request.state.id, 1), {
      sentAt: null,
      mailLeaseUntil: at(30 * SECOND).toISOString(),
    });
    const notice = await cancelled();
    await expect(send(notice)).rejects.toThrow('being invited');
    expect(recipients()).toEqual([]);
    clock = at(31 * SECOND);
    await send(notice);
    expect(recipients()).toEqual(['signer0@example.com', 'signer2@example.com']);
  });
});

describe('outcomes', () => {
  it('a signer who could not be mailed is reported to the sender, a sender who could not be is not', async () => {
    const notice = await noticeAfter((current, now) => expire(current, now), at(31 * DAY));
    mails.outcome = ({ to }) =>
      to.startsWith('signer2') || to.startsWith('office')
        ? { sent: false, error: 'rejected' }
        : { sent: true, error: null };
    await send(notice);
    expect(sent).toMatchObject([{ kind: 'notice', reason: 'mail_failed', about: [idOf(2)] }]);
    expect(await trail()).toEqual([
      ['sender_notice_failed', null, { notice: 'expired', error: 'rejected' }],
      ['signer_notice_sent', idOf(0), { notice: 'expired' }],
      ['signer_notice_sent', idOf(1), { notice: 'expired' }],
      ['signer_notice_failed', idOf(2), { notice: 'expired', error: 'rejected' }],
    ]);
  });

  it.each(['throttled', 'unavailable'])(
    'a notice that SES cannot take yet is mailed by a later run to everyone left: %s',
    async (error) => {
      const notice = await sealedNotice();
      mails.outcome = ({ to }) =>
        to.startsWith('signer1') ? { sent: false, error, isPostponed: true } : { sent: true, error: null };
      await send(notice);
      expect((await readOutbox(table, notice.id))?.id).toBe(notice.id);
      mails = new FakeMailer();
      clock = at(DAY - SECOND);
      await sendAgain(notice);
      expect(recipients()).toEqual(['signer1@example.com']);
      expect(await trail()).toEqual([
        ['sender_notice_sent', null, { notice: 'completed' }],
        ...[0, 2, 1].map((n) => ['sealed_notice_sent', idOf(n), {}]),
      ]);
      expect(await readOutbox(table, notice.id)).toBeUndefined();
    },
  );

  it('recipients beyond the first five wait too if SES cannot take a mail', async () => {
    request = await storedRequest(table, 6);
    const notice = await cancelled();
    mails.fail('throttled', { isPostponed: true });
    await send(notice);
    expect(mails.mails).toHaveLength(5);
    expect(await readOutbox(table, notice.id)).toMatchObject({ recipients: notice.recipients });
    expect(await trail()).toEqual([]);
  });

  it('the sender is told once of all signers who could not be mailed at once', async () => {
    const notice = await cancelled();
    mails.fail('rejected');
    await send(notice);
    expect(sent).toMatchObject([{ reason: 'mail_failed', about: [0, 1, 2].map(idOf) }]);
  });

  it('a notice that SES could not take for a day is recorded as failed', async () => {
    const notice = await cancelled();
    mails.fail('unavailable', { isPostponed: true });
    clock = at(DAY);
    await send(notice);
    expect((await trail()).map(([type]) => type)).toEqual(Array(3).fill('signer_notice_failed'));
    expect(await readOutbox(table, notice.id)).toBeUndefined();
  });

  it('a run that takes too long leaves the rest to the next', async () => {
    request = await storedRequest(table, 7);
    const notice = await cancelled();
    mails.outcome = () => {
      clock = at(27 * SECOND);
      return { sent: true, error: null };
    };
    await expect(send(notice)).rejects.toThrow('time of this run');
    expect(recipients()).toHaveLength(5);
    clock = at(60 * SECOND);
    await sendAgain(notice);
    expect(recipients()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `signer${n}@example.com`));
  });
});

describe('runs that meet or break off', () => {
  it('two copies of a message mail each recipient once', async () => {
    const notice = await cancelled();
    await Promise.all([send(notice), send(notice)]);
    await send(notice);
    expect(recipients()).toEqual([0, 1, 2].map((n) => `signer${n}@example.com`));
    expect(await trail()).toHaveLength(3);
  });

  it.each([0, 1, 2])(
    'a mail that throws leaves its recipient to a later run, and no other: %i',
    async (place) => {
      const notice = await cancelled();
      mails.outcome = ({ to }) => {
        if (to.startsWith(`signer${place}`)) throw new Error('The mailer broke.');
        return { sent: true, error: null };
      };
      await expect(send(notice)).rejects.toThrow('broke');
      mails.outcome = () => ({ sent: true, error: null });
      await sendAgain(notice);
      expect(mails.mails).toHaveLength(3);
      clock = at(60 * SECOND);
      await sendAgain(notice);
      expect(recipients().slice(3)).toEqual([`signer${place}@example.com`]);
      expect(await readOutbox(table, notice.id)).toBeUndefined();
    },
  );

  it('a run that dies before it records its mails repeats those under way, each once', async () => {
    request = await storedRequest(table, 7);
    const notice = await cancelled();
    mails.outcome = ({ to }) => {
      // The second batch is mailed, and the function ends before it writes.
      if (to.startsWith('signer6'))
        memory.beforeWrites.push(() => {
          throw new Error('The function was stopped.');
        });
      return { sent: true, error: null };
    };
    await expect(send(notice)).rejects.toThrow('stopped');
    mails.outcome = () => ({ sent: true, error: null });
    clock = at(60 * SECOND);
    await sendAgain(notice);
    const expected = [0, 1, 2, 3, 4, 5, 6].map((n) => `signer${n}@example.com`);
    expect(recipients()).toEqual([...expected, ...expected.slice(5)]);
    expect(await readOutbox(table, notice.id)).toBeUndefined();
  });
});
