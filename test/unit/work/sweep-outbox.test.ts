import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { dispatch } from '../../../shared/store/dispatch.ts';
import { due, outboxKey } from '../../../shared/store/keys.ts';
import { type OutboxItem, outboxWrite } from '../../../shared/store/outbox.ts';
import { sweepOutbox } from '../../../shared/work/sweep-outbox.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON } from '../../support/requests.ts';
import { SentMessages } from '../../support/sent-messages.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const queues = { event: 'events', seal: 'seals', mail: 'mails' };
let sent: SentMessages;
let lines: Record<string, unknown>[];

beforeEach(() => {
  memory.clear();
  sent = new SentMessages();
  lines = captureLog();
});
afterEach(() => jest.restoreAllMocks());

const item = (id: string, changes: Partial<OutboxItem> = {}): OutboxItem => ({
  id,
  requestId: 'request',
  ownerId: 'owner',
  mode: 'live',
  createdAt: NOON.toISOString(),
  sends: 0,
  kind: 'seal',
  notBefore: null,
  ...(changes as object),
});

async function leave(...items: OutboxItem[]): Promise<void> {
  await table.transact(items.map(outboxWrite));
}

const sweep = (now: Date) =>
  sweepOutbox(table, (items) => dispatch(sent.sqs, queues, items), {
    now: () => now,
    until: new Date(now.getTime() + SECOND),
  });

const dueAt = (id: string) => String(memory.item(outboxKey(id))?.due_sk).split('#')[0];

describe('the outbox sweep', () => {
  it('an item left in the outbox is resent to the queue of its kind after one minute', async () => {
    await leave(item('a'), item('b', { kind: 'mail', task: 'invitations' }));
    expect(await sweep(at(MINUTE - 1))).toMatchObject({ due: 0, done: 0 });
    expect(sent.all).toEqual([]);
    expect(lines).toEqual([]);
    expect(await sweep(at(MINUTE))).toMatchObject({ due: 2, done: 2, failed: 0 });
    expect(sent.all).toEqual(
      expect.arrayContaining([
        { queue: 'seals', group: 'owner', body: { outbox_id: 'a' } },
        { queue: 'mails', group: 'owner', body: { outbox_id: 'b' } },
      ]),
    );
    expect(lines).toMatchObject([{ level: 'warn', sent: 2 }]);
  });

  it('an item with a time of its own is resent at that time', async () => {
    await leave(item('a', { notBefore: at(5 * MINUTE).toISOString() }));
    expect(await sweep(at(5 * MINUTE - 1))).toMatchObject({ due: 0 });
    expect(await sweep(at(5 * MINUTE))).toMatchObject({ done: 1 });
  });

  it.each([
    [0, 2],
    [1, 4],
    [2, 8],
    [3, 16],
    [4, 32],
    [5, 60],
    [6, 60],
    [40, 60],
  ])('an item resent %i times before is due again in %i minutes', async (sends, minutes) => {
    await leave(item('a', { sends }));
    const now = at(MINUTE);
    await sweep(now);
    expect(memory.item(outboxKey('a'))?.sends).toBe(sends + 1);
    const next = new Date(now.getTime() + minutes * MINUTE);
    expect(dueAt('a')).toBe(next.toISOString());
    expect(await sweep(new Date(next.getTime() - 1))).toMatchObject({ due: 0 });
    expect(await sweep(next)).toMatchObject({ done: 1 });
  });

  it('an item that its queue does not take has failed, stays due as it was, and is tried by the next sweep', async () => {
    await leave(item('a', { sends: 3 }));
    sent.mock.on(SendMessageBatchCommand).rejectsOnce(new Error('The queue is gone')).resolves({});
    const wasDueAt = dueAt('a');
    expect(await sweep(at(MINUTE))).toMatchObject({ due: 1, done: 0, failed: 1 });
    expect(memory.item(outboxKey('a'))?.sends).toBe(3);
    expect(dueAt('a')).toBe(wasDueAt);
    expect(await sweep(at(2 * MINUTE))).toMatchObject({ due: 1, done: 1, failed: 0 });
  });

  it('an item that was finished while its queue did not answer is not recreated', async () => {
    await leave(item('a'));
    sent.mock.on(SendMessageBatchCommand).callsFakeOnce(async () => {
      await table.delete(outboxKey('a'));
      throw new Error('No answer');
    });
    await sweep(at(MINUTE));
    expect(memory.items).toEqual([]);
  });

  it('two concurrent sweeps resend an item once', async () => {
    await leave(item('a'));
    memory.beforeWrites.push(() => sweep(at(MINUTE)));
    expect(await sweep(at(MINUTE))).toMatchObject({ due: 1, done: 0, failed: 0 });
    expect(sent.all).toHaveLength(1);
    expect(memory.item(outboxKey('a'))?.sends).toBe(1);
  });

  it('an item is resent though the answer to its lease is lost, and the SDK repeats the write', async () => {
    await leave(item('a'));
    memory.losesAnswers = true;
    expect(await sweep(at(MINUTE))).toMatchObject({ due: 1, done: 1 });
    expect(sent.all).toHaveLength(1);
    expect(memory.item(outboxKey('a'))?.sends).toBe(1);
  });

  it('an item that is finished during the sweep is neither resent nor recreated', async () => {
    await leave(item('a'));
    memory.beforeWrites.push(() => table.delete(outboxKey('a')));
    expect(await sweep(at(MINUTE))).toMatchObject({ done: 0, failed: 0 });
    expect(sent.all).toEqual([]);
    expect(memory.items).toEqual([]);
  });

  it('a stale index entry is skipped', async () => {
    memory.set({ pk: 'INDEX', sk: 'only', id: 'gone', ...due('OUTBOX', NOON.toISOString(), 'gone') });
    expect(await sweep(at(MINUTE))).toMatchObject({ due: 1, done: 0, failed: 0 });
    expect(sent.all).toEqual([]);
  });

  it('an item whose update fails is not sent and stays due', async () => {
    await leave(item('a'));
    memory.beforeWrites.push(() => {
      throw new Error('The table is out of order.');
    });
    expect(await sweep(at(MINUTE))).toMatchObject({ due: 1, done: 0, failed: 1 });
    expect(sent.all).toEqual([]);
    expect(await sweep(at(MINUTE))).toMatchObject({ done: 1 });
  });
});
