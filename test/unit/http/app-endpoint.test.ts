import { jest } from '@jest/globals';
import { addMember, changeRole } from '../../../shared/accounts/members.ts';
import { getBrand, getMe } from '../../../shared/contract/app.ts';
import type { Role } from '../../../shared/contract/fields.ts';
import { cancelSignature } from '../../../shared/contract/signatures.ts';
import { listWebhookEndpoints } from '../../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../../shared/http/api-endpoint.ts';
import {
  type Administrator,
  adminRoute,
  byOf,
  organizationOf,
  userRoute,
} from '../../../shared/http/app-endpoint.ts';
import { HOUR } from '../../../shared/runtime/time.ts';
import { appSessionWrite } from '../../../shared/store/app-sessions.ts';
import { ownerKey } from '../../../shared/store/keys.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { addUser } from '../../../shared/store/users.ts';
import { newAppSession } from '../../../shared/verification/sign-in/app-session.ts';
import { captureLog } from '../../support/captured-log.ts';
import { call, functionEnvironment, httpEvent } from '../../support/http-call.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { NOON, VISITOR } from '../../support/requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const ORG = 'aaaaaaaa-1e0f-4a9b-8c7d-6e5f4a3b2c1d';
const MIA = ownerItem({
  id: 'bbbbbbbb-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
  type: 'user',
  name: 'mia@example.com',
});
const BY = { userId: 'operator', visitor: VISITOR, now: NOON };
const memory = new MemoryDynamo();
const { table } = memory;
/** Of Mia's browser. */
let headers: Record<string, string>;
let lines: Record<string, unknown>[];

beforeAll(() => functionEnvironment());
beforeEach(async () => {
  memory.clear();
  virtualTime(NOON);
  lines = captureLog();
  const { session, cookie } = newAppSession(MIA.id, VISITOR, NOON);
  await addUser(table, MIA);
  await table.transact([appSessionWrite(session)]);
  headers = { Cookie: cookie.split(';')[0] ?? '', 'X-Requested-With': 'app' };
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Mia is a member of an organization that has an admin. */
async function joins(role: Role): Promise<void> {
  await addOwner(table, ownerItem({ id: ORG, name: 'Acme' }));
  await addMember(table, ORG, { email: 'ann@example.com', role: 'admin' }, BY);
  await addMember(table, ORG, { email: MIA.name, role }, BY);
}

const answer = async (handler: unknown, more: Record<string, string> = {}) => {
  const event = httpEvent({ headers: { ...headers, ...more }, pathParameters: { id: ORG } });
  const { statusCode, body, headers: answered } = await call(handler, event);
  return { answer: [statusCode, JSON.parse(body).error], headers: answered };
};
const statusOf = async (...given: Parameters<typeof answer>) => (await answer(...given)).answer;
/** Answers whom a call is for, where the contract has something else. */
const told = (input: { json: unknown }, value: unknown) => (input.json as (value: unknown) => never)(value);

describe('a call of the dashboard', () => {
  const users: unknown[] = [];
  const { handler } = userRoute(table, getMe, async (input) => {
    users.push(input.caller.user);
    return told(input, {});
  });

  it('a call of the dashboard is the user’s whose session the browser has, and no address of it is told to other sites', async () => {
    const { answer: given, headers: answered } = await answer(handler, { 'X-User': MIA.id });
    expect([given, answered['Referrer-Policy']]).toEqual([[200, undefined], 'no-referrer']);
    expect(users.at(-1)).toEqual(MIA);
    expect(lines.at(-1)).toMatchObject({ user_id: MIA.id });
  });

  it.each([
    ['comes from another site', { 'X-Requested-With': 'XMLHttpRequest' }],
    ['has no session', { Cookie: '' }],
    ['is of a page of another user', { 'X-User': ORG }],
  ])('a call of the dashboard that %s needs a sign-in', async (_what, changes) => {
    expect(await statusOf(handler, changes)).toEqual([401, 'sign_in_required']);
  });

  it('a call of the dashboard needs a sign-in once the session has ended, or the user is gone', async () => {
    jest.setSystemTime(NOON.getTime() + 12 * HOUR);
    expect(await statusOf(handler)).toEqual([401, 'sign_in_required']);
    jest.setSystemTime(NOON);
    await table.delete(ownerKey(MIA.id));
    expect(await statusOf(handler)).toEqual([401, 'sign_in_required']);
  });
});

describe('a call of an administrator', () => {
  let administrator: Administrator | undefined;
  const { handler } = adminRoute(table, getBrand, async (input) => {
    administrator = input.caller;
    expect(byOf(input)).toMatchObject({ userId: MIA.id, now: NOON, permit: input.caller.permit });
    return told(input, {});
  });

  it('a call of an administrator is for the user or for an organization of which they are an admin, and no other', async () => {
    expect(await statusOf(handler, { 'X-Owner': 'user' })).toEqual([200, undefined]);
    expect(administrator?.owner).toEqual(MIA);
    expect(await statusOf(handler, { 'X-Owner': ORG })).toEqual([404, 'not_found']);
    await joins('admin');
    expect(await statusOf(handler, { 'X-Owner': ORG })).toEqual([200, undefined]);
    expect(administrator).toMatchObject({ owner: { id: ORG }, user: { id: MIA.id } });
    expect(lines.at(-1)).toMatchObject({ user_id: MIA.id, owner_id: ORG });
  });

  it('a call of an administrator is refused to a member, also from the moment at which they become one', async () => {
    await joins('admin');
    await answer(handler, { 'X-Owner': ORG });
    await expect(administrator?.permit()).resolves.toMatchObject({ id: ORG });
    await changeRole(table, ORG, { userId: MIA.id, role: 'member' }, BY);
    await expect(administrator?.permit()).rejects.toMatchObject({ code: 'admin_required' });
    expect(await statusOf(handler, { 'X-Owner': ORG })).toEqual([403, 'admin_required']);
  });

  it('a call about members needs an organization as the owner', async () => {
    await joins('admin');
    await answer(handler, { 'X-Owner': ORG });
    expect(administrator && organizationOf(administrator)).toBe(ORG);
    await answer(handler, { 'X-Owner': 'user' });
    expect(() => administrator && organizationOf(administrator)).toThrow('Only organizations');
  });
});

describe('a call of the client API on the dashboard', () => {
  const callers: unknown[] = [];
  const cancels = () =>
    apiEndpoint(cancelSignature, async (input) => {
      callers.push(input.caller);
      return told(input, {});
    });
  const lists = () => apiEndpoint(listWebhookEndpoints, async (input) => told(input, {}));

  it('a call of the client API on the dashboard is for the owner and in the mode that its headers name', async () => {
    await joins('member');
    expect(await statusOf(cancels(), { 'X-Owner': ORG })).toEqual([200, undefined]);
    const user = { id: MIA.id, email: MIA.name };
    expect(callers.at(-1)).toMatchObject({ ownerId: ORG, ownerName: 'Acme', mode: 'live', user });
    expect(await statusOf(cancels(), { 'X-Owner': 'user', 'X-Mode': 'test' })).toEqual([200, undefined]);
    expect(callers.at(-1)).toMatchObject({ ownerId: MIA.id, mode: 'test', user });
    expect(await statusOf(cancels(), { 'X-Owner': 'user', 'X-Mode': 'Live' })).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it.each([
    ['X-Owner', {}],
    ['X-Mode', { 'X-Owner': 'user', 'X-Mode': 'Live' }],
  ])(
    'a call of the client API on the dashboard without a usable %s is refused with the header as the field',
    async (name, more) => {
      const event = httpEvent({ headers: { ...headers, ...more }, pathParameters: { id: ORG } });
      const { statusCode, body } = await call(cancels(), event);
      expect([statusCode, JSON.parse(body)]).toMatchObject([
        400,
        { error: 'invalid_request', field: `/${name.toLowerCase()}`, message: expect.stringContaining(name) },
      ]);
    },
  );

  it('a call of the client API that only admins may make is refused to members', async () => {
    await joins('member');
    expect(await statusOf(lists(), { 'X-Owner': ORG })).toEqual([403, 'admin_required']);
    expect(await statusOf(lists(), { 'X-Owner': 'user' })).toEqual([200, undefined]);
  });

  it('a call of the client API counts by its key if it has one, and needs one if another site may have sent it', async () => {
    expect(await statusOf(cancels(), { Authorization: 'Bearer x' })).toEqual([401, 'unauthorized']);
    expect(await statusOf(cancels(), { 'X-Requested-With': '' })).toEqual([401, 'unauthorized']);
  });
});
