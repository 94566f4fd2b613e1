/** @behaviour api-gateway.proxy-event */

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'fast-png';
import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { makePdf } from '../../support/pdf.ts';
import { ApiClient, Service } from '../../support/service.ts';
import type { Invited, Sent } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

let service: Service;
let owner: ApiClient & { ownerId: string };
/** Resources of the matrix: a request of the owner with two signers, and a webhook endpoint. */
let ours: { id: string; signer_id: string; hookId: string; eventId: string; logo: string };
let headersOf: Record<CallerName, Record<string, string>>;
/** Ids, tokens and addresses that no answer to somebody else may contain. */
let secrets: string[];
let bodies: Record<string, unknown>;

/**
 * Every endpoint with its body, in an order in which none takes away what a later one needs. `undefined` is a call without
 * a body.
 */
const ROWS: Record<string, (() => unknown) | undefined> = {
  health: undefined,
  'get-openapi': undefined,
  'create-signature': () => bodies.create,
  'list-signatures': undefined,
  'get-signature': undefined,
  'get-document': undefined,
  'get-evidence': undefined,
  'get-audit-trail': undefined,
  'list-events': undefined,
  'list-signers': undefined,
  'resend-invitation': () => ({}),
  'create-upload': undefined,
  'list-webhook-endpoints': undefined,
  'create-webhook-endpoint': () => ({ url: 'http://localhost:9/hook' }),
  'get-webhook-endpoint': undefined,
  'update-webhook-endpoint': () => ({ description: 'Changed' }),
  'test-webhook-endpoint': () => ({}),
  'list-webhook-deliveries': undefined,
  'redeliver-webhook': undefined,
  'delete-webhook-endpoint': undefined,
  'open-link': undefined,
  'send-code': undefined,
  'verify-code': () => ({ code: '000000' }),
  'get-request': undefined,
  'get-original': undefined,
  sign: () => bodies.sign,
  decline: () => ({}),
  'get-sealed-document': undefined,
  'get-signing-evidence': undefined,
  'get-copy': undefined,
  'get-logo': undefined,
  'correct-signer': () => ({ name: 'Corrected' }),
  'cancel-signature': () => ({}),
  'delete-document': undefined,
  'request-sign-in': () => ({ email: 'nobody@example.com' }),
  'sign-in': () => ({ code: '000000' }),
  'get-me': undefined,
  'list-sessions': undefined,
  'revoke-session': undefined,
  'sign-out': undefined,
};

type Outcome = 'allowed' | 'unauthorized' | 'not_found' | 'verification_required' | 'sign_in_required';

/** Kinds of guarded endpoints: a call about one resource, about the caller's own, or by what a signer was mailed. */
type Guard = 'resource' | 'own' | Exclude<Endpoint['access'], 'api_key'>;
const guardOf = ({ access, path }: Endpoint): Guard =>
  access === 'api_key' ? (path.includes('{') ? 'resource' : 'own') : access;

const NO_LINK = {
  signing_link: 'not_found',
  signing_session: 'not_found',
  copy_link: 'not_found',
  session_or_copy: 'not_found',
} as const;
/** Without its session the dashboard's calls give nobody anything; an attempt's code is wrong for all. */
const NO_SESSION = {
  app_attempt: 'allowed',
  app_session: 'sign_in_required',
  app_admin: 'sign_in_required',
} as const;
const NO_KEY = { resource: 'unauthorized', own: 'unauthorized' } as const;
const STRANGER = {
  open: 'allowed',
  resource: 'not_found',
  own: 'allowed',
  ...NO_LINK,
  ...NO_SESSION,
} as const;
const NOBODY = { open: 'allowed', ...NO_KEY, ...NO_LINK, ...NO_SESSION } as const;
const LINK_ALONE = {
  open: 'allowed',
  ...NO_KEY,
  ...NO_SESSION,
  signing_link: 'allowed',
  signing_session: 'verification_required',
  copy_link: 'not_found',
  session_or_copy: 'verification_required',
} as const;

/**
 * Every kind of caller, with what each guard gives it. A user's session on the dashboard becomes a column here, with the
 * session's headers in `beforeAll`: a member and an admin of the owner, and one of another organization.
 */
const CALLERS = {
  'another organization’s key': STRANGER,
  'another user’s key': STRANGER,
  'the owner’s key of the other mode': STRANGER,
  'a revoked key of the owner': NOBODY,
  'no key': NOBODY,
  'a key as a link’s token': NOBODY,
  'a link’s token as a key': NOBODY,
  'a signer’s link without a session': LINK_ALONE,
  'a signer’s link with a fellow signer’s session': LINK_ALONE,
  'a signer’s link with the session of another request': LINK_ALONE,
  'a signer’s link with its session': {
    ...LINK_ALONE,
    signing_session: 'allowed',
    session_or_copy: 'allowed',
  },
  'the owner’s key': { open: 'allowed', resource: 'allowed', own: 'allowed', ...NO_LINK, ...NO_SESSION },
} as const satisfies Record<string, Record<Guard, Outcome>>;
type CallerName = keyof typeof CALLERS;

/** To these nothing of the owner's may be told, and they may change nothing of it. */
const FOREIGN: ReadonlySet<string> = new Set<CallerName>([
  'another organization’s key',
  'another user’s key',
  'the owner’s key of the other mode',
  'a revoked key of the owner',
  'no key',
  'a key as a link’s token',
  'a link’s token as a key',
]);

const DENIALS: readonly string[] = [
  'unauthorized',
  'forbidden',
  'not_found',
  'verification_required',
  'sign_in_required',
];

const fill = ({ path }: Endpoint) =>
  path
    .replace('webhook-endpoints/{id}', `webhook-endpoints/${ours.hookId}`)
    .replace('{id}', ours.id)
    .replace('{signer_id}', ours.signer_id)
    .replace('{event_id}', ours.eventId)
    .replace('{sha256}', ours.logo)
    .replace('{session_id}', 'none');

async function call(endpoint: Endpoint, headers: Record<string, string>) {
  const body = ROWS[endpoint.name]?.();
  const response = await fetch(`${service.baseUrl}${fill(endpoint)}`, {
    method: endpoint.method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const outcomeOf = ({ status, text }: { status: number; text: string }): string => {
  if (status >= 500) return `failed with ${status}`;
  const { error } = status >= 400 ? (JSON.parse(text) as { error: string }) : { error: '' };
  return DENIALS.includes(error) ? error : 'allowed';
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const newKey = async (...holder: string[]) => (await service.admin('key', 'create', ...holder)).api_key;
const sent = async (client: ApiClient, names: string[]) => {
  const { body } = await client.post<Sent>('/api/v1/signatures', {
    title: `For ${names.join(' and ')}`,
    signers: names.map((name) => ({ email: `${name}@example.com`, name })),
    document: { content_base64: (await makePdf()).toString('base64') },
  });
  return body;
};

beforeAll(async () => {
  // Every caller calls every function: each stays warm.
  service = await Service.start({ idleWorkers: ENDPOINTS.length });
  owner = await service.client();
  const { body: endpoint } = await owner.post('/api/v1/webhook-endpoints', {
    url: 'http://localhost:9/hook',
  });
  const request = await sent(owner, ['ann', 'bob']);
  const [ann, bob] = request.signers;
  if (!ann || !bob) throw new Error('The request has two signers.');
  const eventId = await attemptedEvent(endpoint.id);
  const logoFile = join(await mkdtemp(join(tmpdir(), 'logo-')), 'logo.png');
  await writeFile(logoFile, encode({ width: 1, height: 1, channels: 3, depth: 8, data: new Uint8Array(3) }));
  const { logo } = await service.admin('brand', 'set', owner.ownerId, '--name', 'Acme', '--logo', logoFile);
  ours = { id: request.id, signer_id: ann.id, hookId: endpoint.id, eventId, logo: logo.sha256 };
  secrets = [
    request.id,
    ann.id,
    bob.id,
    ann.access_token,
    bob.access_token,
    endpoint.id,
    ann.email,
    'For ann and bob',
  ];

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
  const stranger = new ApiClient(service.baseUrl, await newKey('--org', organizationId));
  const [zoe] = (await sent(stranger, ['zoe'])).signers;
  const revoked = await service.admin('key', 'create', '--org', owner.ownerId);
  await service.admin('key', 'revoke', revoked.key_id);
  const session = async ({ access_token, email }: Invited) =>
    (await service.verifiedSigner(access_token, email)).cookie ?? '';
  const [annsSession, bobsSession] = [await session(ann), await session(bob)];
  const zoesSession = zoe ? await session(zoe) : '';
  const annsName = annsSession.split('=')[0];
  const under = (name: string | undefined, cookie: string) => `${name}=${cookie.split('=')[1]}`;
  const link = { 'x-signing-token': ann.access_token };
  headersOf = {
    'another organization’s key': bearer(stranger.apiKey),
    'another user’s key': bearer(await newKey('--user', userId)),
    'the owner’s key of the other mode': bearer(await newKey('--org', owner.ownerId, '--test')),
    'a revoked key of the owner': bearer(revoked.api_key),
    'no key': {},
    'a key as a link’s token': { 'x-signing-token': owner.apiKey },
    'a link’s token as a key': bearer(ann.access_token),
    'a signer’s link without a session': link,
    'a signer’s link with a fellow signer’s session': { ...link, cookie: under(annsName, bobsSession) },
    'a signer’s link with the session of another request': {
      ...link,
      cookie: under(annsName, zoesSession),
    },
    'a signer’s link with its session': { ...link, cookie: annsSession },
    'the owner’s key': bearer(owner.apiKey),
  };
  const { body: view } = await Object.assign(service.signer(ann.access_token), {
    cookie: annsSession,
  }).view();
  bodies = {
    create: {
      title: 'Theirs',
      signers: [{ email: 'other-signer@example.com' }],
      document: { content_base64: (await makePdf()).toString('base64') },
    },
    sign: {
      document_sha256: view.document.sha256,
      consent_version: view.consent.version,
      consent_locale: view.consent.locale,
      name: 'Ann',
      signature: { type: 'typed', text: 'Ann' },
    },
  };
}, 90_000);
afterAll(() => service?.stop());

/** An event of which a delivery to the endpoint was attempted. */
const attemptedEvent = (hookId: string): Promise<string> =>
  until(async () => {
    const { body } = await owner.get(`/api/v1/webhook-endpoints/${hookId}/deliveries`);
    return body.data[0]?.event_id;
  }, 'a delivery');

/** Everything but the trail, to which webhook failures are added concurrently. */
async function state() {
  const { body: request } = await owner.get(`/api/v1/signatures/${ours.id}`);
  const { body: signers } = await owner.get(`/api/v1/signatures/${ours.id}/signers`);
  const { body: endpoints } = await owner.get('/api/v1/webhook-endpoints');
  const { body: page } = await owner.get('/api/v1/signatures');
  const { audit_trail: _, ...rest } = request;
  const people = signers.data.map(({ audit_trail, ...signer }: { audit_trail: unknown }) => signer);
  return { rest, people, endpoints, page };
}

describe('who may call what', () => {
  it('every endpoint has its row', () => {
    expect(Object.keys(ROWS).sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort());
  });

  // In the order of the columns: the signer’s session signs and declines, and the owner’s key cancels in the end.
  it.each(Object.keys(CALLERS) as CallerName[])(
    'every endpoint gives %s exactly what it may have',
    async (caller) => {
      const before = FOREIGN.has(caller) && (await state());
      const expected: Record<string, string> = {};
      const outcomes: Record<string, string> = {};
      for (const name of Object.keys(ROWS)) {
        const endpoint = ENDPOINTS.find((candidate) => candidate.name === name);
        if (!endpoint) continue;
        const answer = await call(endpoint, headersOf[caller]);
        expected[name] = CALLERS[caller][guardOf(endpoint)];
        outcomes[name] = outcomeOf(answer);
        if (before) expect([name, ...secrets.filter((text) => answer.text.includes(text))]).toEqual([name]);
      }
      expect(outcomes).toEqual(expected);
      if (before) expect(await state()).toEqual(before);
    },
    60_000,
  );

  it('a signer is not found under another request of the same owner', async () => {
    const other = await sent(owner, ['eve']);
    const path = `/api/v1/signatures/${other.id}/signers/${ours.signer_id}/resend`;
    expect(await owner.post(path)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });
});

describe('ownership', () => {
  it('a request created with a personal key belongs to its user', async () => {
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

describe('authentication', () => {
  it.each([
    ['no header', undefined],
    ['no scheme', 'esk_live_x'],
    ['another scheme', 'Basic YTpi'],
    ['a malformed key', 'Bearer esk_live_short'],
    ['an unknown key', `Bearer esk_live_${'A'.repeat(43)}`],
  ])('a call is refused with %s', async (_, authorization) => {
    const response = await fetch(`${service.baseUrl}/api/v1/signatures`, {
      headers: authorization ? { authorization } : {},
    });
    const body = (await response.json()) as { error: string; message: string };
    expect([response.status, body.error]).toEqual([401, 'unauthorized']);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('a revoked key is refused at once', async () => {
    const key = await service.admin('key', 'create', '--org', owner.ownerId);
    const client = new ApiClient(service.baseUrl, key.api_key);
    expect((await client.get('/api/v1/signatures')).status).toBe(200);
    await service.admin('key', 'revoke', key.key_id);
    expect((await client.get('/api/v1/signatures')).status).toBe(401);
  });
});

describe('gateway responses', () => {
  it('the gateway answers an unknown route or method in JSON', async () => {
    const unknown = await owner.get('/api/v1/nothing');
    expect([unknown.status, unknown.body.error]).toEqual([404, 'not_found']);
    const wrong = await owner.call('DELETE', '/api/v1/signatures');
    expect([wrong.status, wrong.body.error]).toEqual([405, 'method_not_allowed']);
    expect(wrong.headers.get('allow')).toBe('GET, POST');
  });
});
