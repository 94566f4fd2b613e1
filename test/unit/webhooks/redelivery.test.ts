import { claimDelivery, deliveryBodies, forgetBody, outcomeWrite } from '../../../shared/store/deliveries.ts';
import { redelivery } from '../../../shared/webhooks/redelivery.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON } from '../../support/requests.ts';
import { webhookEndpoint } from '../../support/webhook-endpoint.ts';

const OWNER = { ownerId: 'owner-1', mode: 'live' } as const;
const ENDPOINT = webhookEndpoint(OWNER, NOON);
const SUBJECT = {
  eventId: 'evt_1',
  eventType: 'signature_request.sent',
  requestId: 'request-1',
  ...OWNER,
  endpointId: ENDPOINT.id,
};
const CLAIM = { ...SUBJECT, attemptedAt: NOON.toISOString() };
const DELIVERED = { outcome: 'delivered', httpStatus: 204, durationMs: 12, error: null } as const;

const memory = new MemoryDynamo();
const { table } = memory;
beforeEach(async () => {
  memory.clear();
  await claimDelivery(table, CLAIM, '{"id":"evt_1"}');
});
const end = () => table.transact([outcomeWrite(CLAIM, DELIVERED)]);

it('another delivery has the first one’s body and an id of its own', async () => {
  await end();
  const [one, two] = [await redelivery(table, ENDPOINT, 'evt_1'), await redelivery(table, ENDPOINT, 'evt_1')];
  expect(one).toEqual({ ...SUBJECT, body: '{"id":"evt_1"}', manualId: expect.any(String) });
  expect(two.manualId).not.toBe(one.manualId);
});

it('an event that is being delivered has to wait', async () => {
  await expect(redelivery(table, ENDPOINT, 'evt_1')).rejects.toMatchObject({ code: 'conflict' });
});

it('an event that this endpoint never got is not found', async () => {
  await end();
  await expect(redelivery(table, ENDPOINT, 'evt_2')).rejects.toMatchObject({
    code: 'not_found',
    fields: { field: '/event_id' },
  });
  await expect(redelivery(table, { ...ENDPOINT, id: 'we_2' }, 'evt_1')).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('a paused endpoint gets nothing', async () => {
  await end();
  const paused = { ...ENDPOINT, disabledAt: NOON.toISOString() };
  await expect(redelivery(table, paused, 'evt_1')).rejects.toMatchObject({ code: 'endpoint_paused' });
});

it('an event whose body was erased cannot be delivered again, and erasing one that is gone does nothing', async () => {
  await end();
  await forgetBody(table, 'evt_1', ENDPOINT.id);
  await forgetBody(table, 'evt_2', ENDPOINT.id);
  await expect(redelivery(table, ENDPOINT, 'evt_1')).rejects.toMatchObject({ code: 'event_not_kept' });
});

describe('what was sent and answered', () => {
  const MANUAL = { ...CLAIM, manualId: 'm1' };
  const listed = [
    { eventId: 'evt_1', manualId: 'm1' },
    { eventId: 'evt_1', manualId: undefined },
    { eventId: 'evt_0', manualId: undefined },
  ];
  beforeEach(async () => {
    await claimDelivery(table, MANUAL, '{"id":"evt_1"}');
    await table.transact([outcomeWrite(CLAIM, { ...DELIVERED, answer: 'busy' })]);
    await table.transact([outcomeWrite(MANUAL, { ...DELIVERED, answer: 'ok' })]);
  });

  it('each attempt has its own, and one from before they were kept has none', async () => {
    expect(await deliveryBodies(table, ENDPOINT.id, listed)).toEqual([
      { body: '{"id":"evt_1"}', answer: 'ok' },
      { body: '{"id":"evt_1"}', answer: 'busy' },
      { body: null, answer: null },
    ]);
  });

  it('erasing an event takes them from all its attempts', async () => {
    await forgetBody(table, 'evt_1', ENDPOINT.id);
    const none = { body: null, answer: null };
    expect(await deliveryBodies(table, ENDPOINT.id, listed)).toEqual([none, none, none]);
  });
});
