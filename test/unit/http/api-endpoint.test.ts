import { jest } from '@jest/globals';
import { hashApiKey, newApiKey } from '../../../shared/accounts/api-key.ts';
import { cancelSignature } from '../../../shared/contract/signatures.ts';
import { type ApiCall, apiEndpoint } from '../../../shared/http/api-endpoint.ts';
import { addKey, revokeKey } from '../../../shared/store/api-keys.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { captureLog } from '../../support/captured-log.ts';
import { call, functionEnvironment, httpEvent } from '../../support/http-call.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { NOON } from '../../support/requests.ts';

const ID = '3f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a13';
const KEY = newApiKey('test');
const CANCELLED = { id: ID, status: 'cancelled', cancelled_at: NOON.toISOString() } as const;
const memory = new MemoryDynamo();
let lines: Record<string, unknown>[];

beforeAll(() => functionEnvironment());
beforeEach(async () => {
  lines = captureLog();
  memory.clear();
  const owner = ownerItem({ name: 'Acme' });
  await addOwner(memory.table, owner);
  await addKey(memory.table, owner.id, { ...hashApiKey(KEY), mode: 'test', createdAt: NOON.toISOString() });
});
afterEach(() => jest.restoreAllMocks());

const calls: ApiCall<typeof cancelSignature>[] = [];
const handler = () =>
  apiEndpoint(cancelSignature, async (input) => {
    calls.push(input);
    return input.json(CANCELLED);
  });
const event = (authorization?: string) =>
  httpEvent({ pathParameters: { id: ID }, headers: authorization ? { Authorization: authorization } : {} });

describe('endpoints for API clients', () => {
  it('a valid API key identifies the caller', async () => {
    expect(await call(handler(), event(`Bearer ${KEY}`))).toMatchObject({
      statusCode: 200,
      body: JSON.stringify(CANCELLED),
    });
    const { caller, params, table } = calls.at(-1) ?? {};
    expect(caller).toMatchObject({ ownerId: 'owner-1', ownerName: 'Acme', mode: 'test' });
    expect(params).toEqual({ id: ID });
    expect(await table?.get({ pk: 'OWNER#owner-1', sk: 'OWNER' })).toMatchObject({ name: 'Acme' });
    expect(lines.at(-1)).toMatchObject({ owner_id: 'owner-1', mode: 'test', status: 200 });
  });

  it.each([
    ['no key', undefined],
    ['another key', `Bearer ${newApiKey('test')}`],
    ['no key at all in the header', 'Basic abc'],
  ])('a call with %s gets 401', async (_what, authorization) => {
    const { statusCode, body } = await call(handler(), event(authorization));
    expect([statusCode, JSON.parse(body).error]).toEqual([401, 'unauthorized']);
  });

  it('an error holds the address of its code’s documentation', async () => {
    const { body } = await call(handler(), event());
    expect(JSON.parse(body).docs).toBe('https://sign.example.com/docs/errors#unauthorized');
  });

  it('a revoked key stops working at once', async () => {
    await revokeKey(memory.table, hashApiKey(KEY).keyId, NOON.toISOString());
    expect((await call(handler(), event(`Bearer ${KEY}`))).statusCode).toBe(401);
  });

  it('a body from elsewhere is read only for a known caller', async () => {
    const bodies: unknown[] = [];
    const large = apiEndpoint(
      cancelSignature,
      async ({ body, json }) => {
        bodies.push(body);
        return json(CANCELLED);
      },
      { readBody: async () => '{"reason":"from elsewhere"}' },
    );
    const headers = { 'Content-Type': 'application/json' };
    const pathParameters = { id: ID };
    expect((await call(large, httpEvent({ headers, pathParameters }))).statusCode).toBe(401);
    await call(large, httpEvent({ headers: { ...headers, authorization: `Bearer ${KEY}` }, pathParameters }));
    expect(bodies).toEqual([{ reason: 'from elsewhere' }]);
  });
});
