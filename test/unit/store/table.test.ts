import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { retryOnConflict } from '../../../shared/store/retry-on-conflict.ts';
import { ConditionFailed, isNew, Table, WriteCollision } from '../../../shared/store/table.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON } from '../../support/requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const KEY = { pk: 'P', sk: 'S' };
beforeEach(() => memory.clear());

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

  it('all pages of a query are read', async () => {
    for (let n = 0; n < 5; n += 1) await table.put({ pk: 'P', sk: String(n) });
    expect((await table.queryAll({ pk: 'P', limit: 2 })).map(({ sk }) => sk)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
    const rest = await table.queryAll({ pk: 'P', limit: 2, startAfter: { pk: 'P', sk: '2' } });
    expect(rest.map(({ sk }) => sk)).toEqual(['3', '4']);
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

  it('a transaction that meets another one is a collision, unless a condition failed too', async () => {
    await expect(transact(cancelled('None', 'TransactionConflict'))).rejects.toBeInstanceOf(WriteCollision);
    await expect(transact(cancelled('TransactionConflict', 'ConditionalCheckFailed'))).rejects.toMatchObject({
      name: 'ConditionFailed',
      failed: [1],
    });
  });

  it('a write that meets a transaction is a collision', async () => {
    const conflict = Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
    await expect(failing(conflict).put(KEY)).rejects.toBeInstanceOf(WriteCollision);
  });

  it('any other error is thrown as it is', async () => {
    const throttled = cancelled('ThrottlingError');
    await expect(transact(throttled)).rejects.toBe(throttled);
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
    expect(await attempts(error, 50)).toBe(error);
  });
});
