/** @behaviour kms.encryption-context */

import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../shared/contract/api-error.ts';
import {
  findEndpoint,
  listEndpoints,
  type WebhookEndpoint,
} from '../../../shared/store/webhook-endpoints.ts';
import { deleteEndpoint, updateEndpoint } from '../../../shared/webhooks/endpoints.ts';
import { endpointContext, secretDecrypter } from '../../../shared/webhooks/secrets.ts';
import { registerEndpoint, type Services, startServices } from './services.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services.cloud.stop());

const URL = 'https://hooks.example.com/';
const newOwner = () => ({ ownerId: randomUUID(), mode: 'live' }) as const;
/** Long after the endpoints are registered. */
const at = (time: string) => new Date(`2126-11-21T${time}.000Z`);
const change = (owner: ReturnType<typeof newOwner>, now = at('12:00:00')) => ({
  table: services.table,
  owner,
  now,
});

describe('webhook endpoints', () => {
  it('an endpoint’s secret is encrypted for that endpoint and owner only', async () => {
    const owner = newOwner();
    const { endpoint, secret } = await registerEndpoint(services, owner.ownerId, URL);
    const stored = await findEndpoint(services.table, owner, endpoint.id);
    expect(JSON.stringify(stored)).not.toContain(secret);
    const decrypt = secretDecrypter(services.kms, services.keyArn);
    const ciphertext = stored?.secretCiphertext ?? '';
    expect(await decrypt(ciphertext, endpointContext(endpoint.id, owner.ownerId))).toBe(secret);
    await expect(decrypt(ciphertext, endpointContext(endpoint.id, randomUUID()))).rejects.toThrow();
    await expect(decrypt(ciphertext, endpointContext('we_other', owner.ownerId))).rejects.toThrow();
  });

  it('an owner has at most twenty endpoints, even if they are created concurrently', async () => {
    const owner = newOwner();
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, () => registerEndpoint(services, owner.ownerId, URL)),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(await listEndpoints(services.table, owner)).toHaveLength(20);
    expect(refused).toHaveLength(10);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(ApiError);
      expect(reason).toMatchObject({ code: 'too_many_endpoints' });
    }
  });

  it('removing an endpoint makes room for exactly one other', async () => {
    const owner = newOwner();
    const created = [];
    for (let n = 0; n < 20; n += 1) created.push(await registerEndpoint(services, owner.ownerId, URL));
    const [first] = created;
    const id = first?.endpoint.id ?? '';
    expect(await deleteEndpoint(id, change(owner))).toBe(true);
    expect(await deleteEndpoint(id, change(owner))).toBe(false);
    await registerEndpoint(services, owner.ownerId, URL);
    await expect(registerEndpoint(services, owner.ownerId, URL)).rejects.toMatchObject({
      code: 'too_many_endpoints',
    });
  });
});

describe('updateEndpoint', () => {
  it('a patch changes only the fields it contains', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(services, owner.ownerId, URL);
    const patches: [Parameters<typeof updateEndpoint>[1], Partial<WebhookEndpoint>][] = [
      [{ description: 'Billing' }, { description: 'Billing' }],
      [{ event_types: ['signer.signed', 'signer.signed'] }, { eventTypes: ['signer.signed'] }],
      [{ url: 'https://other.example.com/' }, { url: 'https://other.example.com/' }],
      [{ description: null }, { description: null }],
      [{ description: 'Sales' }, { description: 'Sales' }],
      [{ description: '' }, { description: null }],
      [{ event_types: [] }, { eventTypes: [] }],
    ];
    let expected: object = endpoint;
    for (const [index, [patch, changes]] of patches.entries()) {
      const now = at(`13:00:0${index}`);
      const changed = await updateEndpoint(endpoint.id, patch, change(owner, now));
      expected = { ...expected, ...changes, updatedAt: now.toISOString() };
      expect(changed).toMatchObject(expected);
      expect(await findEndpoint(services.table, owner, endpoint.id)).toMatchObject(expected);
    }
  });

  it('a patch pauses and resumes an endpoint, and pausing again keeps the first time', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(services, owner.ownerId, URL);
    const patch = (disabled: boolean, time: string) =>
      updateEndpoint(endpoint.id, { disabled }, change(owner, at(time)));
    expect(await patch(true, '13:00:00')).toMatchObject({ disabledAt: at('13:00:00').toISOString() });
    expect(await patch(true, '14:00:00')).toMatchObject({ disabledAt: at('13:00:00').toISOString() });
    expect(await patch(false, '15:00:00')).toMatchObject({ disabledAt: null });
  });

  it('an empty patch changes nothing', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(services, owner.ownerId, URL);
    expect(await updateEndpoint(endpoint.id, {}, change(owner, at('13:00:00')))).toMatchObject({
      ...endpoint,
    });
  });

  it('ten concurrent patches all take effect', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(services, owner.ownerId, URL);
    await Promise.all([
      updateEndpoint(endpoint.id, { disabled: true }, change(owner, at('13:00:00'))),
      ...Array.from({ length: 8 }, (_, n) =>
        updateEndpoint(endpoint.id, { description: `${n}` }, change(owner, at(`13:00:1${n}`))),
      ),
      updateEndpoint(endpoint.id, { event_types: ['signer.signed'] }, change(owner, at('13:00:30'))),
    ]);
    expect(await findEndpoint(services.table, owner, endpoint.id)).toMatchObject({
      disabledAt: at('13:00:00').toISOString(),
      description: expect.stringMatching(/^\d$/),
      eventTypes: ['signer.signed'],
    });
  });

  it('a patch of a removed endpoint or of another owner’s is not found', async () => {
    const owner = newOwner();
    const { endpoint } = await registerEndpoint(services, owner.ownerId, URL);
    const notFound = { code: 'not_found' };
    const patch = { description: 'x' };
    await expect(updateEndpoint(endpoint.id, patch, change(newOwner()))).rejects.toMatchObject(notFound);
    await deleteEndpoint(endpoint.id, change(owner));
    await expect(updateEndpoint(endpoint.id, patch, change(owner))).rejects.toMatchObject(notFound);
    expect(await findEndpoint(services.table, owner, endpoint.id)).toBeUndefined();
  });
});
