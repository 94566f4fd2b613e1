import { removeMember } from '../shared/accounts/members.ts';
import { ApiError } from '../shared/contract/api-error.ts';
import { MODES } from '../shared/contract/fields.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import {
  accountLogPartition,
  addressHash,
  BY_OWNER,
  hooksPartition,
  ownerKey,
  ownerListing,
  SESSION_PREFIX,
  userAddressKey,
  userPartition,
} from '../shared/store/keys.ts';
import { organizationsOf } from '../shared/store/members.ts';
import { type Account, loadAccount, ownerWrite } from '../shared/store/owners.ts';
import { retryOnConflict } from '../shared/store/retry-on-conflict.ts';
import { holds, type QueryInput, type Table } from '../shared/store/table.ts';
import { byOperator, type Operator } from './operator.ts';

/**
 * Erases a user: sessions, the log of the account and memberships, and the account itself with its webhook endpoints unless requests
 * or keys belong to it.
 * Returns why it was kept, if it was. The account goes last, so that a run that died is resumed.
 */
export async function eraseUser(userId: string, operator: Operator): Promise<string | undefined> {
  const { table } = operator;
  return retryOnConflict(async () => {
    const account = await newVersion(table, userId);
    const reasons = await endMemberships(userId, operator);
    await deleteAll(table, { pk: userPartition(userId), sk: { prefix: SESSION_PREFIX } });
    await deleteAll(table, { pk: accountLogPartition(userId) });
    return account ? eraseAccount(table, account, reasons) : reasons[0];
  });
}

/**
 * Gives the account a new version, on which its deletion depends. The write fails while an addition or a sign-in is under way, which
 * reads may show in part; one that comes later changes the version again. Then all is done again.
 */
async function newVersion(table: Table, userId: string): Promise<Account | undefined> {
  const account = await loadAccount(table, userId);
  if (!account) return undefined;
  await table.transact([ownerWrite(account.owner)]);
  return { ...account, owner: { ...account.owner, version: account.owner.version + 1 } };
}

/** `reasons` to keep the account were found before. */
async function eraseAccount(
  table: Table,
  { owner, keys }: Account,
  reasons: readonly string[],
): Promise<string | undefined> {
  const { id: userId, name, version } = owner;
  const isUsed = keys.length > 0 || (await ownsRequests(table, userId));
  const all = isUsed ? [...reasons, 'Requests or API keys belong to the account.'] : reasons;
  if (all.length > 0) return all.join(' ');
  for (const mode of MODES) await deleteAll(table, { pk: hooksPartition(userId, mode) });
  const byAddress = userAddressKey(addressHash(name));
  const lookUp = await table.get(byAddress, { consistent: true });
  await table.transact([
    { delete: ownerKey(userId), condition: holds({ version }) },
    // Versions before look-ups allowed two users with one address; the look-up leads to the older one.
    ...(lookUp?.userId === userId ? [{ delete: byAddress }] : []),
  ]);
  return undefined;
}

async function endMemberships(userId: string, operator: Operator): Promise<string[]> {
  const { table } = operator;
  const by = byOperator(operator);
  const reasons: string[] = [];
  for (const organizationId of await organizationsOf(table, userId)) {
    try {
      await removeMember(table, organizationId, userId, by);
    } catch (error) {
      const code = error instanceof ApiError && error.code;
      if (code === 'last_admin') reasons.push(`The organization ${organizationId} has no other admin.`);
      // Another run, or an admin on the dashboard, has just removed the member.
      else if (code !== 'not_found') throw error;
    }
  }
  return reasons;
}

async function deleteAll(table: Table, query: QueryInput): Promise<void> {
  const items = await table.queryAll({ ...query, consistent: true });
  await inParallel(items, ({ pk, sk }) => table.delete({ pk: String(pk), sk: String(sk) }));
}

async function ownsRequests(table: Table, userId: string): Promise<boolean> {
  for (const mode of MODES) {
    const { items } = await table.query({ index: BY_OWNER, pk: ownerListing(userId, mode), limit: 1 });
    if (items.length > 0) return true;
  }
  return false;
}
