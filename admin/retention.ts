import { protect } from '../shared/requests/ending.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import { changeRequest } from '../shared/store/change.ts';
import type { Item } from '../shared/store/items.ts';
import { BY_OWNER, jobKey, ownerListing } from '../shared/store/keys.ts';
import { findOwner, type Owner } from '../shared/store/owners.ts';
import { countRequests } from './counts.ts';
import { Failure } from './errors.ts';
import type { Operator } from './operator.ts';
import { Progress } from './progress.ts';

const PAGE = 100;

/** Stores the position in an owner's list, so that an interrupted run resumes there. */
const bookmarkKey = (ownerId: string) => jobKey(`retention-${ownerId}`);

/**
 * Deletes the position of an interrupted switch in the other direction. Called before the owner changes: documents get the
 * new setting from then on, and a later switch back must not skip those.
 */
export async function forgetOtherDirection(ownerId: string, archive: boolean, { table }: Operator) {
  const bookmark = await table.get(bookmarkKey(ownerId), { consistent: true });
  if (bookmark && bookmark.archive !== archive) await table.delete(bookmarkKey(ownerId));
}

/**
 * Sets the purge date of each of an owner's documents by its archive setting, page by page, oldest first. Requests
 * created meanwhile come last and already have the right date. Repeating this changes nothing more. Until it is done,
 * the purge job skips documents that are protected now.
 */
export async function rescheduleDocuments(owner: Owner, operator: Operator): Promise<void> {
  const { table, now } = operator;
  const { live } = await countRequests(table, [owner]);
  const total = Object.values(live).reduce((sum, count) => sum + count, 0);
  const progress = new Progress('Updating purge dates', total);

  const bookmark = await table.get(bookmarkKey(owner.id), { consistent: true });
  const resumes = bookmark?.archive === owner.archive;
  let startAfter = resumes ? (bookmark?.startAfter as Item) : undefined;
  let count = resumes ? Number(bookmark?.count) : 0;
  progress.add(count);
  for (;;) {
    const { items, next } = await table.query({
      index: BY_OWNER,
      pk: ownerListing(owner.id, 'live'),
      limit: PAGE,
      ...(startAfter && { startAfter }),
    });
    await assertUnchanged(owner, operator);
    await inParallel(items, async ({ id }) => {
      await changeRequest(table, String(id), (request, time) => protect(request, owner.archive, time), now);
      progress.add();
    });
    count += items.length;
    if (!next) break;
    await table.put({ ...bookmarkKey(owner.id), archive: owner.archive, startAfter: next, count });
    startAfter = next;
  }
  await table.delete(bookmarkKey(owner.id));
  progress.end();
}

/** Stops if another operator has switched the archive back. */
async function assertUnchanged({ id, archive }: Owner, { table }: Operator): Promise<void> {
  const current = await findOwner(table, id);
  if (current?.archive !== archive)
    throw new Failure('The archive was switched again meanwhile; that later command updates the documents.');
}
