import { inParallel } from '../../shared/jobs/due.ts';
import { protect } from '../../shared/requests/ending.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { BY_OWNER, jobKey, ownerKey, ownerListing } from '../../shared/store/keys.ts';
import type { Owner } from '../../shared/store/owners.ts';
import type { Item } from '../../shared/store/table.ts';
import { countRequests } from './counts.ts';
import { Failure } from './errors.ts';
import type { Operator } from './operator.ts';
import { Progress } from './progress.ts';

const PAGE = 100;

/** How far the walk through an owner's documents has come, kept so that a broken-off one goes on there. */
const bookmarkKey = (ownerId: string) => jobKey(`retention-${ownerId}`);

/**
 * Moves the purge dates of all of an owner's documents to what its archive protection now says, page by page and oldest
 * first: what is created meanwhile comes last, and knows the new standing anyway. Each document is changed once however
 * often this runs. Until it is through, the purge job leaves alone what has become protected.
 */
export async function rescheduleDocuments(owner: Owner, operator: Operator): Promise<void> {
  const { table, now } = operator;
  const { live } = await countRequests(table, [owner]);
  const total = Object.values(live).reduce((sum, count) => sum + count, 0);
  const progress = new Progress('Moving dates of documents', total);

  const bookmark = await table.get(bookmarkKey(owner.id), { consistent: true });
  const goesOn = bookmark?.archive === owner.archive;
  let startAfter = goesOn ? (bookmark?.startAfter as Item) : undefined;
  let count = goesOn ? Number(bookmark?.count) : 0;
  progress.add(count);
  for (;;) {
    const { items, next } = await table.query({
      index: BY_OWNER,
      pk: ownerListing(owner.id, 'live'),
      limit: PAGE,
      ...(startAfter && { startAfter }),
    });
    await assertStill(owner, operator);
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

/** Of two operators who switch to and fro, the one whose word no longer holds stops. */
async function assertStill({ id, archive }: Owner, { table }: Operator): Promise<void> {
  const current = await table.get(ownerKey(id), { consistent: true });
  if (current?.archive !== archive)
    throw new Failure('The archive was switched again meanwhile; that other command sees to the documents.');
}
