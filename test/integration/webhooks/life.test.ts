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

const endpoints = '/api/v1/webhook-endpoints';
const signatures = '/api/v1/signatures';

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
  const answer = await by.post(endpoints, { url: receiver.url, ...body });
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
  const { status, body } = await by.post(signatures, {
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

/** Checks a call as a careful client would: form, both signatures, data to the letter. */
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
  (await client.get(`${signatures}/${id}`)).body.audit_trail.events as {
    type: string;
    details: Record<string, unknown>;
  }[];

describe('a request that is signed', () => {
  it('tells of every step, once each, signed and to the letter, in increasing times', async () => {
    const { receiver, endpoint } = await register();
    const { id, signers } = await createRequest(2);
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
    const { body: full } = await client.get(`${signatures}/${id}`);
    expect(completed?.data).toMatchObject({ document_hash: full.document_hash, status: 'signed' });
    expect(
      events.filter(({ type }) => type === 'signer.signed').map(({ data }) => data.remaining_pending_signers),
    ).toEqual([1, 0]);
    for (const delivery of receiver.deliveries) expectGenuine(delivery, endpoint.secret);
    const everything = receiver.deliveries.map(({ raw }) => raw).join();
    for (const { access_token: token } of signers) expect(everything).not.toContain(token);

    for (const { details } of (await trail(id)).filter(({ type }) => type === 'webhook_delivered'))
      expect(details).toMatchObject({ endpoint_id: endpoint.id, http_status: 200, error: null });
    const { body } = await client.get(`${endpoints}/${endpoint.id}/deliveries`);
    expect(listWebhookDeliveries.answer.parse(body)).toEqual(body);
    expect(body.data).toHaveLength(7);
  });
});

describe('a request that ends otherwise', () => {
  it('tells that it was declined, by whom and why', async () => {
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

  it('tells that it was cancelled, and why', async () => {
    const { receiver, endpoint } = await register();
    const { id } = await createRequest();
    await client.post(`${signatures}/${id}/cancel`, { reason: 'Not needed' });
    const events = await untilTypes(receiver, id, ['signature_request.cancelled']);
    expect(events.find(({ type }) => type === 'signature_request.cancelled')?.data).toMatchObject({
      reason: 'Not needed',
      status: 'cancelled',
    });
    for (const delivery of receiver.deliveries) expectGenuine(delivery, endpoint.secret);
  });
});

describe('an endpoint', () => {
  it('is registered, shown without its secret, changed, and removed', async () => {
    const { endpoint } = await register({ description: 'Billing', event_types: ['signer.signed'] });
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = endpoint;
    const path = `${endpoints}/${endpoint.id}`;
    expect((await client.get(path)).body).toEqual(shown);
    const list = await client.get(endpoints);
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

  it('belongs to its owner and mode alone', async () => {
    const { endpoint } = await register();
    const stranger = await service.client();
    const path = `${endpoints}/${endpoint.id}`;
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['PATCH', '', { description: 'x' }],
      ['DELETE', ''],
      ['POST', '/test', {}],
      ['GET', '/deliveries'],
    ] as const)
      expect((await stranger.call(method, `${path}${suffix}`, body)).status).toBe(404);
    expect((await stranger.get(endpoints)).body).toEqual({ data: [] });
  });

  it.each<[string, Record<string, unknown>]>([
    ['invalid_url', { url: 'https://169.254.169.254/' }],
    ['invalid_url', {}],
    ['invalid_event_types', { url: 'https://example.com/', event_types: ['signature_request.exploded'] }],
    ['invalid_event_types', { url: 'https://example.com/', event_types: ['webhook_endpoint.test'] }],
    ['invalid_description', { url: 'https://example.com/', description: 'x'.repeat(201) }],
  ])('is refused with %s for %j', async (error, body) => {
    const answer = await client.post(endpoints, body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  it('may take any of the nine events', async () => {
    const { endpoint } = await register({ event_types: [...EVENT_TYPES] });
    expect(endpoint.event_types).toEqual(EVENT_TYPES);
  });

  it('gets what it asked for and nothing while it is paused or after it is removed', async () => {
    const all = await register();
    const wanted = await register({ event_types: ['signature_request.cancelled'] });
    const paused = await register();
    const removed = await register();
    await client.call('PATCH', `${endpoints}/${paused.endpoint.id}`, { disabled: true });
    await client.call('DELETE', `${endpoints}/${removed.endpoint.id}`);
    const { id } = await createRequest();
    await client.post(`${signatures}/${id}/cancel`);
    await untilTypes(all.receiver, id, [
      'signature_request.created',
      'signature_request.sent',
      'signature_request.cancelled',
    ]);
    await untilTypes(wanted.receiver, id, ['signature_request.cancelled']);
    expect(wanted.receiver.deliveries).toHaveLength(1);
    expect(paused.receiver.deliveries).toEqual([]);
    expect(removed.receiver.deliveries).toEqual([]);
  });

  it('gets a signed test event when asked, and none while it is paused', async () => {
    const { receiver, endpoint } = await register();
    const { status, body } = await client.post(`${endpoints}/${endpoint.id}/test`);
    expect([status, body]).toEqual([200, { ok: true, event_id: expect.stringMatching(/^evt_/) }]);
    const [delivery] = await until(
      () => receiver.deliveries.length > 0 && receiver.deliveries,
      'the test event',
    );
    expect(delivery?.envelope).toMatchObject({ id: body.event_id, type: 'webhook_endpoint.test' });
    new Webhook(endpoint.secret).verify(delivery?.raw ?? '', delivery?.headers as Record<string, string>);
    await until(
      async () => (await client.get(`${endpoints}/${endpoint.id}/deliveries`)).body.data.length === 1,
      'the delivery in the list',
    );
    await client.call('PATCH', `${endpoints}/${endpoint.id}`, { disabled: true });
    const refused = await client.post(`${endpoints}/${endpoint.id}/test`);
    expect([refused.status, refused.body.error]).toEqual([409, 'endpoint_paused']);
  });

  it('that answers with an error is logged with it, and not called again', async () => {
    const { receiver, endpoint } = await register({ event_types: ['signature_request.cancelled'] });
    receiver.status = 500;
    const { id } = await createRequest();
    await client.post(`${signatures}/${id}/cancel`);
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

  it('shows its deliveries page by page, and takes no cursor of another', async () => {
    const [one, other] = [await register(), await register()];
    for (const { endpoint } of [one, one, one, other, other])
      await client.post(`${endpoints}/${endpoint.id}/test`);
    const path = `${endpoints}/${one.endpoint.id}/deliveries`;
    await until(async () => (await client.get(path)).body.data.length === 3, 'three deliveries');
    const first = await client.get(`${path}?limit=2`);
    expect(first.body).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const cursor = encodeURIComponent(first.body.next_cursor);
    const second = await client.get(`${path}?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    const ids = [...first.body.data, ...second.body.data].map(({ event_id: event }) => event);
    expect(new Set(ids).size).toBe(3);
    const stolen = await client.get(`${endpoints}/${other.endpoint.id}/deliveries?cursor=${cursor}`);
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_cursor']);
  });
});

describe('test mode', () => {
  it('keeps its endpoints and events apart', async () => {
    const tester = await service.client({ test: true });
    const { receiver } = await register({}, tester);
    const { id } = await createRequest(1, tester);
    await untilTypes(receiver, id, ['signature_request.created', 'signature_request.sent']);
    expect((await client.get(endpoints)).body).toEqual({ data: [] });
  });
});

describe('an organization’s old single URL', () => {
  it('gets what happens, signed with its own secret, until there is an endpoint, be it a paused one', async () => {
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
    await organization.call('PATCH', `${endpoints}/${endpoint.id}`, { disabled: true });
    const second = await createRequest(1, organization);
    await organization.call('PATCH', `${endpoints}/${endpoint.id}`, { disabled: false });
    await organization.post(`${signatures}/${second.id}/cancel`);
    await untilTypes(receiver, second.id, ['signature_request.cancelled']);
    expect(old.eventsOf(second.id)).toEqual([]);
  });
});

// The last, since it moves the clock by a month.
it('a request that expires tells so, once', async () => {
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
