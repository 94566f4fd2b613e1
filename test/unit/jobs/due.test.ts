import { oldestWaiting, waiting, workOnDue } from '../../../shared/jobs/due.ts';
import { FakeIndex } from './fake-index.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const time = { now: () => NOW, until: new Date(NOW.getTime() + 1_000) };
const BEFORE = '2026-11-21T11:59:59.999Z';
const AFTER = '2026-11-21T12:00:00.001Z';

let index: FakeIndex;
beforeEach(() => {
  index = new FakeIndex();
});

describe('what is due', () => {
  it('is worked on once each, over all shards and pages, and what is not due is left alone', async () => {
    for (let n = 0; n < 1_000; n += 1) index.add(BEFORE, `due-${n}`);
    for (let n = 0; n < 50; n += 1) index.add(AFTER, `later-${n}`);
    const seen: string[] = [];
    const outcome = await workOnDue(index.table, 'EXPIRE', time, async ({ id }) => {
      seen.push(String(id));
      return true;
    });
    expect(outcome).toEqual({ due: 1_000, done: 1_000, failed: 0, next: undefined });
    expect(new Set(seen).size).toBe(1_000);
    expect(seen.filter((id) => id.startsWith('later'))).toEqual([]);
  });

  it('includes what is due at this very moment', async () => {
    index.add(NOW.toISOString(), 'now');
    expect(await workOnDue(index.table, 'EXPIRE', time, async () => true)).toMatchObject({ done: 1 });
  });

  it('is not stopped by items that fail, nor by those that leave the index while it goes on', async () => {
    for (let n = 0; n < 500; n += 1) index.add(BEFORE, `item-${n}`);
    const outcome = await workOnDue(index.table, 'EXPIRE', time, async ({ id }) => {
      if (String(id).endsWith('7')) throw new Error('broken');
      index.entries.delete(String(id));
      return true;
    });
    expect(outcome).toMatchObject({ due: 500, done: 450, failed: 50, next: undefined });
  });

  it('costs a query a shard where nothing is due, whatever is stored', async () => {
    for (let n = 0; n < 5_000; n += 1) index.add(AFTER, `later-${n}`);
    await workOnDue(index.table, 'EXPIRE', time, async () => true);
    expect(index.queries).toBe(8);
  });

  it('may be asked for only when it has been due for long', async () => {
    index.add(BEFORE, 'young');
    index.add('2026-11-21T11:00:00.000Z', 'old');
    const seen: unknown[] = [];
    await workOnDue(
      index.table,
      'EXPIRE',
      time,
      async ({ id }) => {
        seen.push(id);
        return true;
      },
      { dueFor: 60_000 },
    );
    expect(seen).toEqual(['old']);
  });
});

describe('what waits', () => {
  it('is counted, with the time of the first', async () => {
    expect(await waiting(index.table, 'EXPIRE')).toEqual({ count: 0, oldest: null });
    expect(await oldestWaiting(index.table, 'EXPIRE')).toBeNull();
    for (let n = 0; n < 300; n += 1) index.add(AFTER, `later-${n}`);
    index.add(BEFORE, 'first');
    expect(await waiting(index.table, 'EXPIRE')).toEqual({ count: 301, oldest: BEFORE });
    expect(await waiting(index.table, 'EXPIRE', NOW)).toEqual({ count: 1, oldest: BEFORE });
    expect(await oldestWaiting(index.table, 'EXPIRE')).toBe(BEFORE);
  });
});
