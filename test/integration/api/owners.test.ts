/** @behaviour api-gateway.proxy-event */

import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'fast-png';
import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import { ENDPOINTS, functionOf } from '../../../shared/contract/endpoints.ts';
import { AppClient } from '../../support/app-client.ts';
import { makePdf } from '../../support/pdf.ts';
import { ApiClient, Service } from '../../support/service.ts';
import type { Invited, Sent } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';
import { IDLE_ENVIRONMENTS } from '../../support/workers.ts';

let service: Service;
let owner: ApiClient & { ownerId: string };
/** Resources of the matrix: a request of the owner with two signers, and a webhook endpoint. */
let ours: {
  id: string;
  signer_id: string;
  hookId: string;
  eventId: string;
  logo: string;
  userId: string;
  keyId: string;
  sessionId: string;
};
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
  'update-me': () => ({ locale: 'fi' }),
  'list-sessions': undefined,
  'list-members': undefined,
  'add-member': () => ({ email: 'new@example.com', role: 'member' }),
  'update-member': () => ({ role: 'member' }),
  'remove-member': undefined,
  'list-api-keys': undefined,
  'create-api-key': () => ({ name: 'Theirs' }),
  'revoke-api-key': undefined,
  'get-brand': undefined,
  'update-brand': () => ({ accent: '#1a5fb4' }),
  'get-notices': undefined,
  'update-notices': () => ({ reminders: true }),
  'revoke-session': undefined,
  'sign-out': undefined,
};

type Outcome =
  | 'allowed'
  | 'unauthorized'
  | 'not_found'
  | 'verification_required'
  | 'sign_in_required'
  | 'admin_required'
  | 'invalid_request';

/** Kinds of guarded endpoints: a call about one resource, about the caller's own, or by what a signer was mailed. */
type Guard =
  | 'resource'
  | 'own'
  | 'admin_resource'
  | 'admin_own'
  | 'app_resource'
  | Exclude<Endpoint['access'], 'api_key'>;
function guardOf({ access, path, adminsOnly }: Endpoint): Guard {
  const isResource = path.includes('{');
  if (access === 'app_session') return isResource ? 'app_resource' : access;
  if (access !== 'api_key') return access;
  if (adminsOnly) return isResource ? 'admin_resource' : 'admin_own';
  return isResource ? 'resource' : 'own';
}

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
  app_resource: 'sign_in_required',
  app_admin: 'sign_in_required',
} as const;
/** A key may do whatever a user who is an admin may. */
const keyed = <R extends Outcome, O extends Outcome>(resource: R, own: O) => ({
  resource,
  own,
  admin_resource: resource,
  admin_own: own,
});
const NO_KEY = keyed('unauthorized', 'unauthorized');
const STRANGER = {
  open: 'allowed',
  ...keyed('not_found', 'allowed'),
  ...NO_LINK,
  ...NO_SESSION,
} as const;
const SIGNED_IN = {
  open: 'allowed',
  ...NO_LINK,
  app_attempt: 'allowed',
  app_session: 'allowed',
  app_resource: 'not_found',
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

/** Every kind of caller, with what each guard gives it. */
const CALLERS = {
  'another organization’s key': STRANGER,
  'another user’s key': STRANGER,
  'the owner’s key of the other mode': STRANGER,
  'a revoked key of the owner': NOBODY,
  'no key': NOBODY,
  'another organization’s admin, signed in, for the owner': {
    ...SIGNED_IN,
    ...keyed('not_found', 'not_found'),
    app_admin: 'not_found',
  },
  'an admin, signed in, without X-Owner': {
    ...SIGNED_IN,
    ...keyed('invalid_request', 'invalid_request'),
    app_resource: 'allowed',
    app_admin: 'invalid_request',
  },
  'an admin, signed in, without X-Requested-With': NOBODY,
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
  'a member, signed in': {
    ...SIGNED_IN,
    ...keyed('admin_required', 'admin_required'),
    resource: 'allowed',
    own: 'allowed',
    app_admin: 'admin_required',
  },
  'an admin, signed in': {
    ...SIGNED_IN,
    ...keyed('allowed', 'allowed'),
    app_admin: 'allowed',
  },
  'the owner’s key': { open: 'allowed', ...keyed('allowed', 'allowed'), ...NO_LINK, ...NO_SESSION },
} as const satisfies Record<string, Record<Guard, Outcome>>;
type CallerName = keyof typeof CALLERS;

/** To these nothing of the owner's may be told, and they may change nothing of it. */
const FOREIGN: ReadonlySet<string> = new Set<CallerName>([
  'another organization’s key',
  'another user’s key',
  'the owner’s key of the other mode',
  'a revoked key of the owner',
  'no key',
  'another organization’s admin, signed in, for the owner',
  'an admin, signed in, without X-Requested-With',
  'a key as a link’s token',
  'a link’s token as a key',
]);

const DENIALS: readonly string[] = [
  'unauthorized',
  'forbidden',
  'not_found',
  'verification_required',
  'sign_in_required',
  'admin_required',
  'invalid_request',
];

/** Calls that a caller does not make. */
const LEFT_OUT: Partial<Record<CallerName, string>> = {
  // The edge refuses it before any function sees it.
  'an admin, signed in, without X-Owner': 'create-signature',
  // The owner's key still needs the endpoint.
  'an admin, signed in': 'delete-webhook-endpoint',
};

/** Well-formed ids of nothing. */
const UNKNOWN: Record<string, string> = {
  id: randomUUID(),
  signer_id: randomUUID(),
  event_id: `evt_${randomUUID()}`,
};

const fill = ({ path }: Endpoint, unknown = '') =>
  path
    .replace(`{${unknown}}`, UNKNOWN[unknown] ?? '')
    .replace('webhook-endpoints/{id}', `webhook-endpoints/${ours.hookId}`)
    .replace('{id}', ours.id)
    .replace('{signer_id}', ours.signer_id)
    .replace('{event_id}', ours.eventId)
    .replace('{sha256}', ours.logo)
    .replace('{session_id}', ours.sessionId)
    .replace('{user_id}', ours.userId)
    .replace('{key_id}', ours.keyId);

async function call(endpoint: Endpoint, headers: Record<string, string>, unknown?: string) {
  const body = ROWS[endpoint.name]?.();
  const response = await fetch(`${service.baseUrl}${fill(endpoint, unknown)}`, {
    method: endpoint.method,
    headers: {
      // Without it nobody signs in.
      ...(endpoint.function === 'app-sign-in' && { 'x-requested-with': 'app' }),
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
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
  // Every caller calls every function: each has to stay warm.
  const needed = new Set(ENDPOINTS.map(functionOf)).size;
  service = await Service.start(IDLE_ENVIRONMENTS < needed ? { idleEnvironments: needed } : undefined);
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
  const joined = (email: string, org: string, role: string) =>
    service.admin('user', 'create', '--email', email, '--org', org, '--role', role);
  const { user_id: leaving } = await joined('leaving@example.com', owner.ownerId, 'member');
  await joined('admin@example.com', owner.ownerId, 'admin');
  await joined('member@example.com', owner.ownerId, 'member');
  const browser = async (email: string, org?: string) => {
    const app = await AppClient.signedIn(service, email);
    app.owner = org;
    return app.headers;
  };
  const spare = await AppClient.signedIn(service, 'admin@example.com');
  const { session: spareSession } = (await spare.call('GET', '/me')).body;
  ours = {
    id: request.id,
    signer_id: ann.id,
    hookId: endpoint.id,
    eventId,
    logo: logo.sha256,
    userId: leaving,
    keyId: (await service.admin('key', 'create', '--org', owner.ownerId)).key_id,
    sessionId: spareSession.session_id,
  };
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
  await joined('stranger@example.com', organizationId, 'admin');
  const { 'x-requested-with': _, ...cookieAlone } = await browser('admin@example.com', owner.ownerId);
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
    'another organization’s admin, signed in, for the owner': await browser(
      'stranger@example.com',
      owner.ownerId,
    ),
    'an admin, signed in, without X-Owner': await browser('admin@example.com'),
    'an admin, signed in, without X-Requested-With': cookieAlone,
    'a member, signed in': await browser('member@example.com', owner.ownerId),
    'an admin, signed in': await browser('admin@example.com', owner.ownerId),
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

// Before the matrix below, in which an admin deletes the endpoint.
describe('an unknown id', () => {
  const ids = ENDPOINTS.filter(({ area }) => area === 'api').flatMap((endpoint) =>
    Object.keys(endpoint.params?.shape ?? {}).map((id) => [endpoint.name, id, endpoint] as const),
  );

  it.each(ids)('%s names %s, if that is the one that is wrong', async (_, id, endpoint) => {
    const { status, text } = await call(endpoint, headersOf['the owner’s key'], id);
    expect([status, JSON.parse(text)]).toEqual([
      404,
      expect.objectContaining({
        error: 'not_found',
        field: `/${id}`,
        message: `Nothing with this \`${id}\` exists, or it belongs to another owner.`,
      }),
    ]);
  });
});

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
        if (!endpoint || LEFT_OUT[caller] === name) continue;
        const answer = await call(endpoint, headersOf[caller]);
        expected[name] = CALLERS[caller][guardOf(endpoint)];
        outcomes[name] = outcomeOf(answer);
        if (before) expect([name, ...secrets.filter((text) => answer.text.includes(text))]).toEqual([name]);
      }
      expect(outcomes).toEqual(expected);
      if (before) expect(await state()).toEqual(before);
    },
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
