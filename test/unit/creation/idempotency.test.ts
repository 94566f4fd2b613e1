import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { bodyHash, claimKey, releaseKey, takeOver } from '../../../shared/creation/idempotency.ts';
import { DAY, SECOND } from '../../../shared/runtime/time.ts';
import { idempotencyKey } from '../../../shared/store/keys.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const KEY = { ownerId: 'owner-1', mode: 'live', value: 'key-1' } as const;
const HASH = bodyHash('{}');
beforeEach(() => memory.clear());

const claim = (requestId: string, now = NOON, key: Parameters<typeof claimKey>[1] = KEY, hash = HASH) =>
  claimKey(table, key, hash, requestId, now);
const item = () => memory.item(idempotencyKey(KEY.ownerId, KEY.mode, KEY.value));
const fail = () => {
  throw new Error('The table is out of order.');
};

describe('claims of an idempotency key', () => {
  it('the first call gets the key for a minute, and later ones learn its request', async () => {
    const leaseUntil = at(60 * SECOND).toISOString();
    expect(await claim('r1')).toEqual({ requestId: 'r1', mine: true, leaseUntil });
    expect(await claim('r2', at(SECOND))).toEqual({ requestId: 'r1', mine: false, leaseUntil });
  });

  it('a claim that the SDK repeats after a lost answer is still this call’s', async () => {
    const first = await claim('r1');
    expect(await claim('r1')).toEqual({ ...first, mine: true });
  });

  it('a key with another body is a conflict', async () => {
    await claim('r1');
    await expect(claim('r2', NOON, KEY, bodyHash('{ }'))).rejects.toMatchObject({
      code: 'idempotency_key_conflict',
      message: expect.stringContaining('send a new key'),
      fields: { field: '/idempotency-key' },
    });
  });

  it('keys of other owners and of the other mode are other keys', async () => {
    await claim('r1');
    expect(await claim('r2', NOON, { ...KEY, ownerId: 'owner-2' })).toMatchObject({ mine: true });
    expect(await claim('r3', NOON, { ...KEY, mode: 'test' })).toMatchObject({ mine: true });
    expect(await claim('r4', NOON, { ...KEY, value: 'key-2' })).toMatchObject({ mine: true });
  });

  it('a key is free again after a day, for any body, even before its item is deleted', async () => {
    await claim('r1');
    expect(await claim('r2', at(DAY - 1))).toMatchObject({ requestId: 'r1', mine: false });
    expect(await claim('r2', at(DAY), KEY, bodyHash('other'))).toMatchObject({ requestId: 'r2', mine: true });
    expect(item()).toMatchObject({ requestId: 'r2', ttl: Math.ceil(at(2 * DAY).getTime() / SECOND) });
  });

  it('a claim takes one write and no read', async () => {
    await claim('r1');
    expect(memory.mock.calls()).toHaveLength(1);
  });

  it('an error of the table is thrown', async () => {
    memory.beforeWrites.push(fail);
    await expect(claim('r1')).rejects.toThrow('out of order');
  });
});

describe('taking over a claim', () => {
  it('a claim can be taken over once its lease ends, by one call', async () => {
    const first = await claim('r1');
    await expect(takeOver(table, KEY, first, at(60 * SECOND - 1))).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      retryAt: first.leaseUntil,
    });
    await takeOver(table, KEY, first, at(60 * SECOND));
    expect(item()).toMatchObject({ requestId: 'r1', leaseUntil: at(120 * SECOND).toISOString() });
    await expect(takeOver(table, KEY, first, at(61 * SECOND))).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      retryAt: at(121 * SECOND).toISOString(),
    });
  });

  it('a key that was taken over is kept for a day from then: only now its request can be created and answered', async () => {
    const first = await claim('r1');
    await takeOver(table, KEY, first, at(DAY - SECOND));
    expect(await claim('r2', at(2 * DAY - SECOND - 1))).toMatchObject({ requestId: 'r1', mine: false });
    expect(item()).toMatchObject({ ttl: Math.ceil(at(2 * DAY - SECOND).getTime() / SECOND) });
    expect(await claim('r2', at(2 * DAY - SECOND))).toMatchObject({ requestId: 'r2', mine: true });
  });

  it('a lease that the SDK repeats after a lost answer is still this call’s', async () => {
    const first = await claim('r1');
    memory.beforeWrites.push(async () => {
      const lost = memory.mock.commandCalls(UpdateItemCommand)[0]?.args[0];
      if (lost) await new DynamoDBClient({ region: 'eu-north-1' }).send(lost);
    });
    await takeOver(table, KEY, first, at(60 * SECOND));
    expect(memory.mock.commandCalls(UpdateItemCommand)).toHaveLength(2);
    expect(item()).toMatchObject({ leaseUntil: at(120 * SECOND).toISOString() });
  });

  it('of two calls that take over in the same moment one gets the lease', async () => {
    const first = await claim('r1');
    memory.beforeWrites.push(() => takeOver(table, KEY, first, at(60 * SECOND)));
    await expect(takeOver(table, KEY, first, at(60 * SECOND))).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
  });

  it('an error of the table is thrown', async () => {
    const first = await claim('r1');
    memory.beforeWrites.push(fail);
    await expect(takeOver(table, KEY, first, at(DAY))).rejects.toThrow('out of order');
  });
});

describe('releasing a key', () => {
  it('a released key is free for any body', async () => {
    await claim('r1');
    await releaseKey(table, KEY, 'r1');
    expect(await claim('r2', NOON, KEY, bodyHash('other'))).toMatchObject({ requestId: 'r2', mine: true });
  });

  it('a key that another request has by now is not released', async () => {
    await claim('r1');
    await releaseKey(table, KEY, 'r0');
    expect(item()).toMatchObject({ requestId: 'r1' });
    await releaseKey(table, KEY, 'r1');
    await releaseKey(table, KEY, 'r1');
    expect(item()).toBeUndefined();
  });

  it('an error of the table is thrown', async () => {
    memory.beforeWrites.push(fail);
    await expect(releaseKey(table, KEY, 'r1')).rejects.toThrow('out of order');
  });
});
