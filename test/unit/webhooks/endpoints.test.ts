import { after } from '../../../shared/runtime/time.ts';
import type { ListedDelivery } from '../../../shared/store/deliveries.ts';
import { countTimeout } from '../../../shared/store/hanging.ts';
import { endpointKey } from '../../../shared/store/keys.ts';
import { findEndpoint } from '../../../shared/store/webhook-endpoints.ts';
import {
  addressUnder,
  createEndpoint,
  deleteEndpoint,
  deliveryView,
  endpointView,
  requireEndpoint,
  updateEndpoint,
} from '../../../shared/webhooks/endpoints.ts';
import { testEvent } from '../../../shared/webhooks/test-event.ts';
import { HOSTILE_URLS } from '../../support/hostile-urls.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON } from '../../support/requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const OWNER = { ownerId: 'owner-1', mode: 'live' } as const;
const URL = 'https://hooks.example.com/in';
const LATER = new Date('2026-11-22T12:00:00.000Z');
beforeEach(() => memory.clear());

const parts = (now = NOON) => ({ table, owner: OWNER, now });
const create = (input: Partial<Parameters<typeof createEndpoint>[0]> = {}) =>
  createEndpoint(
    { url: URL, ...input },
    { ...parts(), encrypt: async (secret, id) => Buffer.from(`${secret} for ${id}`).toString('base64') },
  );
const update = (id: string, patch: Parameters<typeof updateEndpoint>[1], now = LATER) =>
  updateEndpoint(id, patch, parts(now));

describe('new webhook endpoints', () => {
  it('an endpoint is stored for its owner, with its secret encrypted for it alone', async () => {
    const { endpoint, secret } = await create({
      event_types: ['signer.signed', 'signature_request.sent', 'signer.signed'],
      description: 'Ours',
    });
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^we_[0-9a-f-]{36}$/),
      ...OWNER,
      url: URL,
      eventTypes: ['signer.signed', 'signature_request.sent'],
      description: 'Ours',
      disabledAt: null,
      createdAt: NOON.toISOString(),
      updatedAt: NOON.toISOString(),
      secretCiphertext: Buffer.from(`${secret} for ${endpoint.id}`).toString('base64'),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await findEndpoint(table, OWNER, endpoint.id)).toEqual(endpoint);
    expect(JSON.stringify(memory.items)).not.toContain(secret);
  });

  it('an endpoint gets all events and has no description unless told otherwise', async () => {
    expect((await create()).endpoint).toMatchObject({ eventTypes: [], description: null });
  });

  it('every endpoint has an id and a secret of its own', async () => {
    const [first, second] = [await create(), await create()];
    expect(first.secret).not.toBe(second.secret);
    expect(first.endpoint.id).not.toBe(second.endpoint.id);
  });
});

describe('addresses of webhook endpoints', () => {
  const address = addressUnder({ development: false });
  const problemsOf = (url: unknown) => address.safeParse(url).error?.issues.map(({ message }) => message);

  it('a URL in other letters than ASCII becomes a URI', () => {
    expect(address.parse('https://münchen.example/ä')).toBe('https://xn--mnchen-3ya.example/%C3%A4');
  });

  it.each(HOSTILE_URLS)('an endpoint cannot have the URL $shown: $why', ({ url }) => {
    expect(problemsOf(url)).toEqual([expect.stringMatching(/^invalid_url\|must /)]);
  });

  it('a URL that is too long, or no text, has one fault', () => {
    for (const url of [`https://hooks.example.com/${'a'.repeat(2_048)}`, `https://${'ä'.repeat(2_048)}`, 7])
      expect(problemsOf(url)).toEqual([expect.stringMatching(/^invalid_url\|/)]);
  });

  it('only development allows addresses of the same machine', () => {
    expect(problemsOf('http://localhost:3000/')).toHaveLength(1);
    expect(addressUnder({ development: true }).parse('http://localhost:3000/')).toBe(
      'http://localhost:3000/',
    );
  });
});

describe('changes of a webhook endpoint', () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = (await create({ event_types: ['signer.signed'], description: 'Ours' })).endpoint);
  });
  const stored = () => findEndpoint(table, OWNER, id);

  it('only the fields of the patch change', async () => {
    const before = await stored();
    expect(await update(id, { url: 'https://new.example.com/' })).toEqual({
      ...before,
      url: 'https://new.example.com/',
      timeouts: 0,
      updatedAt: LATER.toISOString(),
    });
    expect(await update(id, { event_types: ['signer.signed', 'signer.signed'] })).toMatchObject({
      eventTypes: ['signer.signed'],
    });
    expect(await update(id, { event_types: [] })).toMatchObject({ eventTypes: [], description: 'Ours' });
    expect(await update(id, { description: null })).toMatchObject({ description: null });
    expect(await stored()).toMatchObject({
      url: 'https://new.example.com/',
      eventTypes: [],
      description: null,
    });
  });

  it.each([
    ['an empty patch', {}],
    ['the same URL', { url: URL }],
    [
      'everything as it is',
      { url: URL, event_types: ['signer.signed'], description: 'Ours', disabled: false },
    ],
  ] as [string, Parameters<typeof update>[1]][])(
    '%s changes nothing, not even the time of the last change',
    async (_, patch) => {
      await countTimeout(table, endpointKey(OWNER.ownerId, OWNER.mode, id), { url: URL });
      const before = await stored();
      expect(await update(id, patch)).toEqual(before);
      expect(await stored()).toEqual(before);
      expect(before).toMatchObject({ timeouts: 1, updatedAt: NOON.toISOString() });
    },
  );

  it('a paused endpoint keeps the time of its first pause until it is resumed', async () => {
    await update(id, { disabled: true });
    expect(await stored()).toMatchObject({ disabledAt: LATER.toISOString() });
    await update(id, { disabled: true }, new Date('2026-12-01T00:00:00.000Z'));
    expect(await stored()).toMatchObject({ disabledAt: LATER.toISOString() });
    await update(id, { disabled: false });
    expect(await stored()).toMatchObject({ disabledAt: null });
  });

  it('a change applies to the endpoint as a concurrent change left it', async () => {
    memory.beforeWrites.push(() => update(id, { description: 'Theirs' }));
    await update(id, { disabled: true }, new Date('2026-11-23T12:00:00.000Z'));
    expect(await stored()).toMatchObject({ description: 'Theirs', disabledAt: '2026-11-23T12:00:00.000Z' });
  });

  it('changes that began at the same moment notice each other, and each is later than the one before', async () => {
    memory.beforeWrites.push(
      () => update(id, { description: 'Theirs' }),
      () => undefined,
      () => update(id, { url: 'https://new.example.com/' }),
    );
    expect(await update(id, { disabled: true })).toEqual(await stored());
    expect(await stored()).toMatchObject({
      url: 'https://new.example.com/',
      description: 'Theirs',
      updatedAt: after(LATER, 2),
    });
  });

  it('an endpoint removed during a change stays removed', async () => {
    memory.beforeWrites.push(() => deleteEndpoint(id, parts()));
    await expect(update(id, { disabled: true })).rejects.toMatchObject({ code: 'not_found' });
    expect(await stored()).toBeUndefined();
  });

  it('another owner’s endpoint does not exist', async () => {
    expect(await requireEndpoint(table, OWNER, id)).toMatchObject({ id });
    await expect(requireEndpoint(table, { ...OWNER, mode: 'test' }, id)).rejects.toMatchObject({
      code: 'not_found',
      fields: { field: '/id' },
    });
    await expect(
      updateEndpoint(id, { disabled: true }, { ...parts(), owner: { ...OWNER, ownerId: 'owner-2' } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('deleted webhook endpoints', () => {
  it('two deletions at once remove an endpoint once, and write what belongs to it once', async () => {
    const { endpoint } = await create();
    const events = () => [{ put: { pk: 'LOG', sk: `${memory.items.length}` } }];
    const results: boolean[] = [];
    const remove = async () => {
      results.push(await deleteEndpoint(endpoint.id, { ...parts(), events }));
    };
    memory.beforeWrites.push(remove);
    await remove();
    expect(results).toEqual([true, false]);
    expect(memory.items.filter(({ pk }) => pk === 'LOG')).toHaveLength(1);
    expect(await findEndpoint(table, OWNER, endpoint.id)).toBeUndefined();
  });

  it('a deletion is logged with the host that the endpoint had at its end', async () => {
    const { endpoint } = await create();
    const hosts: string[] = [];
    memory.beforeWrites.push(() => update(endpoint.id, { url: 'https://new.example.com/' }));
    const events = ({ host }: { host: string }) => {
      hosts.push(host);
      return [];
    };
    expect(await deleteEndpoint(endpoint.id, { ...parts(), events })).toBe(true);
    expect(hosts.at(-1)).toBe('new.example.com');
  });

  it('another owner’s endpoint is not deleted', async () => {
    const { endpoint } = await create();
    const owner = { ...OWNER, ownerId: 'owner-2' };
    expect(await deleteEndpoint(endpoint.id, { ...parts(), owner })).toBe(false);
    expect(await findEndpoint(table, OWNER, endpoint.id)).toEqual(endpoint);
  });
});

describe('views of webhooks', () => {
  it('an endpoint is shown without its secret', async () => {
    const { endpoint } = await create({ event_types: ['signer.signed'] });
    expect(endpointView(endpoint)).toEqual({
      id: endpoint.id,
      url: URL,
      event_types: ['signer.signed'],
      description: null,
      disabled_at: null,
      created_at: NOON.toISOString(),
      updated_at: NOON.toISOString(),
    });
  });

  it('a delivery is shown with its outcome', () => {
    const delivery: ListedDelivery = {
      eventId: 'evt_1',
      eventType: 'signer.signed',
      requestId: 'r1',
      attemptedAt: NOON.toISOString(),
      outcome: 'failed',
      httpStatus: 500,
      durationMs: 12,
      error: 'http_status',
    };
    expect(deliveryView(delivery)).toEqual({
      event_id: 'evt_1',
      event_type: 'signer.signed',
      signature_request_id: 'r1',
      attempted_at: NOON.toISOString(),
      outcome: 'failed',
      http_status: 500,
      duration_ms: 12,
      error: 'http_status',
      manual: false,
    });
    expect(deliveryView({ ...delivery, manualId: 'm1' }).manual).toBe(true);
    expect(deliveryView(delivery, { body: '{}', answer: null })).toMatchObject({
      request_body: '{}',
      response_body: null,
    });
  });
});

describe('test events', () => {
  it('a test event tells of its endpoint only', async () => {
    const { endpoint } = await create();
    const { body, ...message } = testEvent(endpoint, NOON);
    expect(message).toEqual({
      eventId: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      eventType: 'webhook_endpoint.test',
      requestId: null,
      ...OWNER,
      endpointId: endpoint.id,
    });
    expect(JSON.parse(body)).toEqual({
      id: message.eventId,
      type: 'webhook_endpoint.test',
      created_at: NOON.toISOString(),
      data: { webhook_endpoint_id: endpoint.id },
    });
  });

  it('a paused endpoint gets no test event', async () => {
    const { endpoint } = await create();
    expect(() => testEvent({ ...endpoint, disabledAt: NOON.toISOString() }, NOON)).toThrow(
      expect.objectContaining({ code: 'endpoint_paused' }),
    );
  });
});
