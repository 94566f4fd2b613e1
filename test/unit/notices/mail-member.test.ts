import { jest } from '@jest/globals';
import { mailNewMember } from '../../../shared/notices/mail-member.ts';
import { DAY, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { memberKey, ownerKey } from '../../../shared/store/keys.ts';
import { memberOutboxItem, outboxWrite, readOutbox } from '../../../shared/store/outbox.ts';
import { captureLog } from '../../support/captured-log.ts';
import { FakeMailer } from '../../support/fake-mailer.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { at, NOON, only } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const MEMBER = { userId: 'user-1', email: 'ann@example.com', role: 'member', addedAt: NOON.toISOString() };
const item = memberOutboxItem(
  { id: 'task', ownerId: 'owner-1', userId: MEMBER.userId, locale: 'en' },
  NOON.toISOString(),
);
let mails: FakeMailer;
let clock: Date;

const mail = () =>
  mailNewMember({ table, mailer: mails.mailer, baseUrl: 'https://sign.example.com', now: () => clock }, item);
const recipients = () => mails.mails.map(({ to }) => to);

beforeEach(async () => {
  memory.clear();
  mails = new FakeMailer();
  clock = NOON;
  const owner = ownerItem();
  await table.put({ ...ownerKey(owner.id), ...owner });
  await table.put({ ...memberKey(owner.id, MEMBER.userId), ...MEMBER });
  await table.transact([outboxWrite(item)]);
});

describe('mailNewMember', () => {
  it('a new member is mailed once', async () => {
    await mail();
    expect(await readOutbox(table, item.id)).toBeUndefined();
    await mail();
    expect(recipients()).toEqual(['ann@example.com']);
    const { content, deadline } = only(mails.mails);
    expect(content.text).toContain('https://sign.example.com/app\n');
    expect(deadline).toEqual(at(20 * SECOND));
  });

  it('a member who was removed meanwhile is not mailed', async () => {
    await table.delete(memberKey('owner-1', MEMBER.userId));
    await mail();
    expect(recipients()).toEqual([]);
    expect(await readOutbox(table, item.id)).toBeUndefined();
  });

  it.each(['throttled', 'unavailable'])(
    'a mail that SES could not take yet stays in the outbox: %s',
    async (error) => {
      mails.fail(error, { isPostponed: true });
      await mail();
      expect(await readOutbox(table, item.id)).toBeDefined();
      mails = new FakeMailer();
      clock = at(MINUTE);
      await mail();
      expect(recipients()).toEqual(['ann@example.com']);
      expect(await readOutbox(table, item.id)).toBeUndefined();
    },
  );

  it('a mail that SES has not taken for a day is given up, and the log names whose it was', async () => {
    mails.fail('sending_paused', { isPostponed: true });
    clock = at(DAY - MINUTE);
    await mail();
    expect(await readOutbox(table, item.id)).toBeDefined();
    clock = at(DAY);
    const lines = captureLog();
    await mail();
    jest.restoreAllMocks();
    expect(await readOutbox(table, item.id)).toBeUndefined();
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        user_id: 'user-1',
        mail_error: 'sending_paused',
      }),
    );
  });

  it('a mail that SES refuses is not repeated', async () => {
    mails.fail('rejected');
    await mail();
    expect(await readOutbox(table, item.id)).toBeUndefined();
  });

  it('two messages at once mail a new member once', async () => {
    await Promise.all([mail(), mail()]);
    expect(recipients()).toEqual(['ann@example.com']);
  });
});
