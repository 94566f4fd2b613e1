import { MINUTE } from '../../../shared/runtime/time.ts';
import { type Claim, claimDelivery, listDeliveries, outcomeWrite } from '../../../shared/store/deliveries.ts';
import { deliveryKey, due } from '../../../shared/store/keys.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { recordLostDeliveries } from '../../../shared/work/lost-deliveries.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON } from '../../support/requests.ts';
import { storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
let claim: Claim;

const sweep = (now: Date) => recordLostDeliveries(table, () => now, at(60 * MINUTE));
const trail = async () =>
  (await loadRequestWithTrail(table, claim.requestId ?? ''))?.events.filter(({ type }) =>
    type.startsWith('webhook_'),
  );

beforeEach(async () => {
  memory.clear();
  const { state } = await storedRequest(table);
  claim = {
    eventId: 'evt_1',
    eventType: 'signature_request.sent',
    endpointId: 'we_1',
    requestId: state.id,
    ownerId: state.ownerId,
    mode: 'live',
    attemptedAt: NOON.toISOString(),
  };
  await claimDelivery(table, claim);
});

describe('the sweep of lost webhook attempts', () => {
  it('an attempt without an outcome is recorded as unknown after one minute', async () => {
    expect(await sweep(at(MINUTE - 1))).toMatchObject({ due: 0 });
    expect(await sweep(at(MINUTE))).toMatchObject({ due: 1, done: 1, failed: 0 });
    expect((await listDeliveries(table, 'we_1', at(MINUTE), 10, undefined)).deliveries).toMatchObject([
      { eventId: 'evt_1', outcome: 'unknown', httpStatus: null, durationMs: null, error: 'outcome_unknown' },
    ]);
    expect(await trail()).toMatchObject([
      { type: 'webhook_failed', actor: 'service', details: { event_id: 'evt_1', error: 'outcome_unknown' } },
    ]);
    expect(await sweep(at(2 * MINUTE))).toMatchObject({ due: 0 });
  });

  it('an outcome recorded during the sweep is kept', async () => {
    const delivered = { outcome: 'delivered', httpStatus: 200, durationMs: 5, error: null } as const;
    memory.beforeWrites.push(() => table.transact([outcomeWrite(claim, delivered)]));
    await sweep(at(MINUTE));
    expect(memory.item(deliveryKey('evt_1', 'we_1'))).toMatchObject(delivered);
    expect(await trail()).toEqual([]);
  });

  it('an attempt is read with its last write', async () => {
    memory.isLagging = true;
    await table.transact([
      outcomeWrite(claim, { outcome: 'failed', httpStatus: 500, durationMs: 5, error: null }),
    ]);
    memory.set({ pk: 'INDEX', sk: 'only', ...claim, ...due('DELIVERY', NOON.toISOString(), 'stale') });
    expect(await sweep(at(MINUTE))).toMatchObject({ done: 0 });
  });

  it('stale index entries of attempts are skipped', async () => {
    const listed = (id: string) => due('DELIVERY', NOON.toISOString(), id);
    memory.set({ ...deliveryKey('evt_2', 'we_1'), ...claim, outcome: 'delivered', ...listed('a') });
    memory.set({
      ...deliveryKey('evt_3', 'we_1'),
      ...claim,
      attemptedAt: at(1).toISOString(),
      ...listed('b'),
    });
    expect(await sweep(at(MINUTE))).toMatchObject({ due: 3, done: 1, failed: 0 });
  });
});
