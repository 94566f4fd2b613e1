import { inParallel } from '../shared/runtime/in-parallel.ts';
import { jobKey, ownerKey } from '../shared/store/keys.ts';
import { listOwners } from '../shared/store/owners.ts';
import { exists, tryWrite } from '../shared/store/table.ts';
import { addressWrite } from '../shared/store/users.ts';
import type { Operator } from './operator.ts';

/** Users made by versions without a dashboard have no look-up by address, so they could not sign in. They get one here. */

const DONE = jobKey('user-index');

export async function indexUsersOnce(operator: Operator): Promise<void> {
  if (!(await operator.table.get(DONE, { consistent: true }))) await indexUsers(operator);
}

/** Returns the number of users that got a look-up. Of two with one address the older one has it. */
export async function indexUsers({ table, now }: Operator): Promise<number> {
  const users = (await listOwners(table)).filter(({ type }) => type === 'user');
  const oldest = [...new Map(users.toReversed().map((user) => [user.name, user])).values()];
  let count = 0;
  await inParallel(oldest, async (user) => {
    // A look-up to a user who was erased meanwhile would keep the address from everybody.
    const isThere = { check: ownerKey(user.id), condition: exists };
    if (await tryWrite(table.transact([addressWrite(user), isThere]))) count += 1;
  });
  await table.put({ ...DONE, completedAt: now().toISOString() });
  return count;
}
