import { renewalScheduled } from '../shared/requests/renewing.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import { firstEnd, holdsUntil } from '../shared/sealing/long-term/holds-until.ts';
import { faultOf } from '../shared/stamping/renew-stored.ts';
import { type Bucket, readRequired } from '../shared/stamping/sealing.ts';
import { changeRequest } from '../shared/store/change.ts';
import { BY_OWNER, ownerListing } from '../shared/store/keys.ts';
import { sealedDocumentOf, sealedEvidenceOf } from '../shared/store/objects.ts';
import { listOwners } from '../shared/store/owners.ts';
import { loadRequest } from '../shared/store/requests.ts';
import { documentsOf, type Operator } from './operator.ts';
import { Progress } from './progress.ts';

/** Files are read whole. */
const AT_ONCE = 4;

/** Requests that were sealed before renewals have no due date. A file that is gone or unreadable does not stop the others. */
export async function scheduleRenewals(operator: Operator) {
  const documents = documentsOf(operator);
  const scheduled: string[] = [];
  const failed: { request_id: string; fault: string }[] = [];
  const attempt = async (id: string) => {
    try {
      if (await schedule(id, operator, documents)) scheduled.push(id);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      failed.push({ request_id: id, fault });
    }
  };
  const progress = new Progress('Looking for files without a due date');
  for (const { id: ownerId } of (await listOwners(operator.table)).filter(({ archive }) => archive)) {
    const listed = await operator.table.queryAll({ index: BY_OWNER, pk: ownerListing(ownerId, 'live') });
    await inParallel(
      listed,
      async ({ id }) => {
        await attempt(String(id));
        progress.add();
      },
      AT_ONCE,
    );
  }
  progress.end();
  if (failed.length > 0) operator.terminal.badNews();
  return { scheduled: scheduled.sort(), failed };
}

async function schedule(id: string, { table, now }: Operator, documents: Bucket): Promise<boolean> {
  const request = await loadRequest(table, id);
  const { state } = request ?? {};
  if (!state || state.renewal || state.purgedAt || state.seal?.technical.level !== 'B-LTA') return false;
  const ends: (string | undefined)[] = [];
  for (const file of [sealedDocumentOf(state), sealedEvidenceOf(state)])
    ends.push(file ? holdsUntil(await readRequired(documents, file.key)) : undefined);
  const end = firstEnd(...ends);
  if (end === null) return false;
  const changed = await changeRequest({ table, now }, id, (current) => renewalScheduled(current, end));
  return changed?.request.state.renewal?.endsAt === end;
}
