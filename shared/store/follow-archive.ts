import { protect } from '../requests/ending.ts';
import type { RequestState } from '../requests/model.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { changeRequest } from './change.ts';
import { findOwner } from './owners.ts';
import type { Table } from './table.ts';

/**
 * Gives requests the purge date that follows from their owner's archive, and returns its setting. Reads the owner again after the
 * writes, since another operator may have switched the archive meanwhile. `applied` is the setting that the requests already have.
 */
export async function followArchive(
  table: Table,
  { ownerId, applied: known }: { ownerId: string; applied: boolean | undefined },
  requestIds: readonly string[],
  now: () => Date,
): Promise<boolean | undefined> {
  let applied = known;
  for (;;) {
    const archive = (await findOwner(table, ownerId))?.archive;
    if (archive === undefined || archive === applied) return archive;
    await inParallel(requestIds, async (id) => {
      await changeRequest({ table, now }, id, (request, time) => protect(request, archive, time));
    });
    applied = archive;
  }
}

/**
 * For a request whose mails follow its creation: the archive may have ended since the caller was identified, by a command that
 * did not see this request yet.
 */
export async function followEndedArchive(
  table: Table,
  { id, ownerId, archiveProtected }: RequestState,
  now: () => Date,
): Promise<void> {
  if (archiveProtected) await followArchive(table, { ownerId, applied: true }, [id], now);
}
