import { ownerFor } from '../../../shared/accounts/acting-for.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';

const memory = new MemoryDynamo();

it('an owner that is no UUID is not found, and never looked up: the table refuses a long key', async () => {
  const user = ownerItem({ type: 'user' });
  await expect(ownerFor(memory.table, user, 'x'.repeat(3_000))).rejects.toMatchObject({ code: 'not_found' });
  expect(memory.mock.calls()).toHaveLength(0);
});
