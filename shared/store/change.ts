import type { Change, SignatureRequest } from '../requests/model.ts';
import { type Changed, commitChange, loadRequest } from './requests.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { Table, Write } from './table.ts';

interface Options {
  /** The request as just read; saves the first read. */
  known?: SignatureRequest;
  /** Further writes of the same transaction, or a function that makes them of the request as it was read. */
  extraWrites?: Write[] | ((request: SignatureRequest) => Write[]);
}

/**
 * The one way to change a request: read, decide, write if unchanged, and start over after a concurrent write.
 * `decide` throws to refuse and returns undefined if there is nothing to change.
 * Returns undefined if the request does not exist.
 */
export async function changeRequest(
  { table, now }: { table: Table; now: () => Date },
  requestId: string,
  decide: (request: SignatureRequest, now: Date) => Change | undefined,
  { known, extraWrites = [] }: Options = {},
): Promise<Changed | undefined> {
  return retryOnConflict(async (attempt) => {
    const request = (attempt === 1 && known) || (await loadRequest(table, requestId));
    if (!request) return undefined;
    const time = now();
    const change = decide(request, time);
    if (!change) return { request, outbox: [] };
    const others = typeof extraWrites === 'function' ? extraWrites(request) : extraWrites;
    return commitChange(table, request, change, time, others);
  });
}
