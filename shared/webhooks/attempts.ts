import { type JobOutcome, workOnDue } from '../jobs/due.ts';
import type { AuditEntry } from '../requests/model.ts';
import { log } from '../runtime/log.ts';
import { measure } from '../runtime/metrics.ts';
import type { Now } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { type Claim, type DeliveryOutcome, isLost, outcomeWrite } from '../store/deliveries.ts';
import { ConditionFailed, type Item, type Table } from '../store/table.ts';
import { Gatherer } from './gatherer.ts';

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

interface Attempt {
  claim: Claim;
  outcome: DeliveryOutcome;
}

/** Records what came of attempts: in the request's trail and in the endpoints' lists, in one transaction. */
async function write(table: Table, requestId: string | null, attempts: Attempt[], now: Now): Promise<void> {
  const outcomes = attempts.map(({ claim, outcome }) => outcomeWrite(claim, outcome));
  if (requestId === null) return table.transact(outcomes);
  await changeRequest(
    table,
    requestId,
    ({ state, signers }, time) => ({
      state,
      signers,
      audit: attempts.map(({ claim, outcome }) => auditEntry(claim, outcome, time)),
      follow: [],
    }),
    now,
    { beside: outcomes },
  );
}

/** Whether a write failed because an attempt has an outcome already: then its own condition did, and the request's did not. */
const isSettled = (error: unknown, requestId: string | null) =>
  error instanceof ConditionFailed && (requestId === null || !error.failed.includes(0));

/** Records attempts together; where some have an outcome already, each for itself. */
async function record(table: Table, requestId: string | null, attempts: Attempt[], now: Now): Promise<void> {
  try {
    await write(table, requestId, attempts, now);
    for (const attempt of attempts) tell(attempt);
  } catch (error) {
    if (!isSettled(error, requestId)) throw error;
    if (attempts.length > 1) for (const attempt of attempts) await record(table, requestId, [attempt], now);
    else log.warn('The attempt has an outcome already', { signature_request_id: requestId });
  }
}

function tell({ claim, outcome }: Attempt): void {
  const { outcome: word } = outcome;
  log.info('Attempted', {
    signature_request_id: claim.requestId,
    outcome: word,
    ...detailsOf(claim, outcome),
  });
  measure({ Deliveries: 1 }, { Outcome: word });
}

/** The same attempt once, for those that several workers' messages brought. */
const withoutRepeats = (attempts: Attempt[]) => [
  ...new Map(
    attempts.map((attempt) => [`${attempt.claim.eventId} ${attempt.claim.endpointId}`, attempt]),
  ).values(),
];

/** Many endpoints answer at once, and every entry of a trail names the one before: those of one function go together. */
const gatherer = new Gatherer<Attempt>();

export const recordOutcome = (
  table: Table,
  claim: Claim,
  outcome: DeliveryOutcome,
  now: Now,
): Promise<void> =>
  gatherer.add(claim.requestId ?? claim.eventId, { claim, outcome }, (attempts) =>
    record(table, claim.requestId, withoutRepeats(attempts), now),
  );

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
