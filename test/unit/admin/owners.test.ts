import { ownerCommands } from '../../../admin/owners.ts';
import type { Terminal } from '../../../admin/terminal.ts';
import { listOwners } from '../../../shared/store/owners.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { operatorOf, person, pipes } from '../../support/operator-terminal.ts';

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
