import { countTestMailOf, countTestMails } from '../../../shared/accounts/test-mail-limit.ts';
import { DAY, SECOND } from '../../../shared/runtime/time.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { at, NOON } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const FREE = { ownerId: 'owner-1', mode: 'test', subscription: 'none' } as const;
const addresses = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `p${from + n}@example.com`);
const count = (given: string[], sender: Parameters<typeof countTestMails>[1] = FREE, now = NOON) =>
  countTestMails(table, sender, given, now);
const REFUSED = { code: 'too_many_requests', status: 429, retryAt: '2026-11-22T00:00:00.000Z' };

beforeEach(() => memory.clear());

describe('countTestMails', () => {
  it('twenty addresses fit into a day, and the day’s twenty-first is refused until midnight', async () => {
    await count(addresses(19), FREE, new Date(NOON.getTime() - DAY / 4));
    await expect(count(addresses(2, 18).concat('new@example.com'))).rejects.toMatchObject(REFUSED);
    await count(addresses(2, 18));
    await expect(count(['new@example.com'])).rejects.toMatchObject(REFUSED);
    await count(['new@example.com'], FREE, at(DAY / 2));
  });

  it('an address that was counted costs no write', async () => {
    await count(addresses(20));
    memory.beforeWrites.push(() => {
      throw new Error('There is nothing to write.');
    });
    await count(addresses(20));
  });

  it('a call that another one overtakes counts on what that one left', async () => {
    memory.beforeWrites.push(() => count(addresses(20)));
    await expect(count(['late@example.com'])).rejects.toMatchObject(REFUSED);
    expect(memory.items[0]?.addresses).toHaveLength(20);
  });

  it('the addresses are stored as hashes that differ by owner, and the item ends with the day', async () => {
    await count(['ann@example.com']);
    await count(['ann@example.com'], { ...FREE, ownerId: 'owner-2' });
    expect(JSON.stringify(memory.items)).not.toContain('ann@');
    const [mine, theirs] = memory.items;
    expect(mine?.addresses).not.toEqual(theirs?.addresses);
    expect(mine?.ttl).toBe(Date.parse(REFUSED.retryAt) / SECOND);
  });

  it.each([
    { mode: 'live', subscription: 'none' },
    { mode: 'test', subscription: 'active' },
  ] as const)('nothing is counted for $mode mode with the subscription $subscription', async (sender) => {
    await count(addresses(21), { ownerId: 'owner-1', ...sender });
    expect(memory.items).toEqual([]);
  });

  it('an inactive subscription is no subscription', async () => {
    await count(addresses(20));
    await expect(count(['new@example.com'], { ...FREE, subscription: 'inactive' })).rejects.toMatchObject(
      REFUSED,
    );
  });
});

describe('countTestMailOf', () => {
  it('a live mail is sent without a look at the owner', async () => {
    memory.mock.resetHistory();
    await countTestMailOf(table, { ownerId: 'owner-1', mode: 'live' }, 'new@example.com', NOON);
    expect(memory.mock.calls()).toEqual([]);
  });

  it.each([
    ['none', false],
    ['active', true],
  ] as const)('the owner’s subscription now decides: %s', async (subscription, isFree) => {
    await count(addresses(20));
    await addOwner(table, ownerItem({ subscription }));
    const counting = countTestMailOf(table, { ownerId: 'owner-1', mode: 'test' }, 'new@example.com', NOON);
    await (isFree
      ? expect(counting).resolves.toBeUndefined()
      : expect(counting).rejects.toMatchObject(REFUSED));
  });
});
