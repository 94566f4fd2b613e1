import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { makePdf } from '../../support/pdf.ts';
import { ApiClient, Service } from '../../support/service.ts';

let service: Service;
let owner: ApiClient & { ownerId: string };
let ids: Record<string, string>;
let hook: string;
/** Another organization, another user, and the owner itself in test mode. */
let strangers: ApiClient[];

const scoped = ENDPOINTS.filter(({ access, path }) => access === 'api_key' && path.includes('{'));
const fill = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (path.includes('webhook') ? hook : (ids[name] ?? '')));

beforeAll(async () => {
  service = await Service.start();
  owner = await service.client();
  const pdf = (await makePdf()).toString('base64');
  const { body } = await owner.post('/api/v1/signatures', {
    title: 'Mine',
    signers: [{ email: 'ann@example.com' }],
    document: { content_base64: pdf },
  });
  ids = { id: body.id, signer_id: body.signers[0].id };
  const { body: endpoint } = await owner.post('/api/v1/webhook-endpoints', {
    url: 'http://localhost:9/hook',
  });
  hook = endpoint.id;
  const { organization_id: organizationId } = await service.admin(
    'org',
    'create',
    '--name',
    'Other',
    '--subscription',
    'active',
  );
  const { user_id: userId } = await service.admin(
    'user',
    'create',
    '--email',
    'other@example.com',
    '--subscription',
    'active',
  );
  const holders = [
    ['--org', organizationId],
    ['--user', userId],
    ['--org', owner.ownerId, '--test'],
  ];
  strangers = await Promise.all(
    holders.map(
      async (holder) =>
        new ApiClient(service.baseUrl, (await service.admin('key', 'create', ...holder)).api_key),
    ),
  );
}, 60_000);
afterAll(() => service?.stop());

/** Everything but the trail, which goes on by itself with webhooks that fail. */
async function state() {
  const { body: request } = await owner.get(`/api/v1/signatures/${ids.id}`);
  const { body: endpoint } = await owner.get(`/api/v1/webhook-endpoints/${hook}`);
  const { audit_trail: _, ...rest } = request;
  return { rest, endpoint };
}

describe('what belongs to an owner', () => {
  it.each(scoped.map(({ method, path }) => [method, path] as const))(
    'is not found by anybody else: %s %s',
    async (method, path) => {
      const before = await state();
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      for (const stranger of strangers) {
        const answer = await stranger.call(method, fill(path), body);
        expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
        const nothing = await stranger.call(
          method,
          path.replace(/\{\w+\}/g, () => randomUUID()),
          body,
        );
        expect(nothing.status).toBe(404);
        expect((await stranger.get('/api/v1/signatures')).body.data).toEqual([]);
      }
      expect(await state()).toEqual(before);
    },
  );

  it('is shown with the owner of a personal key', async () => {
    const { user_id: userId } = await service.admin(
      'user',
      'create',
      '--email',
      'me@example.com',
      '--subscription',
      'active',
    );
    const { api_key: apiKey } = await service.admin('key', 'create', '--user', userId);
    const me = new ApiClient(service.baseUrl, apiKey);
    const pdf = (await makePdf()).toString('base64');
    const { body } = await me.post('/api/v1/signatures', {
      title: 'Mine',
      signers: [{ email: 'ann@example.com' }],
      document: { content_base64: pdf },
    });
    const { body: read } = await me.get(`/api/v1/signatures/${body.id}`);
    expect(read).toMatchObject({ owner_type: 'user', user_id: userId });
    expect(read).not.toHaveProperty('organization_id');
  });
});

describe('a call without a good key', () => {
  it.each([
    ['no header', undefined],
    ['no bearer', 'esk_live_x'],
    ['another scheme', 'Basic YTpi'],
    ['a malformed key', 'Bearer esk_live_short'],
    ['an unknown key', `Bearer esk_live_${'A'.repeat(43)}`],
  ])('is refused: %s', async (_, authorization) => {
    const response = await fetch(`${service.baseUrl}/api/v1/signatures`, {
      headers: authorization ? { authorization } : {},
    });
    const body = (await response.json()) as { error: string; message: string };
    expect([response.status, body.error]).toEqual([401, 'unauthorized']);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('is refused the moment the key is revoked', async () => {
    const key = await service.admin('key', 'create', '--org', owner.ownerId);
    const client = new ApiClient(service.baseUrl, key.api_key);
    expect((await client.get('/api/v1/signatures')).status).toBe(200);
    await service.admin('key', 'revoke', key.key_id);
    expect((await client.get('/api/v1/signatures')).status).toBe(401);
  });
});

describe('what the gateway answers by itself', () => {
  it('is JSON too: an unknown route, a wrong method', async () => {
    const unknown = await owner.get('/api/v1/nothing');
    expect([unknown.status, unknown.body.error]).toEqual([404, 'not_found']);
    const wrong = await owner.call('DELETE', '/api/v1/signatures');
    expect([wrong.status, wrong.body.error]).toEqual([405, 'method_not_allowed']);
    expect(wrong.headers.get('allow')).toBe('GET, POST');
  });
});
