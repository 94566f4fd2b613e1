/** @behaviour dynamodb.conditions */

import { randomUUID } from 'node:crypto';
import { verify } from '../../../shared/requests/chain.ts';
import { type Claim, claimDelivery, listDeliveries } from '../../../shared/store/deliveries.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { AttemptRecorder } from '../../../shared/webhooks/attempts.ts';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../../shared/webhooks/messages.ts';
import { makePost } from '../../../shared/webhooks/post.ts';
import { secretDecrypter } from '../../../shared/webhooks/secrets.ts';
import { recordLostDeliveries } from '../../../shared/work/lost-deliveries.ts';
import { Receiver } from '../../support/receiver.ts';
import { registerEndpoint, type Services, startServices, storedRequest } from './services.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services.cloud.stop());

const now = () => new Date(services.cloud.clock.now());
const later = () => new Date(now().getTime() + 60_000);

const recorder = () => new AttemptRecorder(services.table, now);

/** The dependencies of one delivery worker. */
const worker = () => ({
  table: services.table,
  decryptSecret: secretDecrypter(services.kms, services.keyArn),
  post: makePost({ development: true, resolve: async () => [] }),
  sendSlow: async () => undefined,
  record: recorder(),
  now,
});

async function webhookEvents(requestId: string) {
  const request = await loadRequestWithTrail(services.table, requestId);
  if (!request) throw new Error('The request is gone.');
  const { auditSequence: sequence, auditHead: head } = request.state;
  expect(verify(requestId, request.events, { sequence, head })).toMatchObject({ intact: true });
  return request.events.filter(({ type }) => type.startsWith('webhook_'));
}

async function setUp() {
  const { state } = await storedRequest(services);
  const receiver = await Receiver.start();
  const { endpoint, secret } = await registerEndpoint(services, state.ownerId, receiver.url);
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

describe('concurrent workers', () => {
  it('a message that ten workers receive at once is delivered and recorded once', async () => {
    const { state, receiver, message, endpoint } = await setUp();
    await Promise.all(Array.from({ length: 10 }, () => deliver(message, worker())));
    receiver.stop();
    expect(receiver.deliveries).toHaveLength(1);
    expect(await webhookEvents(state.id)).toMatchObject([
      { type: 'webhook_delivered', details: { event_id: message.eventId, http_status: 200, error: null } },
    ]);
    const { deliveries } = await listDeliveries(services.table, endpoint.id, now(), 10, undefined);
    expect(deliveries).toMatchObject([{ eventId: message.eventId, outcome: 'delivered', httpStatus: 200 }]);
  });

  it('an interrupted attempt that ten workers find is recorded once as unknown, and never repeated', async () => {
    const { state, receiver, message, claim } = await setUp();
    await claimDelivery(services.table, claim);
    services.cloud.clock.advance(61);
    await Promise.all(Array.from({ length: 10 }, () => deliver(message, worker())));
    receiver.stop();
    expect(receiver.deliveries).toEqual([]);
    expect(await webhookEvents(state.id)).toMatchObject([
      { type: 'webhook_failed', details: { error: 'outcome_unknown' } },
    ]);
  });
});

describe('recordLostDeliveries', () => {
  it('the sweep records interrupted attempts as unknown once, and skips recent and finished ones', async () => {
    const [lost, recent, finished] = [await setUp(), await setUp(), await setUp()];
    for (const { receiver } of [lost, recent, finished]) receiver.stop();
    await claimDelivery(services.table, lost.claim);
    await claimDelivery(services.table, finished.claim);
    const delivered = { outcome: 'delivered', httpStatus: 200, durationMs: 5, error: null } as const;
    await recorder().outcome(finished.claim, delivered);
    services.cloud.clock.advance(61);
    await claimDelivery(services.table, { ...recent.claim, attemptedAt: now().toISOString() });

    await recordLostDeliveries(services.table, now, later());
    await recordLostDeliveries(services.table, now, later());

    expect(await webhookEvents(lost.state.id)).toMatchObject([{ details: { error: 'outcome_unknown' } }]);
    expect(await webhookEvents(recent.state.id)).toEqual([]);
    expect(await webhookEvents(finished.state.id)).toMatchObject([{ details: { error: null } }]);
    expect(await recordLostDeliveries(services.table, now, later())).toMatchObject({ due: 0 });
  });

  it('an attempt that finishes after the sweep keeps the outcome unknown', async () => {
    const { state, receiver, claim } = await setUp();
    receiver.stop();
    await claimDelivery(services.table, claim);
    services.cloud.clock.advance(61);
    await recordLostDeliveries(services.table, now, later());
    const delivered = { outcome: 'delivered', httpStatus: 200, durationMs: 5, error: null } as const;
    await recorder().outcome(claim, delivered);
    expect(await webhookEvents(state.id)).toMatchObject([{ details: { error: 'outcome_unknown' } }]);
  });
});

it('outcomes of one batch are recorded even if one of them already was', async () => {
  const { state, receiver, message } = await setUp();
  receiver.stop();
  const claims = ['we_1', 'we_2', 'we_3'].map((endpointId) => ({
    ...message,
    endpointId,
    attemptedAt: now().toISOString(),
  }));
  const outcome = { outcome: 'delivered', httpStatus: 200, durationMs: 5, error: null } as const;
  for (const claim of claims) await claimDelivery(services.table, claim);
  const record = recorder();
  for (const claim of claims.slice(1, 2)) await record.outcome(claim, outcome);

  await Promise.all(claims.map((claim) => record.outcome(claim, outcome)));

  const logged = (await webhookEvents(state.id)).map(({ details }) => details.endpoint_id);
  expect(logged).toEqual(['we_2', 'we_1', 'we_3']);
});

it('fifty concurrent outcomes from ten workers are all recorded in an intact trail', async () => {
  const { state, receiver, message } = await setUp();
  receiver.stop();
  const claims = Array.from({ length: 50 }, (_, index) => ({
    ...message,
    endpointId: `we_${index}`,
    attemptedAt: now().toISOString(),
  }));
  await Promise.all(claims.map((claim) => claimDelivery(services.table, claim)));
  const outcome = { outcome: 'delivered', httpStatus: 200, durationMs: 5, error: null } as const;
  // Outcomes of one worker are batched.
  const workers = Array.from({ length: 10 }, recorder);

  await Promise.all(claims.map((claim, index) => workers[index % 10]?.outcome(claim, outcome)));

  const logged = (await webhookEvents(state.id)).map(({ details }) => String(details.endpoint_id));
  expect(logged.sort()).toEqual(claims.map(({ endpointId }) => endpointId).sort());
});

describe('listDeliveries', () => {
  it('an endpoint’s deliveries of the last 30 days are listed newest first, page by page', async () => {
    const { endpoint, message, receiver } = await setUp();
    receiver.stop();
    const times: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      services.cloud.clock.advance(60);
      const claim = { ...message, requestId: null, eventId: `evt_${n}`, attemptedAt: now().toISOString() };
      times.unshift(claim.attemptedAt);
      await claimDelivery(services.table, claim);
      const outcome = {
        outcome: 'failed',
        httpStatus: 500,
        durationMs: 5,
        error: 'unexpected_status',
      } as const;
      await recorder().outcome(claim, outcome);
    }
    const pages = async (time: Date) => {
      const result: string[][] = [];
      let position: Parameters<typeof listDeliveries>[4];
      do {
        const page = await listDeliveries(services.table, endpoint.id, time, 2, position);
        result.push(page.deliveries.map(({ attemptedAt }) => attemptedAt));
        position = page.next ?? undefined;
      } while (position);
      return result;
    };
    expect(await pages(now())).toEqual([times.slice(0, 2), times.slice(2, 4), times.slice(4)]);
    const inAMonth = new Date(now().getTime() + 30 * 86_400_000 - 90_000);
    expect((await pages(inAMonth)).flat()).toEqual(times.slice(0, 2));
  });
});
