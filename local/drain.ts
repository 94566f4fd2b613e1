import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** A client that is still sending may miss an early answer: reads the rest of the request first, for at most 2 s. */
export async function drain(request: IncomingMessage): Promise<void> {
  request.resume();
  await Promise.race([
    once(request, 'end'),
    once(request, 'close'),
    wait(2000, undefined, { ref: false }),
  ]).catch(() => {});
}
