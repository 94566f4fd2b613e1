import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { DUE_SHARDS, due } from '../../../shared/store/keys.ts';
import {
  allPending,
  countPending,
  nextPending,
  oldestPending,
  type Position,
  processDue,
} from '../../../shared/work/due.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const time = { now: () => NOW, until: new Date(NOW.getTime() + 1_000) };
const BEFORE = '2026-11-21T11:59:59.999Z';
const AFTER = '2026-11-21T12:00:00.001Z';

const memory = new MemoryDynamo();
const { table } = memory;
let lines: Record<string, unknown>[];
beforeEach(() => {
  memory.clear();
  lines = captureLog();
});
afterEach(() => jest.restoreAllMocks());

const keyOf = (id: unknown) => ({ pk: `REQ#${id}`, sk: 'R#META' });
const add = (dueAt: string, id: string) => memory.set({ ...keyOf(id), id, ...due('EXPIRE', dueAt, id) });

describe('processDue', () => {
  it('a run processes each due item of all shards and pages once, and no other item', async () => {
    for (let n = 0; n < 1_000; n += 1) add(BEFORE, `due-${n}`);
    for (let n = 0; n < 50; n += 1) add(AFTER, `later-${n}`);
    const processed: string[] = [];
    const outcome = await processDue(table, 'EXPIRE', time, async ({ id }) => {
      processed.push(String(id));
      return true;
    });
    expect(outcome).toEqual({ due: 1_000, done: 1_000, failed: 0, next: undefined });
    expect(new Set(processed).size).toBe(1_000);
    expect(processed.filter((id) => id.startsWith('later'))).toEqual([]);
  });

  it('a run includes items due at exactly this time', async () => {
    add(NOW.toISOString(), 'now');
    expect(await processDue(table, 'EXPIRE', time, async () => true)).toMatchObject({ done: 1 });
  });

  it('an item that turns out not to need work is due, but not done', async () => {
    add(BEFORE, 'idle');
    expect(await processDue(table, 'EXPIRE', time, async () => false)).toMatchObject({
      due: 1,
      done: 0,
      failed: 0,
    });
  });

  it('a run continues after items that fail or leave the index, and logs each failure', async () => {
    for (let n = 0; n < 500; n += 1) add(BEFORE, `item-${n}`);
    const outcome = await processDue(table, 'EXPIRE', time, async ({ id }) => {
      if (String(id).endsWith('7')) throw new Error('broken');
      await table.delete(keyOf(id));
      return true;
    });
    expect(outcome).toMatchObject({ due: 500, done: 450, failed: 50, next: undefined });
    expect(lines).toHaveLength(50);
    expect(lines[0]).toMatchObject({
      level: 'error',
      kind: 'EXPIRE',
      id: expect.stringMatching(/^item-\d*7$/),
      error_message: 'broken',
    });
  });

  it('a run with nothing due costs one query a shard, however much is stored', async () => {
    for (let n = 0; n < 1_000; n += 1) add(AFTER, `later-${n}`);
    await processDue(table, 'EXPIRE', time, async () => true);
    expect(memory.mock.commandCalls(QueryCommand)).toHaveLength(DUE_SHARDS);
  });

  it('a run can skip items that became due recently', async () => {
    add(BEFORE, 'recent');
    add('2026-11-21T11:00:00.000Z', 'old');
    const processed: unknown[] = [];
    await processDue(
      table,
      'EXPIRE',
      time,
      async ({ id }) => {
        processed.push(id);
        return true;
      },
      { overdueMs: 60_000 },
    );
    expect(processed).toEqual(['old']);
  });

  it('a run stops when its time is over, and says where to resume', async () => {
    for (let n = 0; n < 20; n += 1) add(BEFORE, `item-${n}`);
    let clock = NOW.getTime();
    const processed = new Set<unknown>();
    const run = (from: Position | undefined, budget: number) => {
      const until = new Date(clock + budget);
      const work = async ({ id }: { id?: unknown }) => {
        clock += 1;
        processed.add(id);
        return true;
      };
      return processDue(table, 'EXPIRE', { now: () => new Date(clock), until }, work, from && { from });
    };
    const first = await run(undefined, 5);
    expect(first).toMatchObject({ due: 5, done: 5, next: { shard: expect.any(Number) } });
    expect(processed.size).toBe(5);
    const rest = await run(first.next, 1_000);
    expect(rest.next).toBeUndefined();
    expect(processed.size).toBe(20);
    expect((first.next?.shard ?? 0) > 0 || rest.due === 20).toBe(true);
  });
});

describe('items that are due again soon', () => {
  it('an item that a run puts off for less than the run takes is left to the next', async () => {
    for (let n = 0; n < 300; n += 1) add(BEFORE, `item-${n}`);
    let clock = NOW.getTime();
    let worked = 0;
    const work = async ({ id }: { id?: unknown }) => {
      worked += 1;
      if (worked > 1_000) throw new Error('The run does not end.');
      clock += 1_000;
      add(new Date(clock).toISOString(), String(id));
      return false;
    };
    const run = (until: number, from?: Position) =>
      processDue(
        table,
        'EXPIRE',
        { now: () => new Date(clock), until: new Date(until) },
        work,
        from && { from },
      );
    const first = await run(clock + 20_000);
    expect(first.next?.dueBy).toBe(NOW.toISOString());
    const rest = await run(Number.MAX_SAFE_INTEGER / 1_000, first.next);
    expect([rest.next, worked]).toEqual([undefined, 300]);
  });
});

describe('pending items', () => {
  it('pending items are counted, with the earliest due time', async () => {
    expect(await countPending(table, 'EXPIRE')).toEqual({ count: 0, oldest: null, first: [] });
    expect(await oldestPending(table, 'EXPIRE')).toBeNull();
    for (let n = 0; n < 300; n += 1) add(AFTER, `later-${n}`);
    add(BEFORE, 'first');
    expect(await countPending(table, 'EXPIRE')).toMatchObject({
      count: 301,
      oldest: BEFORE,
      first: Array(10).fill({ due_pk: expect.stringMatching(/^EXPIRE#/) }),
    });
    expect(await countPending(table, 'EXPIRE', NOW)).toMatchObject({
      count: 1,
      oldest: BEFORE,
      first: [{ due_sk: expect.stringMatching(BEFORE) }],
    });
    expect(await oldestPending(table, 'EXPIRE')).toBe(BEFORE);
  });

  it('all entries of a kind are listed, whenever they are due, and none of another kind', async () => {
    add(BEFORE, 'first');
    add(AFTER, 'later');
    memory.set({ ...keyOf('other'), id: 'other', ...due('PURGE', BEFORE, 'other') });
    expect((await allPending(table, 'EXPIRE')).map(({ id }) => id).sort()).toEqual(['first', 'later']);
  });

  it('the ten that are due next are listed in their order, without those that are due at this time or before', async () => {
    const hour = (n: number) =>
      `2026-11-${String(22 + (n % 8)).padStart(2, '0')}T${String(n).padStart(2, '0')}:00:00.000Z`;
    const times = Array.from({ length: 24 }, (_, n) => hour(n));
    for (const time of [BEFORE, NOW.toISOString(), ...times]) add(time, time);
    expect((await nextPending(table, 'EXPIRE', NOW)).map(({ id }) => id)).toEqual(times.sort().slice(0, 10));
  });
});
