import type { Operator } from '../../../admin/operator.ts';
import { ownerCommands } from '../../../admin/owners.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { loadRequest } from '../../../shared/store/requests.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { pipes } from '../../support/operator-terminal.ts';
import { ownerItem } from '../../support/owners.ts';
import { NOON, OWNER } from '../../support/requests.ts';
import { storedNew } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table, beforeWrites } = memory;

/** More than a page of the list, and less than two. */
const COUNT = 120;
const PAGE = 100;

const operator: Operator = {
  table,
  clients: { requestHandler: { connectionTimeout: 1, requestTimeout: 1, throwOnRequestTimeout: true } },
  now: () => NOON,
  output: (name) => name,
  outputIfAny: () => undefined,
  localFolder: undefined,
  terminal: pipes(),
};

async function switchArchive(archive: 'on' | 'off'): Promise<void> {
  const update = ownerCommands.find(({ name }) => name === 'org update');
  await update?.run({ id: OWNER.id, archive }, operator);
}

/** A switch that is interrupted after so many writes. */
async function interrupted(archive: 'on' | 'off', writes: number): Promise<void> {
  beforeWrites.push(...Array.from({ length: writes }, () => () => undefined), () => {
    throw new Error('interrupted');
  });
  await expect(switchArchive(archive)).rejects.toThrow('interrupted');
  beforeWrites.length = 0;
}

let ids: string[];
beforeEach(async () => {
  memory.clear();
  await addOwner(table, ownerItem({ id: OWNER.id, archive: true }));
  ids = [];
  for (let made = 0; made < COUNT; made += 1)
    ids.push((await storedNew(table, 1, { owner: { ...OWNER, archive: true } })).state.id);
});

async function countProtected(): Promise<number> {
  const requests = await Promise.all(ids.map((id) => loadRequest(table, id)));
  return requests.filter((request) => request?.state.archiveProtected).length;
}

it('turning the archive off that was interrupted is completed by running it again', async () => {
  await interrupted('off', PAGE + 3);
  expect(await countProtected()).toBeLessThan(COUNT - PAGE);
  await switchArchive('off');
  expect(await countProtected()).toBe(0);
});

it('turning the archive off reaches every document, though turning it off and on before was interrupted', async () => {
  await interrupted('off', PAGE + 3);
  await interrupted('on', 20);
  await switchArchive('off');
  expect(await countProtected()).toBe(0);
});
