import { randomUUID } from 'node:crypto';
import { Refusal } from '../../../shared/requests/lifecycle.ts';
import {
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  type WebhookEndpoint,
} from '../../../shared/store/webhook-endpoints.ts';
import { createEndpoint, updateEndpoint } from '../../../shared/webhooks/endpoints.ts';
import { endpointContext, secretOpener } from '../../../shared/webhooks/secrets.ts';
import { HOSTILE_URLS } from '../../unit/webhooks/hostile-urls.ts';
import { registerEndpoint, startWorkshop, type Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await startWorkshop();
});
afterAll(() => workshop.cloud.stop());

const URL = 'https://hooks.example.com/';
const newOwner = () => ({ ownerId: randomUUID(), mode: 'live' }) as const;
const at = (time: string) => new Date(`2026-11-21T${time}.000Z`);
const change = (owner: ReturnType<typeof newOwner>, now = at('12:00:00')) => ({
  table: workshop.table,
  owner,
  reach: { development: false },
  now,
});

describe('an endpoint', () => {
  it('keeps its secret encrypted for itself and its owner alone', async () => {
    const owner = newOwner();
    const { endpoint, secret } = await registerEndpoint(workshop, owner.ownerId, URL);
    const stored = await findEndpoint(workshop.table, owner, endpoint.id);
    expect(JSON.stringify(stored)).not.toContain(secret);
    const open = secretOpener(workshop.kms, workshop.keyArn);
    const ciphertext = stored?.secretCiphertext ?? '';
    expect(await open(ciphertext, endpointContext(endpoint.id, owner.ownerId))).toBe(secret);
    await expect(open(ciphertext, endpointContext(endpoint.id, randomUUID()))).rejects.toThrow();
    await expect(open(ciphertext, endpointContext('we_other', owner.ownerId))).rejects.toThrow();
  });

  it('is one of twenty at most, however many are made in the same moment', async () => {
    const owner = newOwner();
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, () => registerEndpoint(workshop, owner.ownerId, URL)),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(await listEndpoints(workshop.table, owner)).toHaveLength(20);
    expect(refused).toHaveLength(10);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(Refusal);
      expect(reason).toMatchObject({ code: 'too_many_endpoints' });
    }
  });

  it('makes room when it is removed, once', async () => {
    const owner = newOwner();
    const made = [];
    for (let n = 0; n < 20; n += 1) made.push(await registerEndpoint(workshop, owner.ownerId, URL));
    const [first] = made;
    const id = first?.endpoint.id ?? '';
    expect(await removeEndpoint(workshop.table, owner, id)).toBe(true);
    expect(await removeEndpoint(workshop.table, owner, id)).toBe(false);
    await registerEndpoint(workshop, owner.ownerId, URL);
    await expect(registerEndpoint(workshop, owner.ownerId, URL)).rejects.toMatchObject({
      code: 'too_many_endpoints',
    });
  });
});

describe('a patch', () => {
  it('changes what it names and nothing else', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(workshop, owner.ownerId, URL);
    const patches: [Parameters<typeof updateEndpoint>[1], Partial<WebhookEndpoint>][] = [
      [{ description: 'Billing' }, { description: 'Billing' }],
      [{ event_types: ['signer.signed', 'signer.signed'] }, { eventTypes: ['signer.signed'] }],
      [{ url: 'https://other.example.com/' }, { url: 'https://other.example.com/' }],
      [{ description: null }, { description: null }],
      [{ event_types: [] }, { eventTypes: [] }],
    ];
    let expected: object = endpoint;
    for (const [place, [patch, changes]] of patches.entries()) {
      const now = at(`13:00:0${place}`);
      const changed = await updateEndpoint(endpoint.id, patch, change(owner, now));
      expected = { ...expected, ...changes, updatedAt: now.toISOString() };
      expect(changed).toMatchObject(expected);
      expect(await findEndpoint(workshop.table, owner, endpoint.id)).toMatchObject(expected);
    }
  });

  it('pauses and resumes, and keeps the time since when it is paused', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(workshop, owner.ownerId, URL);
    const patch = (disabled: boolean, time: string) =>
      updateEndpoint(endpoint.id, { disabled }, change(owner, at(time)));
    expect(await patch(true, '13:00:00')).toMatchObject({ disabledAt: at('13:00:00').toISOString() });
    expect(await patch(true, '14:00:00')).toMatchObject({ disabledAt: at('13:00:00').toISOString() });
    expect(await patch(false, '15:00:00')).toMatchObject({ disabledAt: null });
  });

  it('of nothing changes nothing', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(workshop, owner.ownerId, URL);
    expect(await updateEndpoint(endpoint.id, {}, change(owner, at('13:00:00')))).toMatchObject({
      ...endpoint,
    });
  });

  it('and nine others at once all count', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(workshop, owner.ownerId, URL);
    await Promise.all([
      updateEndpoint(endpoint.id, { disabled: true }, change(owner, at('13:00:00'))),
      ...Array.from({ length: 8 }, (_, n) =>
        updateEndpoint(endpoint.id, { description: `${n}` }, change(owner, at(`13:00:1${n}`))),
      ),
      updateEndpoint(endpoint.id, { event_types: ['signer.signed'] }, change(owner, at('13:00:30'))),
    ]);
    expect(await findEndpoint(workshop.table, owner, endpoint.id)).toMatchObject({
      disabledAt: at('13:00:00').toISOString(),
      description: expect.stringMatching(/^\d$/),
      eventTypes: ['signer.signed'],
    });
  });

  it('of another owner’s endpoint, or of one that is removed meanwhile, finds nothing', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(workshop, owner.ownerId, URL);
    const notFound = { code: 'not_found' };
    const patch = { description: 'x' };
    await expect(updateEndpoint(endpoint.id, patch, change(newOwner()))).rejects.toMatchObject(notFound);
    await removeEndpoint(workshop.table, owner, endpoint.id);
    await expect(updateEndpoint(endpoint.id, patch, change(owner))).rejects.toMatchObject(notFound);
    expect(await findEndpoint(workshop.table, owner, endpoint.id)).toBeUndefined();
  });
});

describe('a hostile URL', () => {
  const refusal = { code: 'invalid_url', message: expect.stringMatching(/^url /) };

  it.each(HOSTILE_URLS)('$shown is refused at creation and at a patch: $why', async ({ url }) => {
    const owner = newOwner();
    const seal = async () => 'sealed';
    await expect(createEndpoint({ url }, { ...change(owner), seal })).rejects.toMatchObject(refusal);
    await expect(updateEndpoint('we_1', { url }, change(owner))).rejects.toMatchObject(refusal);
  });
});
