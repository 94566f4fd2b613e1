import { jest } from '@jest/globals';
import fc from 'fast-check';
import { eraseUser } from '../../admin/user-erase.ts';
import { keyRoutes } from '../../functions/app/account/keys.ts';
import { memberRoutes } from '../../functions/app/account/members.ts';
import { sessionRoutes } from '../../functions/app/account/sessions.ts';
import { settingsRoutes } from '../../functions/app/account/settings.ts';
import { addMember } from '../../shared/accounts/members.ts';
import { ApiError } from '../../shared/contract/api-error.ts';
import { ROLES, type Role } from '../../shared/contract/fields.ts';
import { routed } from '../../shared/http/router.ts';
import { type ApiKey, addKey, findApiKey } from '../../shared/store/api-keys.ts';
import { appSessionWrite } from '../../shared/store/app-sessions.ts';
import { listMembers, organizationsOf } from '../../shared/store/members.ts';
import { addOwner, loadAccount } from '../../shared/store/owners.ts';
import { addUser, findUser } from '../../shared/store/users.ts';
import { newAppSession } from '../../shared/verification/sign-in/app-session.ts';
import { mailSignInCode } from '../../shared/verification/sign-in/mail-code.ts';
import { requestSignInCode } from '../../shared/verification/sign-in/request-code.ts';
import { signIn } from '../../shared/verification/sign-in/sign-in.ts';
import { FakeMailer } from '../support/fake-mailer.ts';
import { call, functionEnvironment, httpEvent, jsonBody } from '../support/http-call.ts';
import { MemoryDynamo } from '../support/memory-dynamo.ts';
import { operatorOf } from '../support/operator-terminal.ts';
import { ownerItem } from '../support/owners.ts';
import { always } from '../support/property.ts';
import { Races, SOME_RACES, seeds } from '../support/races.ts';
import { NOON, VISITOR } from '../support/requests.ts';
import { skipPauses } from '../support/virtual-time.ts';

const ORG = 'aaaaaaaa-1e0f-4a9b-8c7d-6e5f4a3b2c1d';
const KEY = 'cccccccccccccccc';
/** Two admins, a member, and somebody who can become one. Nobody knows Eve yet. */
const PEOPLE = ['ann', 'bob', 'cid', 'dan', 'eve'] as const;
type Person = (typeof PEOPLE)[number];
const USERS = ['ann', 'bob', 'cid', 'dan'] as const;
const idOf = (person: Person) =>
  `bbbbbbbb-1e0f-4a9b-8c7d-${String(PEOPLE.indexOf(person)).padStart(12, '0')}`;
const addressOf = (person: Person) => `${person}@example.com`;

type Action =
  | { does: 'add' | 'change'; by: Person; whom: Person; role: Role }
  | { does: 'remove'; by: Person; whom: Person }
  | { does: 'make key' | 'revoke key' | 'sign out'; by: Person }
  | { does: 'set reminders'; by: Person; reminders: boolean }
  | { does: 'sign in' | 'erase'; whom: Person };

const memory = new MemoryDynamo();
const { table } = memory;
const now = () => new Date();
const codePepper = Buffer.from('pepper');
const dashboard = routed([
  ...sessionRoutes(table),
  ...memberRoutes(table, async () => 0),
  ...keyRoutes(table),
  ...settingsRoutes(table),
]);
/** Of each user: the browser in which they have signed in, and another one that has asked for a code. */
const browsers = new Map<Person, { cookie: string; asking: string; code: string }>();
let races: Races<Action>;

async function addPerson(person: Person): Promise<void> {
  const email = addressOf(person);
  await addUser(table, ownerItem({ id: idOf(person), type: 'user', name: email }));
  const { session, cookie } = newAppSession(idOf(person), VISITOR, NOON);
  await table.transact([appSessionWrite(session)]);
  const asks = { email, locale: 'en', visitor: VISITOR, earlierAttemptId: undefined } as const;
  const asked = await requestSignInCode(table, asks, NOON);
  const fake = new FakeMailer();
  const parts = { table, mailer: fake.mailer, codePepper, now };
  await mailSignInCode(parts, { attemptId: asked.attempt.id, seed: person });
  browsers.set(person, { cookie, asking: asked.cookie, code: fake.codes.at(-1) ?? '' });
}

beforeAll(async () => {
  skipPauses(NOON);
  functionEnvironment();
  await addOwner(table, ownerItem({ id: ORG, name: 'Acme' }));
  for (const person of USERS) await addPerson(person);
  const byOperator = { userId: 'operator', visitor: VISITOR, now: NOON };
  await addMember(table, ORG, { email: addressOf('ann'), role: 'admin' }, byOperator);
  await addMember(table, ORG, { email: addressOf('bob'), role: 'admin' }, byOperator);
  await addMember(table, ORG, { email: addressOf('cid'), role: 'member' }, byOperator);
  await addKey(table, ORG, { keyId: KEY, hash: 'hash', mode: 'live', createdAt: NOON.toISOString() });
  races = new Races(memory, { act, look });
});
afterAll(() => jest.useRealTimers());

const browserOf = (person: Person) => {
  const browser = browsers.get(person);
  if (!browser) throw new ApiError('sign_in_required');
  return browser;
};

/** A call of the dashboard in a person's browser. */
async function calls(by: Person, method: string, path: string, body?: object): Promise<string> {
  const { cookie } = browserOf(by);
  const json = body && jsonBody(body);
  const headers = {
    ...json?.headers,
    Cookie: cookie.split(';')[0] ?? '',
    'X-Requested-With': 'app',
    'X-Owner': ORG,
  };
  const event = { ...httpEvent({ ...json, headers }), path: `/api/app/v1${path}`, httpMethod: method };
  const answer = await call(dashboard, event);
  if (answer.statusCode >= 500) throw new Error(answer.body);
  return answer.statusCode < 300 ? 'done' : 'refused';
}

async function signsIn(whom: Person): Promise<string> {
  const { asking, code } = browserOf(whom);
  const read = async (userId: string) => {
    const user = await findUser(table, userId);
    if (!user) throw new ApiError('sign_in_required');
    return { user };
  };
  await signIn({ table, codePepper, now }, { cookies: asking.split(';')[0], code, visitor: VISITOR, read });
  return 'done';
}

function act(action: Action): Promise<string> {
  switch (action.does) {
    case 'add':
      return calls(action.by, 'POST', '/members', { email: addressOf(action.whom), role: action.role });
    case 'change':
      return calls(action.by, 'PATCH', `/members/${idOf(action.whom)}`, { role: action.role });
    case 'remove':
      return calls(action.by, 'DELETE', `/members/${idOf(action.whom)}`);
    case 'make key':
      return calls(action.by, 'POST', '/api-keys', { name: 'Shop' });
    case 'revoke key':
      return calls(action.by, 'DELETE', `/api-keys/${KEY}`);
    case 'sign out':
      // Also without a session, the person is signed out.
      return calls(action.by, 'POST', '/sign-out').then(() => 'done');
    case 'set reminders':
      return calls(action.by, 'PATCH', '/notices', { reminders: action.reminders });
    case 'sign in':
      return signsIn(action.whom);
    case 'erase':
      return eraseUser(idOf(action.whom), operatorOf(table)).then((kept) => (kept ? 'refused' : 'done'));
  }
}

/** A key holds what its owner has set, but not any more once it is revoked. */
const describeKey = (key: ApiKey | undefined) =>
  key?.revokedAt ? 'revoked' : `with reminders ${key?.reminders}`;

/** Everything that people can see. */
async function look(): Promise<string> {
  const found = await listMembers(table, ORG);
  const { owner, keys = [] } = (await loadAccount(table, ORG)) ?? {};
  const described = await Promise.all(
    keys.map(async ({ keyId }) => describeKey(await findApiKey(table, keyId))),
  );
  const logged = memory.items.flatMap(({ pk, type }) =>
    /^ACCOUNT/.test(String(pk)) ? [`${pk} ${type}`] : [],
  );
  return JSON.stringify({
    members: found.map(({ email, role }) => `${email} ${role}`),
    keys: described.sort(),
    reminders: owner?.reminders,
    sessions: memory.items.flatMap(({ pk, hash, expiresAt }) => (hash && expiresAt ? [pk] : [])),
    logged: logged.sort(),
  });
}

const itemsOf = (user: Person) => memory.items.filter(({ pk, sk }) => `${pk} ${sk}`.includes(idOf(user)));

async function expectWholeOrganization(): Promise<void> {
  const found = await listMembers(table, ORG);
  expect(found.map((member) => member.role)).toContain('admin');
  for (const { userId } of found) {
    expect(await findUser(table, userId)).toBeDefined();
    expect(await organizationsOf(table, userId)).toEqual([ORG]);
  }
}

// Mostly of the two admins: they can take each other's rights.
const user = fc.constantFrom(...USERS, 'ann', 'ann', 'bob', 'bob');
const person = fc.oneof(
  { weight: 8, arbitrary: user },
  { weight: 1, arbitrary: fc.constant('eve' as const) },
);
const role = fc.constantFrom(...ROLES);
const change: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ does: fc.constantFrom('add', 'change'), by: user, whom: person, role }),
  fc.record({ does: fc.constant('remove'), by: user, whom: person }),
  fc.record({ does: fc.constantFrom('add', 'remove'), by: user, whom: user, role }),
  fc.record({ does: fc.constantFrom('make key', 'revoke key'), by: user }),
  fc.record({ does: fc.constant('set reminders'), by: user, reminders: fc.boolean() }),
  fc.record({ does: fc.constant('sign in'), whom: user }),
  fc.record({ does: fc.constant('sign out'), by: user }),
);

describe('actions at the same time', () => {
  it('leave members, keys, sessions and log as some order of them would, one after another', async () => {
    await always(
      fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 3 }), seeds, async (actions, drawn) => {
        await races.expectSomeOrder(actions, drawn);
      }),
      ...SOME_RACES,
    );
  });

  it.each<[what: string, actions: Action[]]>([
    [
      'two revocations of a key',
      [
        { does: 'revoke key', by: 'ann' },
        { does: 'revoke key', by: 'bob' },
      ],
    ],
    [
      'the removal of an admin, and this admin adding themselves,',
      [
        { does: 'remove', by: 'ann', whom: 'bob' },
        { does: 'add', by: 'bob', whom: 'bob', role: 'admin' },
      ],
    ],
    [
      'the removals of two admins by each other',
      [
        { does: 'remove', by: 'ann', whom: 'bob' },
        { does: 'remove', by: 'bob', whom: 'ann' },
      ],
    ],
  ])('%s end as one after the other, however they meet', async (_, actions) => {
    await races.expectSomeOrder(
      actions,
      Array.from({ length: 200 }, (__, seed) => seed),
    );
  });

  it('leave nothing of a user who is erased, and an organization with an admin whose members all exist', async () => {
    const erase: Action = { does: 'erase', whom: 'bob' };
    const others = fc.array(change, { minLength: 1, maxLength: 3 });
    await always(
      fc.asyncProperty(others, seeds, async (beside, drawn) => {
        for (const seed of drawn) {
          const answers = await races.atOnce([erase, ...beside], seed);
          if (answers.get(erase) === 'done') expect(itemsOf(erase.whom)).toEqual([]);
          await expectWholeOrganization();
        }
      }),
      ...SOME_RACES,
    );
  });
});
