import type { Change, SignatureRequest } from '../requests/model.ts';
import type { OutboxItem } from './outbox.ts';
import { untilNotOvertaken } from './overtaken.ts';
import { commitChange, loadRequest } from './requests.ts';
import type { Table, Write } from './table.ts';

export interface Changed {
  request: SignatureRequest;
  outbox: OutboxItem[];
}

interface Options {
  /** The request as read a moment ago, to spare the first read. */
  known?: SignatureRequest;
  /** Writes of the same transaction. */
  beside?: Write[];
}

/**
 * The one way a request changes: read, decide, write if unchanged; where someone else was faster, read and decide again.
 * `decide` refuses by throwing, and gives undefined where there is nothing to do.
 * Answers undefined where the request does not exist.
 */
export async function changeRequest(
  table: Table,
  requestId: string,
  decide: (request: SignatureRequest, now: Date) => Change | undefined,
  now: () => Date,
  { known, beside = [] }: Options = {},
): Promise<Changed | undefined> {
  return untilNotOvertaken(async (attempt) => {
    const request = (attempt === 1 && known) || (await loadRequest(table, requestId));
    if (!request) return undefined;
    const time = now();
    const change = decide(request, time);
    return change ? commitChange(table, request, change, time, beside) : { request, outbox: [] };
  });
}
