import { errorFields, log } from '../runtime/log.ts';
import { visible } from '../runtime/visible.ts';
import { SealError } from '../sealing/errors.ts';
import type { StoredRequest } from '../store/requests.ts';
import { recordSealFault } from '../store/seal-faults.ts';
import type { Sealing } from './sealing.ts';

export const faultCode = (error: unknown): string =>
  error instanceof SealError ? error.code : 'storage_unavailable';

/**
 * Records the reason of a failed attempt for operators. Returns the time of the first failure, or now if recording fails: the seal
 * may have waited for long before its first attempt, and the next one records again.
 */
export async function keepFault(
  { table, now }: Pick<Sealing, 'table' | 'now'>,
  { state }: StoredRequest,
  error: unknown,
): Promise<Date> {
  const fault = {
    requestId: state.id,
    queuedAt: state.stampQueuedAt ?? state.createdAt,
    code: faultCode(error),
    reason: reasonOf(error),
  };
  try {
    return new Date(await recordSealFault(table, fault, now()));
  } catch (failure) {
    log.warn('The reason of a waiting seal could not be kept', errorFields(failure));
    return now();
  }
}

/** Messages of errors that are not ours may quote what was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof SealError) return visible(error.told);
  return error instanceof Error ? error.name : 'unknown';
}
