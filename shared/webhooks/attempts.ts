import { type AuditEntry, changeOf } from '../requests/model.ts';
import { log } from '../runtime/log.ts';
import { measure } from '../runtime/metrics.ts';
import type { Now } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { type Claim, type DeliveryOutcome, outcomeWrite } from '../store/deliveries.ts';
import { ConditionFailed, type Table } from '../store/table.ts';
import { Batcher } from './batcher.ts';

const detailsOf = (claim: Claim, { httpStatus, durationMs, error }: DeliveryOutcome) => ({
  event_id: claim.eventId,
  event_type: claim.eventType,
  endpoint_id: claim.endpointId,
  http_status: httpStatus,
  duration_ms: durationMs,
  error,
  ...(claim.manualId !== undefined && { manual: true }),
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

/** Writes the outcomes to the request's audit trail and to the endpoints' delivery lists, in one transaction. */
async function write(table: Table, requestId: string | null, attempts: Attempt[], now: Now): Promise<void> {
  const outcomes = (erasures: number) =>
    attempts.map(({ claim, outcome }) => outcomeWrite(claim, outcome, erasures));
  if (requestId === null) return table.transact(outcomes(0));
  await changeRequest(
    { table, now },
    requestId,
    (request, time) =>
      changeOf(request, { audit: attempts.map(({ claim, outcome }) => auditEntry(claim, outcome, time)) }),
    { extraWrites: ({ state }) => outcomes(state.erasures) },
  );
}

/** True if an attempt already has an outcome: its own condition failed, not the request's (write 0). */
const alreadyRecorded = (error: unknown, requestId: string | null) =>
  error instanceof ConditionFailed && (requestId === null || !error.failed.includes(0));

/** Records attempts in one write; if some already have an outcome, in one write each. */
async function record(table: Table, requestId: string | null, attempts: Attempt[], now: Now): Promise<void> {
  try {
    await write(table, requestId, attempts, now);
    for (const attempt of attempts) report(attempt);
  } catch (error) {
    if (!alreadyRecorded(error, requestId)) throw error;
    if (attempts.length > 1) for (const attempt of attempts) await record(table, requestId, [attempt], now);
    else log.warn('The attempt already has an outcome', { signature_request_id: requestId });
  }
}

function report({ claim, outcome }: Attempt): void {
  const { outcome: result } = outcome;
  log.info('Delivery attempted', {
    signature_request_id: claim.requestId,
    outcome: result,
    ...detailsOf(claim, outcome),
  });
  measure({ Deliveries: 1 }, { Outcome: result });
}

/** Several messages for one event and endpoint can land in the same batch. */
const unique = (attempts: Attempt[]) => [
  ...new Map(
    attempts.map((attempt) => [
      `${attempt.claim.eventId} ${attempt.claim.endpointId} ${attempt.claim.manualId}`,
      attempt,
    ]),
  ).values(),
];

/** Each trail entry links to the one before, so concurrent outcomes would conflict: a function writes its own together. */
export class AttemptRecorder {
  readonly #table: Table;
  readonly #now: Now;
  readonly #batcher = new Batcher<Attempt>();

  constructor(table: Table, now: Now) {
    this.#table = table;
    this.#now = now;
  }

  outcome(claim: Claim, outcome: DeliveryOutcome): Promise<void> {
    const { requestId, eventId } = claim;
    return this.#batcher.add(requestId ?? eventId, { claim, outcome }, (attempts) =>
      record(this.#table, requestId, unique(attempts), this.#now),
    );
  }

  /** An interrupted attempt. It may have arrived, so it is never repeated. */
  lost(claim: Claim): Promise<void> {
    return this.outcome(claim, {
      outcome: 'unknown',
      httpStatus: null,
      durationMs: null,
      error: 'outcome_unknown',
    });
  }
}
