import { randomUUID } from 'node:crypto';
import { verify } from '../../../shared/audit/chain.ts';
import { type Claim, claimDelivery, listDeliveries } from '../../../shared/store/deliveries.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { recordOutcome, settleLostDeliveries } from '../../../shared/webhooks/attempts.ts';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../../shared/webhooks/messages.ts';
import { makePost } from '../../../shared/webhooks/post.ts';
import { secretOpener } from '../../../shared/webhooks/secrets.ts';
import { Receiver } from '../../support/receiver.ts';
import { registerEndpoint, startWorkshop, storedRequest, type Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await startWorkshop();
});
afterAll(() => workshop.cloud.stop());

const now = () => new Date(workshop.cloud.clock.now());
const later = () => new Date(now().getTime() + 60_000);

/** What a worker of the delivery function has. */
const worker = () => ({
  table: workshop.table,
  openSecret: secretOpener(workshop.kms, workshop.keyArn),
  post: makePost({ development: true, resolve: async () => [] }),
  now,
});

async function webhookEvents(requestId: string) {
  const request = await loadRequestWithTrail(workshop.table, requestId);
  if (!request) throw new Error('The request is gone.');
  const { auditSequence: sequence, auditHead: head } = request.state;
  expect(verify(requestId, request.events, { sequence, head })).toMatchObject({ intact: true });
  return request.events.filter(({ type }) => type.startsWith('webhook_'));
}

async function scene() {
  const { state } = await storedRequest(workshop);
  const receiver = await Receiver.start();
  const { endpoint, secret } = await registerEndpoint(workshop, state.ownerId, receiver.url);
  const eventId = `evt_${randomUUID()}`;
  const message: DeliveryMessage = {
    eventId,
    eventType: 'signature_request.sent',
    requestId: state.id,
    ownerId: state.ownerId,
    mode: 'live',
    endpointId: endpoint.id,
    body: JSON.stringify({ id: eventId, data: { signature_request_id: state.id } }),
  };
  const claim: Claim = {
    eventId,
    eventType: message.eventType,
    endpointId: endpoint.id,
    requestId: state.id,
    ownerId: state.ownerId,
    mode: 'live',
    attemptedAt: now().toISOString(),
  };
  return { state, receiver, endpoint, secret, message, claim };
}

describe('one message', () => {
  it('given to ten workers at once is delivered once and logged once', async () => {
    const { state, receiver, message, endpoint } = await scene();
    await Promise.all(Array.from({ length: 10 }, () => deliver(message, worker())));
    receiver.stop();
    expect(receiver.deliveries).toHaveLength(1);
    expect(await webhookEvents(state.id)).toMatchObject([
      { type: 'webhook_delivered', details: { event_id: message.eventId, http_status: 200, error: null } },
    ]);
    const { deliveries } = await listDeliveries(workshop.table, endpoint.id, now(), 10, undefined);
    expect(deliveries).toMatchObject([{ eventId: message.eventId, outcome: 'delivered', httpStatus: 200 }]);
  });

  it('whose attempt was interrupted is never delivered, and logged as unknown by the ten that find it', async () => {
    const { state, receiver, message, claim } = await scene();
    await claimDelivery(workshop.table, claim);
    workshop.cloud.clock.advance(61);
    await Promise.all(Array.from({ length: 10 }, () => deliver(message, worker())));
    receiver.stop();
    expect(receiver.deliveries).toEqual([]);
    expect(await webhookEvents(state.id)).toMatchObject([
      { type: 'webhook_failed', details: { error: 'outcome_unknown' } },
    ]);
  });
});

describe('the sweep', () => {
  it('logs interrupted attempts as unknown, once, and leaves young and finished ones alone', async () => {
    const [lost, young, finished] = [await scene(), await scene(), await scene()];
    for (const { receiver } of [lost, young, finished]) receiver.stop();
    await claimDelivery(workshop.table, lost.claim);
    await claimDelivery(workshop.table, finished.claim);
    const delivered = { outcome: 'delivered', httpStatus: 200, durationMs: 5, error: null } as const;
    await recordOutcome(workshop.table, finished.claim, delivered, now);
    workshop.cloud.clock.advance(61);
    await claimDelivery(workshop.table, { ...young.claim, attemptedAt: now().toISOString() });

    await settleLostDeliveries(workshop.table, now, later());
    await settleLostDeliveries(workshop.table, now, later());

    expect(await webhookEvents(lost.state.id)).toMatchObject([{ details: { error: 'outcome_unknown' } }]);
    expect(await webhookEvents(young.state.id)).toEqual([]);
    expect(await webhookEvents(finished.state.id)).toMatchObject([{ details: { error: null } }]);
    expect(await settleLostDeliveries(workshop.table, now, later())).toMatchObject({ due: 0 });
  });

  it('leaves an attempt that finishes after all to be logged as unknown alone', async () => {
    const { state, receiver, claim } = await scene();
    receiver.stop();
    await claimDelivery(workshop.table, claim);
    workshop.cloud.clock.advance(61);
    await settleLostDeliveries(workshop.table, now, later());
    const delivered = { outcome: 'delivered', httpStatus: 200, durationMs: 5, error: null } as const;
    await recordOutcome(workshop.table, claim, delivered, now);
    expect(await webhookEvents(state.id)).toMatchObject([{ details: { error: 'outcome_unknown' } }]);
  });
});

it('outcomes that come together are logged though one of them was known before', async () => {
  const { state, receiver, message } = await scene();
  receiver.stop();
  const claims = ['we_1', 'we_2', 'we_3'].map((endpointId) => ({
    ...message,
    endpointId,
    attemptedAt: now().toISOString(),
  }));
  const outcome = { outcome: 'delivered', httpStatus: 200, durationMs: 5, error: null } as const;
  for (const claim of claims) await claimDelivery(workshop.table, claim);
  for (const claim of claims.slice(1, 2)) await recordOutcome(workshop.table, claim, outcome, now);

  await Promise.all(claims.map((claim) => recordOutcome(workshop.table, claim, outcome, now)));

  const logged = (await webhookEvents(state.id)).map(({ details }) => details.endpoint_id);
  expect(logged).toEqual(['we_2', 'we_1', 'we_3']);
});

it('fifty endpoints that answer ten workers in the same moment are all logged, in an unbroken trail', async () => {
  const { state, receiver, message } = await scene();
  receiver.stop();
  const claims = Array.from({ length: 50 }, (_, place) => ({
    ...message,
    endpointId: `we_${place}`,
    attemptedAt: now().toISOString(),
  }));
  await Promise.all(claims.map((claim) => claimDelivery(workshop.table, claim)));
  const outcome = { outcome: 'delivered', httpStatus: 200, durationMs: 5, error: null } as const;
  // Modules of their own, since those of one worker wait for each other.
  const workers = await Promise.all(
    Array.from({ length: 10 }, (_, place) => import(`../../../shared/webhooks/attempts.ts?worker=${place}`)),
  );

  await Promise.all(
    claims.map((claim, place) => workers[place % 10].recordOutcome(workshop.table, claim, outcome, now)),
  );

  const logged = (await webhookEvents(state.id)).map(({ details }) => String(details.endpoint_id));
  expect(logged.sort()).toEqual(claims.map(({ endpointId }) => endpointId).sort());
});

describe('the deliveries of an endpoint', () => {
  it('are listed newest first, page by page, for 30 days', async () => {
    const { endpoint, message, receiver } = await scene();
    receiver.stop();
    const times: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      workshop.cloud.clock.advance(60);
      const claim = { ...message, requestId: null, eventId: `evt_${n}`, attemptedAt: now().toISOString() };
      times.unshift(claim.attemptedAt);
      await claimDelivery(workshop.table, claim);
      const outcome = {
        outcome: 'failed',
        httpStatus: 500,
        durationMs: 5,
        error: 'unexpected_status',
      } as const;
      await recordOutcome(workshop.table, claim, outcome, now);
    }
    const pages = async (time: Date) => {
      const found: string[][] = [];
      let position: Parameters<typeof listDeliveries>[4];
      do {
        const page = await listDeliveries(workshop.table, endpoint.id, time, 2, position);
        found.push(page.deliveries.map(({ attemptedAt }) => attemptedAt));
        position = page.next ?? undefined;
      } while (position);
      return found;
    };
    expect(await pages(now())).toEqual([times.slice(0, 2), times.slice(2, 4), times.slice(4)]);
    const inAMonth = new Date(now().getTime() + 30 * 86_400_000 - 90_000);
    expect((await pages(inAMonth)).flat()).toEqual(times.slice(0, 2));
  });
});
