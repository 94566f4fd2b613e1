import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import {
  type Claim,
  claimDelivery,
  deliveryBodies,
  findDeliveryAttempt,
  forgetBody,
  isLost,
  listDeliveries,
  outcomeWrite,
} from '../../../shared/store/deliveries.ts';
import { deliveryKey } from '../../../shared/store/keys.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
beforeEach(() => memory.clear());

const claim = (n = 1, changes: Partial<Claim> = {}): Claim => ({
  eventId: `evt_${n}`,
  eventType: 'signature_request.sent',
  endpointId: 'we_1',
  requestId: 'request-1',
  ownerId: 'owner-1',
  mode: 'live',
  attemptedAt: at(n).toISOString(),
  ...changes,
});
const DELIVERED = { outcome: 'delivered', httpStatus: 204, durationMs: 12, error: null } as const;

describe('claims', () => {
  it('the first claim of an event and endpoint wins, and the second gets it', async () => {
    expect(await claimDelivery(table, claim())).toBeUndefined();
    expect(await claimDelivery(table, claim(1, { attemptedAt: at(DAY).toISOString() }))).toEqual(claim());
    expect(await claimDelivery(table, claim(1, { endpointId: 'we_2' }))).toBeUndefined();
  });

  it('a claim is due one minute later until it has an outcome, and is kept thirty days', async () => {
    await claimDelivery(table, claim());
    expect(memory.item(deliveryKey('evt_1', 'we_1'))).toMatchObject({
      due_pk: expect.stringMatching(/^DELIVERY#/),
      due_sk: `${at(MINUTE + 1).toISOString()}#evt_1#we_1`,
      ttl: Math.ceil(at(30 * DAY + 1).getTime() / 1_000),
    });
    await table.transact([outcomeWrite(claim(), DELIVERED)]);
    expect(memory.item(deliveryKey('evt_1', 'we_1'))).not.toHaveProperty('due_pk');
  });

  it('one whose time ends while its body is forgotten is not brought back', async () => {
    await claimDelivery(table, claim(), 'body');
    const key = deliveryKey('evt_1', 'we_1');
    memory.beforeWrites.push(() => table.delete(key));
    await forgetBody(table, 'evt_1', 'we_1');
    expect(memory.item(key)).toBeUndefined();
  });

  it('an error of the table is thrown', async () => {
    memory.beforeWrites.push(() => {
      throw new Error('The table is out of order.');
    });
    await expect(claimDelivery(table, claim())).rejects.toThrow('out of order');
  });

  it('an attempt without an outcome is lost from one minute on', () => {
    expect(isLost(claim(0), at(MINUTE - 1))).toBe(false);
    expect(isLost(claim(0), at(MINUTE))).toBe(true);
    expect(isLost({ ...claim(0), outcome: 'failed' }, at(DAY))).toBe(false);
  });
});

describe('outcomes', () => {
  it('an attempt gets one outcome, for good', async () => {
    await claimDelivery(table, claim());
    await table.transact([outcomeWrite(claim(), DELIVERED)]);
    const second = table.transact([outcomeWrite(claim(), { ...DELIVERED, outcome: 'unknown' })]);
    await expect(second).rejects.toMatchObject({ name: 'ConditionFailed' });
    memory.isLagging = true;
    expect(await findDeliveryAttempt(table, { ...deliveryKey('evt_1', 'we_1') })).toEqual({
      ...claim(),
      outcome: 'delivered',
    });
  });

  it('an attempt that nobody claimed gets none', async () => {
    await expect(table.transact([outcomeWrite(claim(), DELIVERED)])).rejects.toMatchObject({
      name: 'ConditionFailed',
    });
    expect(await findDeliveryAttempt(table, { ...deliveryKey('evt_1', 'we_1') })).toBeUndefined();
  });

  it.each([
    ['stay with an attempt', {}, 0, { body: 'sent', answer: 'received' }],
    [
      'stay if the erasure came before the body was made',
      { erasures: 1 },
      1,
      { body: 'sent', answer: 'received' },
    ],
    ['go if a signer was erased since the body was made', { erasures: 1 }, 2, { body: null, answer: null }],
    ['go with the first erasure', {}, 1, { body: null, answer: null }],
  ])('body and answer %s', async (_what, made, erasures, kept) => {
    await claimDelivery(table, claim(1, made), 'sent');
    await table.transact([outcomeWrite(claim(1, made), { ...DELIVERED, answer: 'received' }, erasures)]);
    expect(await deliveryBodies(table, 'we_1', [{ eventId: 'evt_1' }])).toEqual([kept]);
  });
});

describe('the list of an endpoint’s deliveries', () => {
  const deliver = async (n: number, changes: Partial<Claim> = {}) => {
    await claimDelivery(table, claim(n, changes));
    await table.transact([outcomeWrite(claim(n, changes), DELIVERED)]);
  };
  const list = (limit: number, startAfter?: { attemptedAt: string; eventId: string }, now = at(DAY)) =>
    listDeliveries(table, 'we_1', now, limit, startAfter);
  const ids = ({ deliveries }: { deliveries: { eventId: string }[] }) =>
    deliveries.map(({ eventId }) => eventId);

  it('deliveries are listed newest first, page by page', async () => {
    for (let n = 1; n <= 5; n += 1) await deliver(n);
    await deliver(6, { endpointId: 'we_2' });
    const first = await list(2);
    expect(ids(first)).toEqual(['evt_5', 'evt_4']);
    expect(first.next).toEqual({ attemptedAt: at(4).toISOString(), eventId: 'evt_4' });
    const second = await list(2, first.next ?? undefined);
    expect(ids(second)).toEqual(['evt_3', 'evt_2']);
    const third = await list(2, second.next ?? undefined);
    expect([ids(third), third.next]).toEqual([['evt_1'], null]);
  });

  it('a page after a delivery that is no longer kept is empty, and the last one', async () => {
    await deliver(1);
    const cursor = { attemptedAt: at(1).toISOString(), eventId: 'evt_1' };
    expect(await list(2, cursor, at(31 * DAY))).toEqual({ deliveries: [], next: null });
  });

  it('a last page that is full has no next one', async () => {
    for (let n = 1; n <= 2; n += 1) await deliver(n);
    expect((await list(2)).next).toBeNull();
    expect((await list(1)).next).not.toBeNull();
    expect(await list(5, { attemptedAt: at(1).toISOString(), eventId: 'evt_1' })).toEqual({
      deliveries: [],
      next: null,
    });
  });

  it('a listed delivery shows its event and outcome', async () => {
    await deliver(1, { requestId: null });
    expect((await list(1)).deliveries).toEqual([
      {
        eventId: 'evt_1',
        eventType: 'signature_request.sent',
        requestId: null,
        attemptedAt: at(1).toISOString(),
        ...DELIVERED,
      },
    ]);
  });

  it('deliveries that a client asked for are listed with their ids, and pages begin after them too', async () => {
    await deliver(1);
    await deliver(2, { eventId: 'evt_1', manualId: 'm1' });
    const first = await list(1);
    expect(first).toMatchObject({
      deliveries: [{ eventId: 'evt_1', manualId: 'm1' }],
      next: { attemptedAt: at(2).toISOString(), eventId: 'evt_1', manualId: 'm1' },
    });
    const second = await list(1, first.next ?? undefined);
    expect(second).toMatchObject({ deliveries: [{ eventId: 'evt_1' }], next: null });
    expect(second.deliveries[0]?.manualId).toBeUndefined();
  });

  it('an attempt without an outcome is not listed', async () => {
    await claimDelivery(table, claim());
    expect(await list(5)).toEqual({ deliveries: [], next: null });
  });

  it('deliveries older than thirty days are not listed, even before they are deleted', async () => {
    await deliver(1);
    expect(ids(await list(5, undefined, at(30 * DAY + 1)))).toEqual(['evt_1']);
    expect(ids(await list(5, undefined, at(30 * DAY + 2)))).toEqual([]);
  });
});
