import { jest } from '@jest/globals';
import { type Claim, claimDelivery, type DeliveryOutcome } from '../../../shared/store/deliveries.ts';
import { deliveryKey } from '../../../shared/store/keys.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { AttemptRecorder } from '../../../shared/webhooks/attempts.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON } from '../../support/requests.ts';
import { storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const record = new AttemptRecorder(table, () => NOON);
const DELIVERED: DeliveryOutcome = { outcome: 'delivered', httpStatus: 200, durationMs: 12, error: null };

beforeEach(() => memory.clear());

async function claimed(requestId: string | null, changes: Partial<Claim> = {}): Promise<Claim> {
  const claim: Claim = {
    eventId: 'evt_1',
    eventType: 'signature_request.sent',
    endpointId: 'we_1',
    requestId,
    ownerId: 'owner-1',
    mode: 'live',
    attemptedAt: NOON.toISOString(),
    ...changes,
  };
  await claimDelivery(table, claim);
  return claim;
}
const stored = ({ eventId, endpointId, manualId }: Claim) =>
  memory.item(deliveryKey(eventId, endpointId, manualId));
const trailOf = async (requestId: string) =>
  (await loadRequestWithTrail(table, requestId))?.events.filter(({ type }) => type.startsWith('webhook_'));

describe('the outcome of an attempt', () => {
  it('is in the trail as the service’s, and says whether a client asked for the attempt', async () => {
    const { state } = await storedRequest(table);
    const first = await claimed(state.id);
    const again = await claimed(state.id, { manualId: 'manual-1' });
    await record.outcome(first, DELIVERED);
    await record.outcome(again, DELIVERED);
    const events = await trailOf(state.id);
    expect(events?.map(({ actor, details }) => [actor, details.manual])).toEqual([
      ['service', undefined],
      ['service', true],
    ]);
    expect(stored(again)).toMatchObject({ outcome: 'delivered', httpStatus: 200 });
  });

  it('is counted once, by what came of it', async () => {
    const claim = await claimed(null);
    const lines = captureLog();
    await record.outcome(claim, { ...DELIVERED, outcome: 'failed' });
    await record.lost(claim);
    jest.restoreAllMocks();
    expect(lines.filter(({ Deliveries }) => Deliveries)).toEqual([
      expect.objectContaining({ Deliveries: 1, Outcome: 'failed' }),
    ]);
  });

  it('that is known already is left as it was, and no error', async () => {
    for (const requestId of [(await storedRequest(table)).state.id, null]) {
      const claim = await claimed(requestId, { eventId: `evt_${requestId}` });
      await record.outcome(claim, DELIVERED);
      await record.lost(claim);
      expect(stored(claim)).toMatchObject({ outcome: 'delivered', error: null });
      expect(requestId && (await trailOf(requestId))).toEqual(requestId && [expect.anything()]);
    }
  });

  it('that is known already keeps back none of those that are recorded with it', async () => {
    const { state } = await storedRequest(table);
    const claims = [];
    for (const endpointId of ['we_1', 'we_2', 'we_3', 'we_4'])
      claims.push(await claimed(state.id, { endpointId }));
    const [first, second, ...others] = claims;
    if (!first || !second) throw new Error('There are four.');
    await record.outcome(second, DELIVERED);
    // The first is being written while the others are added, which then go together.
    const outcomes = [first, second, ...others].map((claim) => record.lost(claim));
    await Promise.all(outcomes);
    expect(claims.map((claim) => stored(claim)?.outcome)).toEqual([
      'unknown',
      'delivered',
      'unknown',
      'unknown',
    ]);
    expect(await trailOf(state.id)).toHaveLength(4);
  });

  it('is written together with those of other events of the request, so that they do not overtake each other', async () => {
    const { state } = await storedRequest(table);
    const claims = [];
    for (const n of [1, 2, 3, 4, 5]) claims.push(await claimed(state.id, { eventId: `evt_${n}` }));
    await Promise.all(claims.map((claim) => record.outcome(claim, DELIVERED)));
    expect(await trailOf(state.id)).toHaveLength(5);
    expect((await loadRequestWithTrail(table, state.id))?.state.version).toBe(state.version + 1);
  });

  it('that cannot be written is an error, and the attempt stays without one', async () => {
    const { state } = await storedRequest(table);
    for (const claim of [await claimed(state.id), await claimed(null, { endpointId: 'we_2' })]) {
      memory.beforeWrites.push(() => {
        throw new Error('throttled');
      });
      await expect(record.outcome(claim, DELIVERED)).rejects.toThrow('throttled');
      expect(stored(claim)?.outcome).toBeUndefined();
    }
  });

  it('of one event’s attempts at several endpoints is recorded for each, also of a test event', async () => {
    const claims = [await claimed(null), await claimed(null, { endpointId: 'we_2' })];
    await Promise.all(claims.map((claim) => record.outcome(claim, DELIVERED)));
    expect(claims.map((claim) => stored(claim)?.outcome)).toEqual(['delivered', 'delivered']);
  });
});
