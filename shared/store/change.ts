import type { Change, SignatureRequest } from '../requests/model.ts';
import { sleep } from '../runtime/time.ts';
import type { OutboxItem } from './outbox.ts';
import { commitChange, loadRequest } from './requests.ts';
import { ConditionFailed, type Table, type Write, WriteCollision } from './table.ts';

const ATTEMPTS = 30;

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
  let request = known;
  for (let attempt = 1; ; attempt += 1) {
    request ??= await loadRequest(table, requestId);
    if (!request) return undefined;
    const time = now();
    const change = decide(request, time);
    if (!change) return { request, outbox: [] };
    try {
      return await commitChange(table, request, change, time, beside);
    } catch (error) {
      const overtaken = error instanceof ConditionFailed || error instanceof WriteCollision;
      if (!overtaken || attempt === ATTEMPTS) throw error;
      request = undefined;
      await sleep(Math.random() * Math.min(10 * attempt, 150));
    }
  }
}
