import { type JobOutcome, workOnDue } from '../jobs/due.ts';
import type { AuditEntry } from '../requests/model.ts';
import { log } from '../runtime/log.ts';
import { measure } from '../runtime/metrics.ts';
import type { Now } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { type Claim, type DeliveryOutcome, isLost, outcomeWrite } from '../store/deliveries.ts';
import { ConditionFailed, type Item, type Table } from '../store/table.ts';

const detailsOf = (claim: Claim, { httpStatus, durationMs, error }: DeliveryOutcome) => ({
  event_id: claim.eventId,
  event_type: claim.eventType,
  endpoint_id: claim.endpointId,
  http_status: httpStatus,
  duration_ms: durationMs,
  error,
});

const auditEntry = (claim: Claim, outcome: DeliveryOutcome, now: Date): AuditEntry => ({
  type: outcome.outcome === 'delivered' ? 'webhook_delivered' : 'webhook_failed',
  at: now.toISOString(),
  actor: 'service',
  details: detailsOf(claim, outcome),
});

/** Records what came of an attempt: in the request's trail and in the endpoint's list, in one transaction. */
async function write(table: Table, claim: Claim, outcome: DeliveryOutcome, now: Now): Promise<void> {
  const settled = outcomeWrite(claim, outcome);
  if (claim.requestId === null) return table.transact([settled]);
  await changeRequest(
    table,
    claim.requestId,
    ({ state, signers }, time) => ({
      state,
      signers,
      audit: [auditEntry(claim, outcome, time)],
      follow: [],
    }),
    now,
    { beside: [settled] },
  );
}

/** The last writes of each request's trail that are under way here. */
const turns = new Map<string, Promise<void>>();

/** Many endpoints answer at once, and every entry of a trail names the one before: those of one function go in turn. */
async function inTurn(key: string, work: () => Promise<void>): Promise<void> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work);
  const settled = mine.catch(() => {});
  turns.set(key, settled);
  try {
    await mine;
  } finally {
    if (turns.get(key) === settled) turns.delete(key);
  }
}

/** Whether a write failed because the attempt has an outcome already: then its own condition did, and the request's did not. */
const isSettled = (error: unknown, claim: Claim) =>
  error instanceof ConditionFailed && (claim.requestId === null || !error.failed.includes(0));

export async function recordOutcome(
  table: Table,
  claim: Claim,
  outcome: DeliveryOutcome,
  now: Now,
): Promise<void> {
  const fields = {
    signature_request_id: claim.requestId,
    outcome: outcome.outcome,
    ...detailsOf(claim, outcome),
  };
  try {
    await inTurn(claim.requestId ?? claim.eventId, () => write(table, claim, outcome, now));
    log.info('Attempted', fields);
    measure({ Deliveries: 1 }, { Outcome: outcome.outcome });
  } catch (error) {
    if (!isSettled(error, claim)) throw error;
    log.warn('The attempt has an outcome already', fields);
  }
}

/** For an attempt that was interrupted: it may have arrived or not, and is never made again. */
export const recordLost = (table: Table, claim: Claim, now: Now) =>
  recordOutcome(
    table,
    claim,
    { outcome: 'unknown', httpStatus: null, durationMs: null, error: 'outcome_unknown' },
    now,
  );

/** Looks through the attempts that should have had an outcome long ago. The sweep calls it each minute. */
export const settleLostDeliveries = (table: Table, now: Now, until: Date): Promise<JobOutcome> =>
  workOnDue(table, 'DELIVERY', { now, until }, async ({ pk, sk }) => {
    const item = await table.get({ pk: String(pk), sk: String(sk) }, { consistent: true });
    const claim = item as (Item & Claim) | undefined;
    if (!claim || !isLost(claim, now())) return false;
    await recordLost(table, claim, now);
    return true;
  });
