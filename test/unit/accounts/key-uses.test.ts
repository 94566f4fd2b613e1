import { jest } from '@jest/globals';
import { KeyUses } from '../../../shared/accounts/key-uses.ts';
import { lastUses } from '../../../shared/store/key-uses.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';

const memory = new MemoryDynamo();
const { table } = memory;
beforeEach(() => memory.clear());
afterEach(() => jest.restoreAllMocks());

const at = (time: string) => new Date(`2026-11-21T${time}.000Z`);
const noted = async (uses: KeyUses, keyId: string, time: string) => {
  uses.note(keyId, at(time));
  await uses.settled();
};

describe('the last use of API keys', () => {
  it('a function instance writes the first use of a key in each hour', async () => {
    const put = jest.spyOn(table, 'put');
    const uses = new KeyUses(table);
    for (const time of ['12:00:01', '12:30:00', '12:59:59', '13:00:00']) await noted(uses, 'k1', time);
    await noted(uses, 'k2', '13:00:00');
    expect(put).toHaveBeenCalledTimes(3);
    expect(await lastUses(table, ['k1', 'k2', 'k3'])).toEqual(
      new Map([
        ['k1', '2026-11-21T13:00:00.000Z'],
        ['k2', '2026-11-21T13:00:00.000Z'],
      ]),
    );
  });

  it('of several instances one writes, and the others do not try again within the hour', async () => {
    const put = jest.spyOn(table, 'put');
    const instances = [new KeyUses(table), new KeyUses(table), new KeyUses(table)];
    for (const second of [1, 4])
      for (const [n, uses] of instances.entries()) await noted(uses, 'k1', `12:00:0${second + n}`);
    expect(put).toHaveBeenCalledTimes(3);
    expect(await lastUses(table, ['k1'])).toEqual(new Map([['k1', '2026-11-21T12:00:01.000Z']]));
  });

  it('any number of keys is read, which DynamoDB allows for a hundred at a time', async () => {
    const uses = new KeyUses(table);
    const keyIds = Array.from({ length: 201 }, (_, n) => `k${n}`);
    for (const keyId of [keyIds[0], keyIds[200]]) await noted(uses, keyId ?? '', '12:00:01');
    expect([...(await lastUses(table, keyIds)).keys()]).toEqual(['k0', 'k200']);
  });

  it('a write that fails is logged, tried again with the next call, and no fault of the call', async () => {
    const lines = captureLog();
    jest.spyOn(table, 'put').mockRejectedValueOnce(new Error('no capacity'));
    const uses = new KeyUses(table);
    await noted(uses, 'k1', '12:00:01');
    expect(lines).toContainEqual(expect.objectContaining({ message: 'The use of a key was not recorded' }));
    await noted(uses, 'k1', '12:00:02');
    expect(await lastUses(table, ['k1'])).toEqual(new Map([['k1', '2026-11-21T12:00:02.000Z']]));
  });

  it('an answer does not wait for a write that hangs', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    jest.spyOn(table, 'put').mockReturnValue(new Promise(() => {}));
    const uses = new KeyUses(table);
    uses.note('k1', at('12:00:01'));
    const settled = uses.settled();
    jest.advanceTimersByTime(250);
    await expect(settled).resolves.toBeUndefined();
    jest.useRealTimers();
  });
});
