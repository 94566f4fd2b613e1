import { jest } from '@jest/globals';
import { keyRoutes } from '../../../functions/app/account/keys.ts';
import { addMember, changeRole } from '../../../shared/accounts/members.ts';
import type { Mode } from '../../../shared/contract/fields.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { accountEventsAfter } from '../../../shared/store/account-log.ts';
import { addKey, findApiKey, MAX_KEYS, revokeKey } from '../../../shared/store/api-keys.ts';
import { appSessionWrite } from '../../../shared/store/app-sessions.ts';
import { ownerKey } from '../../../shared/store/keys.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { addUser } from '../../../shared/store/users.ts';
import { newAppSession } from '../../../shared/verification/sign-in/app-session.ts';
import { captureLog } from '../../support/captured-log.ts';
import { call, functionEnvironment, httpEvent, jsonBody } from '../../support/http-call.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { at, NOON, VISITOR } from '../../support/requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const ORG = 'aaaaaaaa-1e0f-4a9b-8c7d-6e5f4a3b2c1d';
const MIA = ownerItem({ id: 'bbbbbbbb-1e0f-4a9b-8c7d-6e5f4a3b2c1d', type: 'user', name: 'mia@example.com' });
const BY = { userId: 'operator', visitor: VISITOR, now: NOON };
const AT = NOON.toISOString();
const memory = new MemoryDynamo();
const { table } = memory;
/** Of the browser of Mia, an admin of the organization. */
let headers: Record<string, string>;

const minutesLater = (minutes: number) => at(minutes * MINUTE).toISOString();

async function request(name: string, params: Record<string, string> = {}, body?: object) {
  const json = body && jsonBody(body);
  const event = httpEvent({
    ...json,
    headers: { ...json?.headers, 'X-Owner': ORG, ...headers },
    pathParameters: params,
  });
  const route = keyRoutes(table).find(({ endpoint }) => endpoint.name === name);
  const answer = await call(route?.handler, event);
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
}
const create = (body: object) => request('create-api-key', {}, body);
const revoke = (keyId: string) => request('revoke-api-key', { key_id: keyId });
const list = () => request('list-api-keys');

const keep = (keyId: string, createdAt = AT, ownerId = ORG, mode: Mode = 'live') =>
  addKey(table, ownerId, { keyId, hash: 'h', mode, createdAt });

const keyEvents = async () =>
  (await accountEventsAfter(table, ORG, new Date(0).toISOString())).filter(({ type }) =>
    type.startsWith('key_'),
  );

/** Takes Mia's role away just before the next write. */
function demoteBeforeWrite(): void {
  jest.setTimerTickMode({ mode: 'nextAsync' });
  memory.beforeWrites.push(async () => {
    await changeRole(table, ORG, { userId: MIA.id, role: 'member' }, BY);
  });
}

beforeAll(() => functionEnvironment());
beforeEach(async () => {
  memory.clear();
  captureLog();
  virtualTime(NOON);
  const { session, cookie } = newAppSession(MIA.id, VISITOR, NOON);
  await addUser(table, MIA);
  await table.transact([appSessionWrite(session)]);
  await addOwner(table, ownerItem({ id: ORG }));
  await addMember(table, ORG, { email: 'ann@example.com', role: 'admin' }, BY);
  await addMember(table, ORG, { email: MIA.name, role: 'admin' }, BY);
  headers = { Cookie: cookie.split(';')[0] ?? '', 'X-Requested-With': 'app' };
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('creating an API key', () => {
  it.each([
    ['a live key unless a test key is asked for', { name: 'Shop' }, 'live'],
    ['a test key', { name: 'Shop', test: true }, 'test'],
  ] as const)('makes %s, answers it whole and logs its creator', async (_what, body, mode) => {
    const { status, body: made } = await create(body);
    expect([status, made]).toEqual([
      200,
      {
        key_id: expect.any(String),
        api_key: expect.stringMatching(`^esk_${mode}_`),
        prefix: expect.stringMatching(`^esk_${mode}_`),
        name: 'Shop',
        test: mode === 'test',
        created_at: AT,
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    expect(await findApiKey(table, made.key_id)).toMatchObject({ ownerId: ORG, mode });
    expect(await keyEvents()).toMatchObject([
      { type: 'key_created', at: AT, userId: MIA.id, details: { key_id: made.key_id, name: 'Shop' } },
    ]);
    expect((await list()).body.data).toMatchObject([{ key_id: made.key_id, created_at: AT }]);
  });

  it('is refused beyond the number of keys that an owner may have', async () => {
    for (let n = 0; n < MAX_KEYS; n += 1) await keep(`key-${n}`);
    expect(await create({ name: 'Shop' })).toMatchObject({ status: 409, body: { error: 'too_many_keys' } });
  });

  it('is refused to a user who is erased during the call', async () => {
    headers['X-Owner'] = 'user';
    jest.setTimerTickMode({ mode: 'nextAsync' });
    memory.beforeWrites.push(() => table.delete(ownerKey(MIA.id)));
    expect(await create({ name: 'Orders' })).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('is refused to an admin whose role ends during the call', async () => {
    demoteBeforeWrite();
    expect(await create({ name: 'Shop' })).toMatchObject({ status: 403, body: { error: 'admin_required' } });
    expect(await keyEvents()).toEqual([]);
  });
});

describe('listing API keys', () => {
  it('shows all that work and the newest of the revoked, oldest first', async () => {
    await keep('works', AT, ORG, 'test');
    for (let n = 1; n <= MAX_KEYS + 2; n += 1) {
      await keep(`revoked-${n}`, minutesLater(n));
      await revokeKey(table, `revoked-${n}`, minutesLater(n));
    }
    const { data } = (await list()).body;
    expect(data).toHaveLength(1 + MAX_KEYS);
    expect(data[0]).toEqual({
      key_id: 'works',
      name: null,
      prefix: null,
      test: true,
      created_at: AT,
      last_used_at: null,
      revoked_at: null,
    });
    expect(data[1]).toMatchObject({ key_id: 'revoked-3', test: false, revoked_at: minutesLater(3) });
    expect(data.at(-1)).toMatchObject({ key_id: `revoked-${MAX_KEYS + 2}` });
  });
});

describe('revoking an API key', () => {
  it('ends the key, logs who did it, and answers the first time when it is repeated', async () => {
    await keep('key-1');
    expect(await revoke('key-1')).toEqual({ status: 200, body: { key_id: 'key-1', revoked_at: AT } });
    expect(await findApiKey(table, 'key-1')).toMatchObject({ revokedAt: AT });
    jest.setSystemTime(NOON.getTime() + MINUTE);
    expect((await revoke('key-1')).body).toMatchObject({ revoked_at: AT });
    expect(await keyEvents()).toMatchObject([
      { type: 'key_revoked', userId: MIA.id, details: { key_id: 'key-1' } },
    ]);
  });

  it('is refused for a key of another owner, which keeps working, and for one that does not exist', async () => {
    await addOwner(table, ownerItem({ id: 'rivals' }));
    await keep('ours');
    await keep('theirs', AT, 'rivals');
    for (const id of ['theirs', 'unknown'])
      expect(await revoke(id)).toMatchObject({ status: 404, body: { message: 'There is no such API key.' } });
    expect(await findApiKey(table, 'theirs')).toMatchObject({ revokedAt: null });
  });

  it('is refused to an admin whose role ends during the call', async () => {
    await keep('key-1');
    demoteBeforeWrite();
    expect(await revoke('key-1')).toMatchObject({ status: 403, body: { error: 'admin_required' } });
    expect(await findApiKey(table, 'key-1')).toMatchObject({ revokedAt: null });
  });
});
