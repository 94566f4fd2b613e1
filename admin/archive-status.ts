import type { RequestState } from '../shared/requests/model.ts';
import { isArchived, overdueAt, renewalsOf } from '../shared/requests/renewing.ts';
import { RENEWALS_JOB } from '../shared/stamping/renew-stored.ts';
import type { Item } from '../shared/store/items.ts';
import { jobKey } from '../shared/store/keys.ts';
import { loadRequest } from '../shared/store/requests.ts';
import { countPending, nextPending } from '../shared/work/due.ts';
import { noRequest } from './errors.ts';
import type { Operator } from './operator.ts';

/** The renewal of a request’s files: its date, and the reason if it failed. */
function renewalView(state: RequestState, now: Date) {
  const { id, renewal, renewed } = state;
  const kept = isArchived(state) ? renewal : null;
  return {
    request_id: id,
    holds_until: renewal?.endsAt ?? null,
    due_at: kept?.dueAt ?? null,
    overdue: kept !== null && overdueAt(kept) <= now.toISOString(),
    failures: kept?.failures ?? 0,
    fault: kept?.fault ?? null,
    next_attempt_at: kept?.nextAttemptAt ?? null,
    renewals: renewalsOf(state),
    renewed_at: renewed?.at ?? null,
  };
}
type RenewalView = ReturnType<typeof renewalView>;

export async function archiveOf(id: string, { table, now }: Operator): Promise<RenewalView> {
  const request = await loadRequest(table, id);
  if (!request) throw noRequest(id);
  return renewalView(request.state, now());
}

const viewsOf = async (entries: readonly Item[], operator: Operator): Promise<RenewalView[]> =>
  Promise.all(entries.map(({ id }) => archiveOf(String(id), operator)));

/** The renewals that are due, with the oldest ten. */
export async function readDueRenewals(operator: Operator) {
  const { count, first } = await countPending(operator.table, 'RENEW', operator.now());
  return { count, oldest: await viewsOf(first, operator) };
}

export async function readArchive(operator: Operator) {
  const { table, now } = operator;
  const [due, next, run] = await Promise.all([
    readDueRenewals(operator),
    nextPending(table, 'RENEW', now()),
    table.get(jobKey(RENEWALS_JOB)),
  ]);
  return {
    due: due.count,
    /** The ten that are due for longest. */
    due_requests: due.oldest,
    /** The ten that come next. */
    next_requests: await viewsOf(next, operator),
    last_run: run ? { ended_at: run.endedAt, due: run.due, renewed: run.done, failed: run.failed } : null,
  };
}
