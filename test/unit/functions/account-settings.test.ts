import { jest } from '@jest/globals';
import { encode } from 'fast-png';
import { settingsRoutes } from '../../../functions/app/account/settings.ts';
import { countTestMails } from '../../../shared/accounts/test-mail-limit.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { accountEventsAfter } from '../../../shared/store/account-log.ts';
import { appSessionWrite } from '../../../shared/store/app-sessions.ts';
import { changeOwner, findOwner } from '../../../shared/store/owners.ts';
import { addUser } from '../../../shared/store/users.ts';
import { newAppSession } from '../../../shared/verification/sign-in/app-session.ts';
import { captureLog } from '../../support/captured-log.ts';
import { call, functionEnvironment, httpEvent, jsonBody } from '../../support/http-call.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { NOON, VISITOR } from '../../support/requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const MIA = ownerItem({ id: 'bbbbbbbb-1e0f-4a9b-8c7d-6e5f4a3b2c1d', type: 'user', name: 'mia@example.com' });
const memory = new MemoryDynamo();
const { table } = memory;
const LOGO = Buffer.from(encode({ width: 1, height: 1, channels: 3, data: new Uint8Array(3) }));
/** Of Mia's browser. */
let headers: Record<string, string>;

async function change(name: string, body: object) {
  const json = jsonBody(body);
  const event = httpEvent({ ...json, headers: { ...json.headers, 'X-Owner': 'user', ...headers } });
  const route = settingsRoutes(table).find(({ endpoint }) => endpoint.name === name);
  const answer = await call(route?.handler, event);
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
}

const events = async () =>
  (await accountEventsAfter(table, MIA.id, new Date(0).toISOString())).map(({ type }) => type);

beforeAll(() => functionEnvironment());
beforeEach(async () => {
  memory.clear();
  virtualTime(NOON);
  captureLog();
  await addUser(table, MIA);
  const { session, cookie } = newAppSession(MIA.id, VISITOR, NOON);
  await table.transact([appSessionWrite(session)]);
  headers = { Cookie: cookie.split(';')[0] ?? '', 'X-Requested-With': 'app' };
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it.each([
  ['brand', 'update-brand', 'brand_changed', { accent: '#0b5a53', logo_png_base64: LOGO.toString('base64') }],
  ['notices', 'update-notices', 'notices_changed', { notify: 'desk@example.com', reminders: false }],
])(
  'a change of the %s that is sent again has the same answer, and is logged once',
  async (_what, name, type, body) => {
    const first = await change(name, body);
    expect(first.status).toBe(200);
    const { version } = (await findOwner(table, MIA.id)) ?? {};
    expect(await change(name, body)).toEqual(first);
    expect(await events()).toEqual([type]);
    expect(await findOwner(table, MIA.id)).toMatchObject({ version });
  },
);

it('an address of notices counts among those that an owner without a subscription may have mailed in a day', async () => {
  await changeOwner(table, MIA.id, 'user', { subscription: 'none' });
  const sender = { ownerId: MIA.id, mode: 'test', subscription: 'none' } as const;
  const addresses = Array.from({ length: LIMITS.testAddressesPerDay - 1 }, (_, n) => `s${n}@example.com`);
  await countTestMails(table, sender, addresses, NOON);
  const notify = async (address: string | null) =>
    (await change('update-notices', { notify: address })).status;
  expect(await notify('desk@example.com')).toBe(200);
  expect(await notify('one-more@example.com')).toBe(429);
  expect(await findOwner(table, MIA.id)).toMatchObject({ notify: 'desk@example.com' });
  expect(await notify(null)).toBe(200);
});

it('the address that notices go to already is not counted when it is sent again', async () => {
  await changeOwner(table, MIA.id, 'user', { subscription: 'none' });
  expect((await change('update-notices', { notify: MIA.name })).status).toBe(200);
  expect(memory.items.filter(({ sk }) => sk === 'TESTMAILS')).toEqual([]);
});
