import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { hashApiKey, newApiKey } from '../../../shared/accounts/api-key.ts';
import { countTestMails } from '../../../shared/accounts/test-mail-limit.ts';
import type { Mode } from '../../../shared/contract/fields.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { attemptCode, MAX_ATTEMPTS } from '../../../shared/requests/codes.ts';
import { choicesIn } from '../../../shared/requests/creating.ts';
import { invitationsReported } from '../../../shared/requests/inviting.ts';
import { accountEventsAfter } from '../../../shared/store/account-log.ts';
import { addKey } from '../../../shared/store/api-keys.ts';
import { appSessionWrite } from '../../../shared/store/app-sessions.ts';
import { claimDelivery, outcomeWrite } from '../../../shared/store/deliveries.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { loadRequest } from '../../../shared/store/requests.ts';
import { Table } from '../../../shared/store/table.ts';
import { addUser } from '../../../shared/store/users.ts';
import { newAppSession } from '../../../shared/verification/sign-in/app-session.ts';
import { createEndpoint } from '../../../shared/webhooks/endpoints.ts';
import { call, functionEnvironment, httpEvent, jsonBody } from '../../support/http-call.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { NOON, OWNER, VISITOR } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

/** Decisions of the functions themselves, each with the table in memory. */

const memory = new MemoryDynamo();
const { table } = memory;
const ANY = 'any';

/** A function reads its settings when it is loaded. */
async function handlerOf(name: string, area = 'api'): Promise<unknown> {
  functionEnvironment();
  for (const setting of [
    'STAGING_BUCKET',
    'MAIL_QUEUE_URL',
    'MAIL_FROM',
    'MAIL_CONFIGURATION_SET',
    'WEBHOOK_KEY_ARN',
  ])
    process.env[setting] = ANY;
  const { handler } = await import(`../../../functions/${area}/${name}.ts`);
  return handler;
}

/** The header of a new key of an owner without a subscription. */
async function keyOf(ownerId: string, mode: Mode): Promise<Record<string, string>> {
  const key = newApiKey(mode);
  await addOwner(table, ownerItem({ id: ownerId, subscription: 'none' }));
  await addKey(table, ownerId, { ...hashApiKey(key), mode, createdAt: NOON.toISOString() });
  return { Authorization: `Bearer ${key}` };
}

const LIVE = { ownerId: 'owner-1', mode: 'live' } as const;

async function newEndpoint() {
  const parts = { table, owner: LIVE, now: NOON, encrypt: async () => ANY };
  return (await createEndpoint({ url: 'https://hooks.example.com' }, parts)).endpoint;
}

/** Attempts of an endpoint, each of another event. */
async function delivered(endpointId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const claim = {
      ...LIVE,
      eventId: `evt_${n}`,
      eventType: 'signer.signed',
      endpointId,
      requestId: 'request-1',
      attemptedAt: new Date(NOON.getTime() - n).toISOString(),
    } as const;
    await claimDelivery(table, claim);
    const outcome = { outcome: 'delivered', httpStatus: 204, durationMs: 1, error: null } as const;
    await table.transact([outcomeWrite(claim, outcome)]);
  }
}

beforeEach(() => {
  virtualTime(NOON);
  memory.clear();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('the service is not well where its table cannot be read', async () => {
  const handler = await handlerOf('health');
  expect((await call(handler, httpEvent())).statusCode).toBe(200);
  jest.spyOn(Table.prototype, 'get').mockRejectedValueOnce(new Error('The table is out of order.'));
  expect((await call(handler, httpEvent())).statusCode).toBe(500);
});

it('nobody uploads a document for a live request without a subscription', async () => {
  const headers = await keyOf('owner-1', 'live');
  const { statusCode, body } = await call(await handlerOf('create-upload'), httpEvent({ headers }));
  expect([statusCode, JSON.parse(body).error]).toEqual([402, 'subscription_required']);
  expect(memory.items.filter(({ pk }) => String(pk).startsWith('UPLOAD#'))).toEqual([]);
});

it.each([
  ['create-webhook-endpoint', null],
  ['update-webhook-endpoint', { id: 'we_3f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a13' }],
])('%s names an address that may not be called beside other faults', async (name, pathParameters) => {
  const headers = { ...(await keyOf('owner-1', 'test')), 'Content-Type': 'application/json' };
  const sent = { url: 'https://10.0.0.1/', event_types: ['all'], description: 'x'.repeat(201) };
  const event = httpEvent({ headers, body: JSON.stringify(sent), ...(pathParameters && { pathParameters }) });
  const { statusCode, body } = await call(await handlerOf(name), event);
  const { errors, error } = JSON.parse(body);
  expect([statusCode, error]).toEqual([400, 'invalid_url']);
  expect(errors).toMatchObject([
    { error: 'invalid_url', message: 'url must point to a public address.', field: '/url' },
    { error: 'invalid_event_types', field: '/event_types/0' },
    { error: 'invalid_description', field: '/description' },
  ]);
});

it('what a user does to webhook endpoints on the dashboard is in the log of the account, and no client’s call is', async () => {
  const mia = ownerItem({
    id: 'bbbbbbbb-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
    type: 'user',
    name: 'mia@example.com',
  });
  await addUser(table, mia);
  const { session, cookie } = newAppSession(mia.id, VISITOR, NOON);
  await table.transact([appSessionWrite(session)]);
  const kms = mockClient(KMSClient);
  kms.on(EncryptCommand).resolves({ CiphertextBlob: Buffer.from('secret') });
  const clients = await keyOf('owner-1', 'live');
  const browsers = { Cookie: cookie.split(';')[0] ?? '', 'X-Requested-With': 'app', 'X-Owner': 'user' };
  const ids = [];
  for (const headers of [clients, browsers]) {
    const make = async (name: string, sent: object, pathParameters?: Record<string, string>) => {
      const json = jsonBody(sent);
      const event = httpEvent({
        ...json,
        headers: { ...json.headers, ...headers },
        ...(pathParameters && { pathParameters }),
      });
      const { statusCode, body } = await call(await handlerOf(name), event);
      expect(statusCode).toBeLessThan(300);
      return JSON.parse(body);
    };
    const { id } = await make('create-webhook-endpoint', { url: 'https://hooks.example.com/secret' });
    ids.push(id);
    const paused = { disabled: true };
    await make('update-webhook-endpoint', paused, { id });
    await make('update-webhook-endpoint', paused, { id });
    await make('delete-webhook-endpoint', {}, { id });
  }
  const since = new Date(0).toISOString();
  const logged = await accountEventsAfter(table, mia.id, since);
  expect(logged.map(({ type }) => type).toSorted()).toEqual([
    'webhook_changed',
    'webhook_created',
    'webhook_deleted',
  ]);
  const details = { webhook_endpoint_id: ids[1], mode: 'live', host: 'hooks.example.com' };
  for (const event of logged) expect(event).toMatchObject({ userId: mia.id, details });
  expect(await accountEventsAfter(table, 'owner-1', since)).toEqual([]);
});

it('a page of deliveries with their bodies is short, whatever was asked for, and leads to the next', async () => {
  const headers = await keyOf('owner-1', 'live');
  const endpoint = await newEndpoint();
  await delivered(endpoint.id, LIMITS.deliveriesWithBodies + 1);
  const query = { limit: ['100'], include: ['bodies'] };
  const event = httpEvent({ headers, pathParameters: { id: endpoint.id }, query });
  const { body } = await call(await handlerOf('list-webhook-deliveries'), event);
  const { data, has_more } = JSON.parse(body);
  expect([data.length, has_more]).toEqual([LIMITS.deliveriesWithBodies, true]);
});

it('a correction counts the new address among those that test requests may mail in a day', async () => {
  const headers = await keyOf('owner-1', 'test');
  const stored = await storedRequest(table, 1, { owner: { ...OWNER, id: 'owner-1', mode: 'test' } });
  await changed(table, stored.state.id, invitationsReported);
  const before = await loadRequest(table, stored.state.id);
  const addresses = Array.from({ length: LIMITS.testAddressesPerDay - 1 }, (_, n) => `s${n}@example.com`);
  const sender = { ownerId: 'owner-1', mode: 'test', subscription: 'none' } as const;
  // The signer's own address is counted already.
  await countTestMails(table, sender, [...addresses, stored.signers[0]?.email ?? ''], NOON);
  const given = jsonBody({ email: 'one-more@example.com' });
  const event = httpEvent({
    ...given,
    headers: { ...given.headers, ...headers },
    pathParameters: { id: stored.state.id, signer_id: stored.signers[0]?.id ?? '' },
  });
  const { statusCode, body } = await call(await handlerOf('correct-signer'), event);
  expect([statusCode, JSON.parse(body).error]).toEqual([429, 'too_many_requests']);
  expect(await loadRequest(table, stored.state.id)).toEqual(before);
});

const testMails = () => memory.items.filter(({ pk }) => String(pk).startsWith('TESTMAILS#'));

it('a locked signer who asks for a code takes no place among the mails of test mode', async () => {
  await addOwner(table, ownerItem({ id: 'owner-1', subscription: 'none' }));
  const stored = await storedRequest(table, 1, { owner: { ...OWNER, id: 'owner-1', mode: 'test' } });
  const [signer] = stored.signers;
  const guess = { signerId: signer?.id ?? '', visitor: VISITOR, codeHash: 'hash', opens: null };
  for (let n = 0; n < MAX_ATTEMPTS; n += 1)
    await changed(table, stored.state.id, (request, now) => attemptCode(request, guess, now));
  const event = httpEvent({ headers: { 'X-Signing-Token': signer?.accessToken ?? '' } });
  const { statusCode, body } = await call(await handlerOf('send-code', 'signing'), event);
  expect([statusCode, JSON.parse(body).error]).toEqual([429, 'locked']);
  expect(testMails()).toEqual([]);
});

it('a correction to the address of another signer takes no place among the mails of test mode', async () => {
  const headers = await keyOf('owner-1', 'test');
  const stored = await storedRequest(table, 2, { owner: { ...OWNER, id: 'owner-1', mode: 'test' } });
  await changed(table, stored.state.id, invitationsReported);
  const [signer, other] = stored.signers;
  const given = jsonBody({ email: other?.email });
  const event = httpEvent({
    ...given,
    headers: { ...given.headers, ...headers },
    pathParameters: { id: stored.state.id, signer_id: signer?.id ?? '' },
  });
  const { statusCode, body } = await call(await handlerOf('correct-signer'), event);
  expect([statusCode, JSON.parse(body).error]).toEqual([409, 'duplicate_signer']);
  expect(testMails()).toEqual([]);
});

it.each([
  ['status', 'sent', 'opened'],
  ['created_from', '2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'],
  ['created_to', '2026-11-23T00:00:00Z', '2026-11-22T00:00:00Z'],
  ['reference', 'flat 1', 'flat 2'],
  ['signer_email', 'signer0@example.com', 'signer1@example.com'],
  ['title_prefix', 'con', 'cont'],
])('a cursor of the list of requests is valid with the same %s only', async (filter, value, other) => {
  const headers = await keyOf('owner-1', 'live');
  const choices = choicesIn({ title: 'Contract', reference: 'flat 1' });
  for (const _ of [1, 2]) await storedRequest(table, 1, { owner: { ...OWNER, id: 'owner-1' }, ...choices });
  const ask = async (query: Record<string, string[]>) => {
    const event = httpEvent({ headers, query: { limit: ['1'], ...query } });
    return JSON.parse((await call(await handlerOf('list-signatures'), event)).body);
  };
  const { next_cursor: cursor } = await ask({ [filter]: [value] });
  expect(cursor).toEqual(expect.any(String));
  expect(await ask({ [filter]: [value], cursor: [cursor] })).toMatchObject({ data: [expect.anything()] });
  for (const changed of [{ [filter]: [other] }, {}])
    expect(await ask({ ...changed, cursor: [cursor] })).toMatchObject({ error: 'invalid_cursor' });
});

it('a cursor is valid for its own list only: of one mode, one request, one endpoint', async () => {
  const headers = await keyOf('owner-1', 'live');
  const testKey = newApiKey('test');
  await addKey(table, 'owner-1', { ...hashApiKey(testKey), mode: 'test', createdAt: NOON.toISOString() });
  const owner = { ...OWNER, id: 'owner-1' };
  const first = await storedRequest(table, 1, { owner, id: '3f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a13' });
  const second = await storedRequest(table, 1, { owner, id: '3f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a14' });
  for (const { state } of [first, second]) await changed(table, state.id, invitationsReported);
  const [hook, otherHook] = [await newEndpoint(), await newEndpoint()];
  await delivered(hook.id, 2);
  const ask = async (name: string, id?: string, cursor?: string, sent = headers) => {
    const query = { limit: ['1'], ...(cursor && { cursor: [cursor] }) };
    const event = httpEvent({ headers: sent, query, ...(id && { pathParameters: { id } }) });
    return JSON.parse((await call(await handlerOf(name), event)).body);
  };
  const inTestMode = { Authorization: `Bearer ${testKey}` };
  for (const [name, id, otherId, otherHeaders] of [
    ['list-signatures', undefined, undefined, inTestMode],
    ['list-events', first.state.id, second.state.id, headers],
    ['list-webhook-deliveries', hook.id, otherHook.id, headers],
  ] as const) {
    const { next_cursor } = await ask(name, id);
    expect(next_cursor).toEqual(expect.any(String));
    expect(await ask(name, id, next_cursor)).toMatchObject({ data: [expect.anything()] });
    expect(await ask(name, otherId, next_cursor, otherHeaders)).toMatchObject({ error: 'invalid_cursor' });
  }
});
