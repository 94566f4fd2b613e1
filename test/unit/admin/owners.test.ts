import { ownerCommands } from '../../../admin/owners.ts';
import { personCommands } from '../../../admin/person.ts';
import { requestListCommands } from '../../../admin/request-list.ts';
import type { Terminal } from '../../../admin/terminal.ts';
import { eraseUser } from '../../../admin/user-erase.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import { addressHash, jobKey } from '../../../shared/store/keys.ts';
import { addOwner, listOwners } from '../../../shared/store/owners.ts';
import { findUserByAddress } from '../../../shared/store/users.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { operatorOf, person, pipes } from '../../support/operator-terminal.ts';
import { ownerItem } from '../../support/owners.ts';
import { OWNER } from '../../support/requests.ts';
import { changed, storedNew } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const operator = operatorOf(memory.table);
const NOTE = expect.stringMatching(
  /^Without an active subscription, .* "(org|user) update ID --subscription active" /,
);

beforeEach(() => memory.clear());

async function run(name: string, input: Record<string, unknown>, terminal: Terminal): Promise<unknown> {
  return ownerCommands.find((command) => command.name === name)?.run(input, { ...operator, terminal });
}

it.each([
  ['org create', { name: 'Acme' }],
  ['user create', { email: 'ann@example.com' }],
])('%s notes that the owner has no subscription', async (name, input) => {
  const notes: string[] = [];
  expect(await run(name, input, pipes(notes))).toMatchObject({ subscription: 'none' });
  expect(notes).toEqual([NOTE]);
});

it('an organization with a bad webhook address is refused before anything is asked or noted', async () => {
  const answering = person('none');
  const creating = run('org create', { name: 'Acme', 'webhook-url': 'ftp://x.example' }, answering);
  await expect(creating).rejects.toThrow('--webhook-url must be an https address.');
  expect(answering.seen).toEqual([]);
  expect(await listOwners(memory.table)).toEqual([]);
});

it('nothing is noted of a user who is there already', async () => {
  await run('user create', { email: 'ann@example.com', subscription: 'active' }, pipes());
  const notes: string[] = [];
  const again = run('user create', { email: 'ann@example.com' }, pipes(notes));
  await expect(again).rejects.toThrow('There is a user with the address ann@example.com already.');
  expect(notes).toEqual([]);
});

it('a user who is erased while the users get their look-ups leaves the address free', async () => {
  const email = 'ann@example.com';
  // As in a table from before users could sign in.
  await addOwner(memory.table, ownerItem({ id: 'user-1', type: 'user', name: email }));
  memory.beforeWrites.push(() => eraseUser('user-1', operator));
  expect(await run('user index', {}, pipes())).toEqual({ users: 0 });
  await run('user create', { email, subscription: 'none' }, pipes());
  expect(await findUserByAddress(memory.table, addressHash(email))).toMatchObject({ name: email });
});

it.each([
  ['notify', { notify: 'nobody' }, '--notify must be an e-mail address.'],
  ['webhook-url', { 'webhook-url': 'ftp://x.example' }, '--webhook-url must be an https address.'],
])('an organization with a bad --%s is not asked about the end of its archive', async (_, bad, refusal) => {
  await addOwner(memory.table, ownerItem({ id: OWNER.id, archive: true }));
  const { state } = await storedNew(memory.table, 1, { owner: { ...OWNER, archive: true } });
  const by = { actor: 'client', reason: null } as const;
  await changed(memory.table, state.id, (request, now) => cancel(request, by, now));
  const answering = person('no');
  const updating = run('org update', { id: OWNER.id, archive: 'off', ...bad }, answering);
  await expect(updating).rejects.toThrow(refusal);
  expect(answering.seen).toEqual([]);
});

it.each([
  ['person export', { email: 'nobody' }, '--email'],
  ['person erase', { email: 'nobody' }, '--email'],
  ['request list', { signer: 'nobody' }, '--signer'],
])('%s refuses a bad address before it indexes all requests', async (name, input, option) => {
  const found = [...personCommands, ...requestListCommands].find((command) => command.name === name);
  await expect(found?.run(input, operator)).rejects.toThrow(`${option} must be an e-mail address.`);
  expect(await memory.table.get(jobKey('person-index'))).toBeUndefined();
});

it.each(['', '\u200b'])(
  'the name %j is refused for what it lacks, since its length is right',
  async (name) => {
    await expect(run('org rename', { id: OWNER.id, name }, pipes())).rejects.toThrow('with a visible one');
  },
);
