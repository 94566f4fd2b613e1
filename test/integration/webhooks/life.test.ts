/** @behaviour lambda.batches */

import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { EVENT_DATA, EVENT_TYPES, type EventType, envelope } from '../../../shared/contract/events.ts';
import {
  createWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  webhookEndpoint,
} from '../../../shared/contract/webhook-endpoints.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { makePdf } from '../../support/pdf.ts';
import { type Delivery, Receiver } from '../../support/receiver.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const ENDPOINTS = '/api/v1/webhook-endpoints';
const SIGNATURES = '/api/v1/signatures';

let service: Service;
let client: ApiClient;
let pdf: string;
const receivers: Receiver[] = [];

beforeAll(async () => {
  pdf = (await makePdf()).toString('base64');
  service = await Service.start();
}, 120_000);
beforeEach(async () => {
  client = await service.client();
});
afterAll(async () => {
  for (const receiver of receivers) receiver.stop();
  await service.stop();
});

async function register(body: Record<string, unknown> = {}, by = client) {
  const receiver = await Receiver.start();
  receivers.push(receiver);
  const answer = await by.post(ENDPOINTS, { url: receiver.url, ...body });
  expect(answer.status).toBe(201);
  return { receiver, endpoint: createWebhookEndpoint.answer.parse(answer.body) };
}

let counter = 0;
async function createRequest(signers = 1, by = client) {
  counter += 1;
  const people = Array.from({ length: signers }, (_, n) => ({
    email: `w${counter}s${n}@example.com`,
    name: `S${n}`,
  }));
  const { status, body } = await by.post(SIGNATURES, {
    title: `Contract ${counter}`,
    signers: people,
    document: { content_base64: pdf },
  });
  expect(status).toBe(200);
  return body as { id: string; signers: { id: string; email: string; access_token: string }[] };
}

const typesOf = (receiver: Receiver, id: string) => receiver.eventsOf(id).map(({ type }) => type);
const untilTypes = (receiver: Receiver, id: string, types: EventType[]) =>
  until(
    () => types.every((type) => typesOf(receiver, id).includes(type)) && receiver.eventsOf(id),
    `${types.join(', ')} of ${id}`,
  );

/** Checks a call as a careful client would: format, both signatures, the exact data. */
function expectGenuine({ headers, raw }: Delivery, secret: string): void {
  expect(headers['content-type']).toBe('application/json');
  const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
  expect(createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex')).toBe(digest);
  const { id, type, data } = envelope.parse(
    new Webhook(secret).verify(raw, headers as Record<string, string>),
  );
  expect(headers['webhook-id']).toBe(id);
  const schema = EVENT_DATA[type as EventType];
  expect(schema.parse(data)).toEqual(data);
}

const trail = async (id: string) =>
  (await client.get(`${SIGNATURES}/${id}`)).body.audit_trail.events as {
    type: string;
    details: Record<string, unknown>;
  }[];

describe('another delivery of an event', () => {
  it('a failed event is delivered again on request, with its id and body, and is listed as manual', async () => {
    const { receiver, endpoint } = await register({ event_types: ['signature_request.created'] });
    receiver.status = 503;
    const { id } = await createRequest();
    const list = async () => (await client.get(`${ENDPOINTS}/${endpoint.id}/deliveries`)).body.data;
    const [failed] = await until(async () => {
      const deliveries = await list();
      return deliveries.length === 1 && deliveries;
    }, 'the failed delivery');
    receiver.status = 200;
    const path = `${ENDPOINTS}/${endpoint.id}/deliveries/${failed.event_id}/redeliver`;
    expect((await client.post(path)).body).toEqual({ ok: true, event_id: failed.event_id });
    await until(async () => (await list()).length === 2, 'the manual delivery');

    expect(
      (await list()).map(({ outcome, manual, event_id }: typeof failed) => [outcome, manual, event_id]),
    ).toEqual([
      ['delivered', true, failed.event_id],
      ['failed', false, failed.event_id],
    ]);
    const [first, second] = receiver.deliveries;
    expect(second?.raw).toBe(first?.raw);
    if (second) expectGenuine(second, endpoint.secret);
    expect((await trail(id)).filter(({ details }) => details.manual === true)).toMatchObject([
      { type: 'webhook_delivered', details: { event_id: failed.event_id } },
    ]);
    const page = await client.get(`${ENDPOINTS}/${endpoint.id}/deliveries?limit=1`);
    const next = await client.get(
      `${ENDPOINTS}/${endpoint.id}/deliveries?limit=1&cursor=${page.body.next_cursor}`,
    );
    expect([...page.body.data, ...next.body.data]).toEqual(await list());
  });

  it('an event that was not delivered, and one for a paused endpoint, is refused', async () => {
    const { receiver, endpoint } = await register();
    const { id } = await createRequest();
    const [event] = await untilTypes(receiver, id, ['signature_request.created']);
    const redeliver = async (eventId: string, endpointId = endpoint.id) => {
      const { status, body } = await client.post(
        `${ENDPOINTS}/${endpointId}/deliveries/${eventId}/redeliver`,
      );
      return [status, body.error];
    };
    const { endpoint: other } = await register();
    expect(await redeliver('evt_00000000-0000-4000-8000-000000000000')).toEqual([404, 'not_found']);
    expect(await redeliver(event?.id ?? '', other.id)).toEqual([404, 'not_found']);
    await client.call('PATCH', `${ENDPOINTS}/${endpoint.id}`, { disabled: true });
    expect(await redeliver(event?.id ?? '')).toEqual([409, 'endpoint_paused']);
  });
});

describe('events of a signed request', () => {
  it('a signed request sends one genuine event for each step, with increasing times', async () => {
    const { receiver, endpoint } = await register();
    const { id, signers } = await createRequest(2);
    // A busy machine leaves some invitations to a job, which may end after the first signer has begun.
    await service.untilStatus(client, id, 'sent');
    for (const { access_token: token, email } of signers) {
      const signer = await service.verifiedSigner(token, email);
      expect((await signer.sign()).status).toBe(200);
    }
    const expected: EventType[] = [
      'signature_request.created',
      'signature_request.sent',
      'signature_request.opened',
      'signer.signed',
      'signature_request.completed',
      'signature_request.signed',
    ];
    await untilTypes(receiver, id, expected);
    await until(
      async () => (await trail(id)).filter(({ type }) => type === 'webhook_delivered').length === 7,
      'the log',
    );

    const events = receiver.eventsOf(id).sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
    expect(events.map(({ type }) => type)).toEqual([
      ...expected.slice(0, 4),
      'signer.signed',
      ...expected.slice(4),
    ]);
    expect(new Set(events.map(({ created_at: at }) => at)).size).toBe(events.length);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
    const [completed, signed] = events.slice(-2);
    expect(signed?.data).toEqual(completed?.data);
    const { body: full } = await client.get(`${SIGNATURES}/${id}`);
    expect(completed?.data).toMatchObject({ document_hash: full.document_hash, status: 'signed' });
    expect(
      events.filter(({ type }) => type === 'signer.signed').map(({ data }) => data.remaining_pending_signers),
    ).toEqual([1, 0]);
    for (const delivery of receiver.deliveries) expectGenuine(delivery, endpoint.secret);
    const everything = receiver.deliveries.map(({ raw }) => raw).join();
    for (const { access_token: token } of signers) expect(everything).not.toContain(token);

    for (const { details } of (await trail(id)).filter(({ type }) => type === 'webhook_delivered'))
      expect(details).toMatchObject({ endpoint_id: endpoint.id, http_status: 200, error: null });
    const { body } = await client.get(`${ENDPOINTS}/${endpoint.id}/deliveries`);
    expect(listWebhookDeliveries.answer.parse(body)).toEqual(body);
    expect(body.data).toHaveLength(7);
  });
});

describe('events of other final states', () => {
  it('a declined request sends who declined and why', async () => {
    const { receiver, endpoint } = await register();
    const { id, signers } = await createRequest(2);
    const [first] = signers;
    if (!first) throw new Error('No signer.');
    const signer = await service.verifiedSigner(first.access_token, first.email);
    await signer.decline('Wrong price');
    const events = await untilTypes(receiver, id, ['signature_request.declined', 'signature_request.opened']);
    expect(events.find(({ type }) => type === 'signature_request.declined')?.data).toMatchObject({
      signer_id: first.id,
      signer_email: first.email,
      decline_reason: 'Wrong price',
      status: 'declined',
    });
    for (const delivery of receiver.deliveries) expectGenuine(delivery, endpoint.secret);
  });

  it('a cancelled request sends the reason', async () => {
    const { receiver, endpoint } = await register();
    const { id } = await createRequest();
    await client.post(`${SIGNATURES}/${id}/cancel`, { reason: 'Not needed' });
    const events = await untilTypes(receiver, id, ['signature_request.cancelled']);
    expect(events.find(({ type }) => type === 'signature_request.cancelled')?.data).toMatchObject({
      reason: 'Not needed',
      status: 'cancelled',
    });
    for (const delivery of receiver.deliveries) expectGenuine(delivery, endpoint.secret);
  });
});

describe('webhook endpoints', () => {
  it('a client registers, reads, lists, patches and deletes an endpoint, and sees its secret only at first', async () => {
    const { endpoint } = await register({ description: 'Billing', event_types: ['signer.signed'] });
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = endpoint;
    const path = `${ENDPOINTS}/${endpoint.id}`;
    expect((await client.get(path)).body).toEqual(shown);
    const list = await client.get(ENDPOINTS);
    expect(listWebhookEndpoints.answer.parse(list.body)).toEqual({ data: [shown] });
    const patched = await client.call('PATCH', path, { disabled: true });
    expect(webhookEndpoint.parse(patched.body)).toMatchObject({
      description: 'Billing',
      disabled_at: expect.any(String),
    });
    expect((await client.call('DELETE', path)).body).toEqual({ ok: true, id: endpoint.id });
    for (const method of ['GET', 'DELETE'])
      expect((await client.call(method, path)).body).toMatchObject({ error: 'not_found' });
  });

  it('an endpoint is not found by another owner', async () => {
    const { endpoint } = await register();
    const stranger = await service.client();
    const path = `${ENDPOINTS}/${endpoint.id}`;
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['PATCH', '', { description: 'x' }],
      ['DELETE', ''],
      ['POST', '/test', {}],
      ['GET', '/deliveries'],
    ] as const)
      expect((await stranger.call(method, `${path}${suffix}`, body)).status).toBe(404);
    expect((await stranger.get(ENDPOINTS)).body).toEqual({ data: [] });
  });

  it.each<[string, Record<string, unknown>]>([
    ['invalid_url', { url: 'https://169.254.169.254/' }],
    ['invalid_url', {}],
    ['invalid_event_types', { url: 'https://example.com/', event_types: ['signature_request.exploded'] }],
    ['invalid_event_types', { url: 'https://example.com/', event_types: ['webhook_endpoint.test'] }],
    ['invalid_description', { url: 'https://example.com/', description: 'x'.repeat(201) }],
  ])('the API refuses an endpoint with %s for %j', async (error, body) => {
    const answer = await client.post(ENDPOINTS, body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  it('an endpoint may subscribe to all nine events by name', async () => {
    const { endpoint } = await register({ event_types: [...EVENT_TYPES] });
    expect(endpoint.event_types).toEqual(EVENT_TYPES);
  });

  it('an endpoint gets only the events it subscribes to, and none while paused or after deletion', async () => {
    const all = await register();
    const selective = await register({ event_types: ['signature_request.cancelled'] });
    const paused = await register();
    const removed = await register();
    await client.call('PATCH', `${ENDPOINTS}/${paused.endpoint.id}`, { disabled: true });
    await client.call('DELETE', `${ENDPOINTS}/${removed.endpoint.id}`);
    const { id } = await createRequest();
    await client.post(`${SIGNATURES}/${id}/cancel`);
    await untilTypes(all.receiver, id, [
      'signature_request.created',
      'signature_request.sent',
      'signature_request.cancelled',
    ]);
    await untilTypes(selective.receiver, id, ['signature_request.cancelled']);
    expect(selective.receiver.deliveries).toHaveLength(1);
    expect(paused.receiver.deliveries).toEqual([]);
    expect(removed.receiver.deliveries).toEqual([]);
  });

  it('an endpoint gets a signed test event on request, unless it is paused', async () => {
    const { receiver, endpoint } = await register();
    const { status, body } = await client.post(`${ENDPOINTS}/${endpoint.id}/test`);
    expect([status, body]).toEqual([200, { ok: true, event_id: expect.stringMatching(/^evt_/) }]);
    const [delivery] = await until(
      () => receiver.deliveries.length > 0 && receiver.deliveries,
      'the test event',
    );
    expect(delivery?.envelope).toMatchObject({ id: body.event_id, type: 'webhook_endpoint.test' });
    new Webhook(endpoint.secret).verify(delivery?.raw ?? '', delivery?.headers as Record<string, string>);
    await until(
      async () => (await client.get(`${ENDPOINTS}/${endpoint.id}/deliveries`)).body.data.length === 1,
      'the delivery in the list',
    );
    await client.call('PATCH', `${ENDPOINTS}/${endpoint.id}`, { disabled: true });
    const refused = await client.post(`${ENDPOINTS}/${endpoint.id}/test`);
    expect([refused.status, refused.body.error]).toEqual([409, 'endpoint_paused']);
  });

  it('an error response is recorded in the trail, and the call is not repeated', async () => {
    const { receiver, endpoint } = await register({ event_types: ['signature_request.cancelled'] });
    receiver.status = 500;
    const { id } = await createRequest();
    await client.post(`${SIGNATURES}/${id}/cancel`);
    const failed = await until(
      async () => (await trail(id)).find(({ type }) => type === 'webhook_failed'),
      'the failure in the trail',
    );
    expect(failed.details).toMatchObject({
      endpoint_id: endpoint.id,
      http_status: 500,
      error: 'unexpected_status',
    });
    expect(receiver.deliveries).toHaveLength(1);
  });

  it('the deliveries are listed page by page, and another endpoint’s cursor is refused', async () => {
    const [one, other] = [await register(), await register()];
    for (const { endpoint } of [one, one, one, other, other])
      await client.post(`${ENDPOINTS}/${endpoint.id}/test`);
    const path = `${ENDPOINTS}/${one.endpoint.id}/deliveries`;
    await until(async () => (await client.get(path)).body.data.length === 3, 'three deliveries');
    const first = await client.get(`${path}?limit=2`);
    expect(first.body).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const cursor = encodeURIComponent(first.body.next_cursor);
    const second = await client.get(`${path}?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    const ids = [...first.body.data, ...second.body.data].map(({ event_id: event }) => event);
    expect(new Set(ids).size).toBe(3);
    const foreign = await client.get(`${ENDPOINTS}/${other.endpoint.id}/deliveries?cursor=${cursor}`);
    expect([foreign.status, foreign.body.error]).toEqual([400, 'invalid_cursor']);
  });
});

describe('test mode', () => {
  it('test mode has its own endpoints and events', async () => {
    const tester = await service.client({ test: true });
    const { receiver } = await register({}, tester);
    const { id } = await createRequest(1, tester);
    await untilTypes(receiver, id, ['signature_request.created', 'signature_request.sent']);
    expect((await client.get(ENDPOINTS)).body).toEqual({ data: [] });
  });
});

describe('organization webhook', () => {
  it('the organization’s old URL gets signed events until there is an endpoint, even a paused one', async () => {
    const organization = await service.client();
    const old = await Receiver.start();
    receivers.push(old);
    const { webhook_secret: secret } = await service.admin(
      ...['org', 'update', organization.ownerId, '--webhook-url', old.url],
    );
    const first = await createRequest(1, organization);
    await untilTypes(old, first.id, ['signature_request.created', 'signature_request.sent']);
    for (const delivery of old.deliveries) expectGenuine(delivery, secret);

    const { receiver, endpoint } = await register({}, organization);
    await organization.call('PATCH', `${ENDPOINTS}/${endpoint.id}`, { disabled: true });
    const second = await createRequest(1, organization);
    await organization.call('PATCH', `${ENDPOINTS}/${endpoint.id}`, { disabled: false });
    await organization.post(`${SIGNATURES}/${second.id}/cancel`);
    await untilTypes(receiver, second.id, ['signature_request.cancelled']);
    expect(old.eventsOf(second.id)).toEqual([]);
  });
});

// Last, since it advances the clock by a month.
it('an expired request sends one event', async () => {
  const { receiver, endpoint } = await register();
  const { id } = await createRequest();
  await untilTypes(receiver, id, ['signature_request.sent']);
  for (const delivery of receiver.deliveries) expectGenuine(delivery, endpoint.secret);
  service.advance(31 * DAY);
  await service.runSchedule('expir');
  await service.runSchedule('expir');
  const events = await untilTypes(receiver, id, ['signature_request.expired']);
  const expired = events.filter(({ type }) => type === 'signature_request.expired');
  expect(expired).toHaveLength(1);
  expect(EVENT_DATA['signature_request.expired'].parse(expired[0]?.data)).toMatchObject({
    status: 'expired',
  });
});
