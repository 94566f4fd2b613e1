import {
  type BatchGetItemCommand,
  type DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import type { Item } from '../../../shared/store/items.ts';
import { Contended } from '../../../shared/store/overload.ts';
import { retryOnConflict, transactIfUnchanged } from '../../../shared/store/retry-on-conflict.ts';
import {
  ConditionFailed,
  holds,
  isNew,
  Table,
  tryWrite,
  WriteCollision,
} from '../../../shared/store/table.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON } from '../../support/requests.ts';
import { skipPauses, virtualTime } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const KEY = { pk: 'P', sk: 'S' };
beforeEach(() => memory.clear());
afterEach(() => jest.restoreAllMocks());

describe('the table', () => {
  it('an item without a member has it removed, and an undefined member is not written', async () => {
    await table.put({ ...KEY, a: 1, b: undefined });
    expect(await table.get(KEY)).toMatchObject({ ...KEY, a: 1 });
    expect(await table.get(KEY)).not.toHaveProperty('b');
    await table.update(KEY, { a: undefined, c: { d: undefined, e: null } });
    expect(await table.get(KEY)).toMatchObject({ c: { e: null } });
    expect(await table.get(KEY)).not.toHaveProperty('a');
  });

  it('a failed condition says what the item is', async () => {
    await table.put({ ...KEY, a: 1 });
    await expect(table.put({ ...KEY, a: 2 }, isNew)).rejects.toMatchObject({
      name: 'ConditionFailed',
      current: { a: 1 },
      failed: [0],
    });
    await expect(
      table.update({ pk: 'P', sk: 'none' }, { a: 1 }, { expression: 'attribute_exists(#pk)' }),
    ).rejects.toMatchObject({ name: 'ConditionFailed', current: undefined });
  });

  it('a failed transaction says which of its conditions failed, and writes nothing', async () => {
    await table.put({ ...KEY, a: 1 });
    const write = table.transact([
      { put: { pk: 'P', sk: 'new' } },
      { put: { ...KEY, a: 2 }, condition: isNew },
      { check: { pk: 'P', sk: 'none' }, condition: { expression: 'attribute_exists(#pk)' } },
    ]);
    await expect(write).rejects.toMatchObject({ name: 'ConditionFailed', failed: [1, 2], current: { a: 1 } });
    expect(memory.items).toHaveLength(1);
  });

  it('a condition of several values holds if all of them do', async () => {
    await table.put({ ...KEY, a: 1, b: 2 });
    const tried = (values: Item) => tryWrite(table.update(KEY, { c: 3 }, holds(values)));
    expect(await tried({ a: 0, b: 2 })).toBe(false);
    expect(await tried({ a: 1, b: 0 })).toBe(false);
    expect(await table.get(KEY)).not.toHaveProperty('c');
    expect(await tried({ a: 1, b: 2 })).toBe(true);
    expect(await table.get(KEY)).toHaveProperty('c', 3);
  });

  it('a write that fails for another reason than its condition is an error', async () => {
    await expect(tryWrite(Promise.reject(new Error('down')))).rejects.toThrow('down');
  });

  it('all pages of a query are read, or as many as it takes', async () => {
    for (let n = 0; n < 5; n += 1) await table.put({ pk: 'P', sk: String(n) });
    const query = table.query.bind(table);
    const limits: unknown[] = [];
    jest.spyOn(table, 'query').mockImplementation((input) => {
      limits.push(input.limit);
      return query({ ...input, limit: 2 });
    });
    const keys = async (items: Promise<Item[]>) => (await items).map(({ sk }) => sk).join('');
    expect(await keys(table.queryAll({ pk: 'P' }))).toBe('01234');
    expect(await keys(table.queryAll({ pk: 'P', startAfter: { pk: 'P', sk: '2' } }))).toBe('34');
    limits.length = 0;
    expect(await keys(table.queryUpTo(4, { pk: 'P' }))).toBe('0123');
    expect(limits).toEqual([4, 2]);
  });

  it('items that DynamoDB left out of its answer are asked for again, and come in the order of their keys', async () => {
    skipPauses();
    const pauses = jest.spyOn(globalThis, 'setTimeout');
    const asked: unknown[] = [];
    const send = async ({ input }: BatchGetItemCommand) => {
      const { Keys = [], ConsistentRead } = input.RequestItems?.table ?? {};
      asked.push([Keys.length, ConsistentRead]);
      return {
        Responses: { table: Keys.slice(-1) },
        UnprocessedKeys: { table: { Keys: Keys.slice(0, -1) } },
      };
    };
    const short = new Table({ send } as unknown as DynamoDBClient, 'table');
    const keys = ['1', '2', '3', '1'].map((sk) => ({ pk: 'P', sk }));
    expect(await short.getAll(keys)).toEqual(keys.slice(0, 3));
    expect(asked).toEqual([
      [3, false],
      [2, false],
      [1, false],
    ]);
    expect(pauses.mock.calls.map(([, pause]) => pause)).toEqual([20, 40]);
    jest.useRealTimers();
  });

  it('reading many items at once takes calls of at most 100 keys, without pauses, and keeps their order', async () => {
    const keys = Array.from({ length: 250 }, (_, n) => ({ pk: 'P', sk: String(n) }));
    for (const key of keys) await table.put(key);
    const pauses = jest.spyOn(globalThis, 'setTimeout');
    const items = await table.getAll(keys.toReversed());
    expect(pauses).not.toHaveBeenCalled();
    expect(items.map(({ sk }) => sk)).toEqual(keys.map(({ sk }) => sk).toReversed());
  });

  it('a query reads its limit in the order asked for', async () => {
    for (let n = 0; n < 3; n += 1) await table.put({ pk: 'P', sk: String(n) });
    const { items, next } = await table.query({ pk: 'P', newestFirst: true, limit: 2 });
    expect(items.map(({ sk }) => sk)).toEqual(['2', '1']);
    expect(next).toEqual({ pk: 'P', sk: '1' });
    expect((await table.query({ pk: 'P' })).next).toBeUndefined();
  });
});

describe('errors of DynamoDB', () => {
  /** A table whose every call fails. */
  const failing = (error: Error) =>
    new Table({ send: () => Promise.reject(error) } as unknown as DynamoDBClient, 'table');
  const cancelled = (...codes: string[]) =>
    new TransactionCanceledException({
      $metadata: {},
      message: 'Transaction cancelled',
      CancellationReasons: codes.map((Code) => ({ Code })),
    });

  const transact = (error: Error) => failing(error).transact([{ delete: KEY }]);

  it.each([
    ['None', 'TransactionConflict'],
    // The condition was compared while the other transaction was half committed.
    ['TransactionConflict', 'ConditionalCheckFailed'],
    ['ThrottlingError', 'TransactionConflict'],
  ])('a transaction that meets another one is a collision: %s, %s', async (...codes) => {
    await expect(transact(cancelled(...codes))).rejects.toBeInstanceOf(WriteCollision);
  });

  describe('a transaction for which capacity is missing', () => {
    beforeEach(() => {
      virtualTime(NOON);
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    /** The outcome where so many calls fail, and the number of calls. */
    async function outcome(code: string, failures: number): Promise<[unknown, number]> {
      let calls = 0;
      const send = async () => {
        calls += 1;
        if (calls <= failures) throw cancelled('None', code);
      };
      const table = new Table({ send } as unknown as DynamoDBClient, 'table');
      const result = table.transact([{ delete: KEY }]).catch((error: Error) => error.name);
      await jest.advanceTimersByTimeAsync(5_000);
      return [await result, calls];
    }

    it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])('is sent again: %s', async (code) => {
      expect(await outcome(code, 3)).toEqual([undefined, 4]);
    });

    it('is given up in time for an answer', async () => {
      expect(await outcome('ThrottlingError', 100)).toEqual(['TransactionCanceledException', 5]);
    });

    it('is not sent again for another reason', async () => {
      expect(await outcome('ValidationError', 1)).toEqual(['TransactionCanceledException', 1]);
    });
  });

  describe('a write of one item that meets a transaction', () => {
    beforeEach(() => {
      virtualTime(NOON);
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    /** The outcomes of each kind of write where so many calls fail. */
    async function outcomes(failures: number): Promise<unknown[]> {
      const conflict = Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
      const held = () => {
        let calls = 0;
        const send = async () => {
          calls += 1;
          if (calls <= failures) throw conflict;
        };
        return new Table({ send } as unknown as DynamoDBClient, 'table');
      };
      const writes = [held().put(KEY), held().update(KEY, { a: 1 }), held().delete(KEY)];
      const settled = Promise.allSettled(writes);
      await jest.advanceTimersByTimeAsync(1_000);
      return (await settled).map((each) => (each.status === 'rejected' ? each.reason : 'written'));
    }

    it('is made again', async () => {
      expect(await outcomes(3)).toEqual(['written', 'written', 'written']);
    });

    it('is a collision at last', async () => {
      const collision = expect.any(WriteCollision);
      expect(await outcomes(100)).toEqual([collision, collision, collision]);
    });
  });

  it('any other error is thrown as it is', async () => {
    const invalid = cancelled('ValidationError');
    await expect(transact(invalid)).rejects.toBe(invalid);
    const down = new Error('down');
    await expect(failing(down).put(KEY)).rejects.toBe(down);
  });
});

describe('retrying after a conflict', () => {
  beforeEach(() => {
    virtualTime(NOON);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Runs work that fails so often, and gives the number of its attempts. */
  async function attempts(error: Error, failures: number): Promise<number | Error> {
    let made = 0;
    const result = retryOnConflict(async (attempt) => {
      made += 1;
      expect(attempt).toBe(made);
      if (made <= failures) throw error;
      return made;
    }).catch((thrown: Error) => thrown);
    await jest.advanceTimersByTimeAsync(20_000);
    return result;
  }

  it.each([
    ['a collision', new WriteCollision()],
    ['a failed first condition', new ConditionFailed(undefined)],
    ['a failed first condition among others', new ConditionFailed(undefined, [2, 0])],
  ])('work is repeated after %s', async (_what, error) => {
    expect(await attempts(error, 0)).toBe(1);
    expect(await attempts(error, 3)).toBe(4);
  });

  it.each([
    ['another failed condition', new ConditionFailed(undefined, [1])],
    ['any other error', new Error('down')],
  ])('work is not repeated after %s', async (_what, error) => {
    expect(await attempts(error, 1)).toBe(error);
  });

  it('work is given up after fifty attempts', async () => {
    const error = new WriteCollision();
    expect(await attempts(error, 49)).toBe(50);
    const givenUp = await attempts(error, 50);
    expect(givenUp).toBeInstanceOf(Contended);
    expect(givenUp).toHaveProperty('cause', error);
  });

  it('what was read no longer holds if any condition of it failed, also beside one of another write', async () => {
    const holds = { put: { pk: 'P', sk: '1' }, condition: isNew };
    const fails = (sk: string) => ({
      put: { pk: 'P', sk },
      condition: { expression: 'attribute_exists(#pk)' },
    });
    await expect(transactIfUnchanged(table, [holds, fails('2')], [fails('3')])).rejects.toMatchObject({
      failed: [0],
    });
    await expect(transactIfUnchanged(table, [holds], [fails('2')])).rejects.toMatchObject({ failed: [1] });
  });
});
