import { jest } from '@jest/globals';
import { endpointCountKey } from '../../../shared/store/keys.ts';
import { ConditionFailed } from '../../../shared/store/table.ts';
import {
  addEndpoint,
  changeEndpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  type WebhookEndpoint,
} from '../../../shared/store/webhook-endpoints.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const OWNER = { ownerId: 'owner-1', mode: 'live' } as const;
const LIMIT = 20;
beforeEach(() => memory.clear());

const endpoint = (id: string, changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  ...OWNER,
  url: 'https://hooks.example.com/',
  eventTypes: ['signer.signed'],
  description: null,
  disabledAt: null,
  createdAt: NOON.toISOString(),
  updatedAt: NOON.toISOString(),
  secretCiphertext: 'c2VjcmV0',
  ...changes,
});
const fill = async (count: number) => {
  for (let n = 0; n < count; n += 1) await addEndpoint(table, endpoint(`we_${n}`));
};
const ids = async (owner: Parameters<typeof listEndpoints>[1] = OWNER) =>
  (await listEndpoints(table, owner)).map(({ id }) => id);

describe('webhook endpoints in the table', () => {
  it('an endpoint is read back as it was added, by its owner in its mode only', async () => {
    memory.isLagging = true;
    await addEndpoint(table, endpoint('we_1'));
    expect(await findEndpoint(table, OWNER, 'we_1')).toEqual(endpoint('we_1'));
    expect(await findEndpoint(table, { ...OWNER, mode: 'test' }, 'we_1')).toBeUndefined();
    expect(await findEndpoint(table, { ...OWNER, ownerId: 'owner-2' }, 'we_1')).toBeUndefined();
    expect(await ids()).toEqual(['we_1']);
    expect(await ids({ ...OWNER, mode: 'test' })).toEqual([]);
  });

  it('endpoints are listed oldest first, and by id within a moment', async () => {
    await addEndpoint(table, endpoint('a', { createdAt: '2026-11-22T12:00:00.000Z' }));
    await addEndpoint(table, endpoint('c'));
    await addEndpoint(table, endpoint('b'));
    expect(await ids()).toEqual(['b', 'c', 'a']);
  });

  it('an owner can have twenty endpoints in each mode', async () => {
    await fill(LIMIT);
    await expect(addEndpoint(table, endpoint('more'))).rejects.toMatchObject({ code: 'too_many_endpoints' });
    await addEndpoint(table, endpoint('test', { mode: 'test' }));
    expect(await ids()).toHaveLength(LIMIT);
    await removeEndpoint(table, endpoint('we_0'));
    await addEndpoint(table, endpoint('more'));
    await expect(addEndpoint(table, endpoint('again'))).rejects.toMatchObject({ code: 'too_many_endpoints' });
  });

  it('of two concurrent calls one gets the last place', async () => {
    await fill(LIMIT - 1);
    memory.beforeWrites.push(() => addEndpoint(table, endpoint('theirs')));
    await expect(addEndpoint(table, endpoint('ours'))).rejects.toMatchObject({ code: 'too_many_endpoints' });
    expect(await ids()).toHaveLength(LIMIT);
  });

  it('nobody gets more than the last place, also if a read saw the new count beside the old endpoints', async () => {
    await fill(LIMIT - 1);
    const { pk, sk } = endpointCountKey(OWNER.ownerId, OWNER.mode);
    const before = await table.queryAll({ pk });
    await addEndpoint(table, endpoint('theirs'));
    const inPart = before.map((item) => (item.sk === sk ? (memory.item({ pk, sk }) ?? item) : item));
    jest.spyOn(table, 'queryAll').mockResolvedValueOnce(inPart);
    await expect(addEndpoint(table, endpoint('ours'))).rejects.toMatchObject({ code: 'too_many_endpoints' });
    expect(await ids()).toHaveLength(LIMIT);
  });

  it('an endpoint is added after the newest one was removed', async () => {
    await fill(2);
    await removeEndpoint(table, endpoint('we_1'));
    await addEndpoint(table, endpoint('we_2'));
    expect(await ids()).toEqual(['we_0', 'we_2']);
  });

  it('two concurrent first calls both succeed', async () => {
    memory.beforeWrites.push(() => addEndpoint(table, endpoint('theirs')));
    await addEndpoint(table, endpoint('ours'));
    expect(await ids()).toEqual(['ours', 'theirs']);
  });

  it('an id cannot be taken twice', async () => {
    await fill(1);
    await expect(
      addEndpoint(table, endpoint('we_0', { url: 'https://other.example.com/' })),
    ).rejects.toMatchObject({
      name: 'ConditionFailed',
    });
    expect(await findEndpoint(table, OWNER, 'we_0')).toEqual(endpoint('we_0'));
  });

  it('a change applies to the endpoint as it was read', async () => {
    await fill(1);
    const later = '2026-11-22T12:00:00.000Z';
    await changeEndpoint(table, endpoint('we_0'), { description: 'New', updatedAt: later });
    expect(await findEndpoint(table, OWNER, 'we_0')).toEqual(
      endpoint('we_0', { description: 'New', updatedAt: later }),
    );
    await expect(changeEndpoint(table, endpoint('we_0'), { description: 'Stale' })).rejects.toMatchObject({
      name: 'ConditionFailed',
    });
    await expect(changeEndpoint(table, endpoint('none'), { description: 'x' })).rejects.toMatchObject({
      name: 'ConditionFailed',
    });
    expect(await ids()).toEqual(['we_0']);
  });

  it('a removed endpoint is gone, with its secret', async () => {
    await fill(2);
    await expect(removeEndpoint(table, endpoint('we_0', { mode: 'test' }))).rejects.toThrow(ConditionFailed);
    await removeEndpoint(table, endpoint('we_0'));
    await expect(removeEndpoint(table, endpoint('we_0'))).rejects.toThrow(ConditionFailed);
    expect(await ids()).toEqual(['we_1']);
  });

  it('an error of the table is thrown', async () => {
    await fill(1);
    memory.beforeWrites.push(() => {
      throw new Error('The table is out of order.');
    });
    await expect(removeEndpoint(table, endpoint('we_0'))).rejects.toThrow('out of order');
  });
});
