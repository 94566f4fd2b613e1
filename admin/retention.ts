import { followArchive } from '../shared/store/follow-archive.ts';
import type { Item } from '../shared/store/items.ts';
import { BY_OWNER, jobKey, ownerKey, ownerListing } from '../shared/store/keys.ts';
import { findOwner, type Owner } from '../shared/store/owners.ts';
import { retryOnConflict } from '../shared/store/retry-on-conflict.ts';
import { holds, tryWrite, type Write } from '../shared/store/table.ts';
import { countRequests } from './counts.ts';
import { Failure } from './errors.ts';
import type { Operator } from './operator.ts';
import { Progress } from './progress.ts';
import { confirm } from './terminal.ts';

const PAGE = 100;

const switchedAgain = () =>
  new Failure('The archive was switched again meanwhile; that later command updates the documents.');

/** Stores the position in an owner's list, so that an interrupted run resumes there. */
const bookmarkKey = (ownerId: string) => jobKey(`retention-${ownerId}`);

/** Asks before an archive ends. Resuming an interrupted switch asks nothing: its owner has no archive any more. */
export async function confirmEnd(
  ownerId: string,
  yes: boolean,
  { table, terminal }: Operator,
): Promise<void> {
  const owner = await findOwner(table, ownerId);
  if (!owner?.archive) return;
  const { signed, cancelled, declined, expired } = (await countRequests(table, [owner])).live;
  const ended = signed + cancelled + declined + expired;
  if (ended === 0) return;
  await confirm(
    terminal,
    `The documents of ended requests of ${owner.name} (at most ${ended}) will be removed for good: seven days after each one’s end, older ones by the next run of purge.`,
    yes,
  );
}

/**
 * Deletes the position of an interrupted switch in the other direction. Called before the owner changes: documents get the
 * new setting from then on, and a later switch back must not skip those.
 */
export async function forgetOtherDirection(ownerId: string, archive: boolean, { table }: Operator) {
  const bookmark = await table.get(bookmarkKey(ownerId), { consistent: true });
  if (bookmark && bookmark.archive !== archive) await table.delete(bookmarkKey(ownerId));
}

/**
 * Sets the purge date of each of an owner's documents by its archive setting, page by page, oldest first. A request that is being
 * created follows by itself. Until this is done, the purge job skips documents that are protected now.
 */
export async function rescheduleDocuments(owner: Owner, operator: Operator): Promise<void> {
  const { table, now } = operator;
  const { live } = await countRequests(table, [owner]);
  const total = Object.values(live).reduce((sum, count) => sum + count, 0);
  using progress = new Progress('Updating purge dates', total);

  const bookmark = await table.get(bookmarkKey(owner.id), { consistent: true });
  const resumes = bookmark?.archive === owner.archive;
  // A run in the other direction may have stored it between `forgetOtherDirection` and the change of the owner.
  if (bookmark && !resumes) await table.delete(bookmarkKey(owner.id));
  let startAfter = resumes ? (bookmark?.startAfter as Item) : undefined;
  let count = resumes ? Number(bookmark?.count) : 0;
  progress.add(count);
  for (;;) {
    const { items, next } = await table.query({
      index: BY_OWNER,
      pk: ownerListing(owner.id, 'live'),
      limit: PAGE,
      startAfter,
    });
    const ids = items.map(({ id }) => String(id));
    const archive = await followArchive(table, { ownerId: owner.id, applied: undefined }, ids, now);
    if (archive !== owner.archive) throw switchedAgain();
    progress.add(ids.length);
    count += ids.length;
    if (!next) break;
    const position: Write[] = [
      { put: { ...bookmarkKey(owner.id), archive: owner.archive, startAfter: next, count } },
      // A position from before a switch would make a later run skip documents.
      { check: ownerKey(owner.id), condition: holds({ archive: owner.archive }) },
    ];
    if (!(await tryWrite(retryOnConflict(() => table.transact(position))))) throw switchedAgain();
    startAfter = next;
  }
  await table.delete(bookmarkKey(owner.id));
}
