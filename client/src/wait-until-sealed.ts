import { RequestEndedError, SignatureRequestsError } from './errors.ts';
import { isOutcomeUnknown } from './retries.ts';
import { sleep, withinTime } from './time.ts';
import type { RequestStatus, SignatureRequest } from './types.ts';

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** Limit of the whole wait, plus a last poll of at most 5 seconds. Without it, the wait ends with the request. */
  timeoutMs?: number | undefined;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const LAST_LOOK_MS = 5_000;

const ENDINGS: Partial<Record<RequestStatus, RequestEndedError['code']>> = {
  cancelled: 'request_cancelled',
  declined: 'request_declined',
  expired: 'request_expired',
  stamp_failed: 'stamp_failed',
};

/** Rate limits pass too, and others behind the same address may have caused them. */
const isOutage = (error: unknown): boolean =>
  error instanceof SignatureRequestsError && (isOutcomeUnknown(error) || error.status === 429);

/** Polls less and less often: sealing takes seconds, signing may take days. Outages after the first response are waited out. */
export async function waitUntilSealed(
  retrieve: (signal: AbortSignal) => Promise<SignatureRequest>,
  { signal, timeoutMs = Number.POSITIVE_INFINITY }: WaitOptions,
): Promise<SignatureRequest> {
  // Text from the environment would be appended to the time, not added.
  const end = Date.now() + Number(timeoutMs);
  if (Number.isNaN(end)) throw new TypeError('`timeoutMs` must be a number.');
  let request: SignatureRequest | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(1.5 * pause, LONGEST_PAUSE_MS)) {
    try {
      request = await withinTime(Math.max(end - Date.now(), LAST_LOOK_MS), signal, retrieve);
    } catch (error) {
      if (!request || !isOutage(error) || Date.now() >= end) throw error;
    }
    if (request.status === 'signed') return request;
    const ending = ENDINGS[request.status];
    if (ending) throw new RequestEndedError(ending, request);
    const left = end - Date.now();
    if (left <= 0)
      throw new SignatureRequestsError(
        'not_sealed_in_time',
        `The request ${request.id} is still ${request.status}.`,
      );
    await sleep(Math.min(pause, left), signal);
  }
}
