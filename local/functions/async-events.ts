/**
 * Asynchronous invocations, those of schedules too. An event is stored before it is acknowledged, retried after one and two
 * minutes of the local clock, and sent to the function's dead-letter queue when all attempts failed or were refused for six hours.
 */
import { randomUUID } from 'node:crypto';
import type { LocalClock } from '../clock.ts';
import type { Services } from '../ports.ts';
import { ServiceError } from '../services/service.ts';
import type { State } from '../state.ts';
import { assertSize, type LambdaFunction } from './lambda-function.ts';

interface QueuedEvent {
  id: string;
  functionName: string;
  payload: string;
  queuedAt: number;
  dueAt: number;
  attempts: number;
}

const MAX_EVENT_BYTES = 1024 * 1024;
const MAX_ATTEMPTS = 3;
const MAX_AGE_MS = 6 * 3600 * 1000;
const KEY_PREFIX = 'event/';

export function openAsyncEvents(
  state: State,
  clock: LocalClock,
  functions: ReadonlyMap<string, LambdaFunction>,
  sendDeadLetter: Services['send'],
) {
  const stopped = new AbortController();
  const underWay = new Map<Promise<unknown>, string>();

  const save = (event: QueuedEvent): void => state.write(KEY_PREFIX + event.id, JSON.stringify(event));

  /** Undefined if the function refused the event: this does not count as an attempt. */
  const attempt = async (target: LambdaFunction, event: QueuedEvent) => {
    const invocation = target.invoke(Buffer.from(event.payload), event.id);
    underWay.set(invocation, event.functionName);
    try {
      const outcome = await invocation;
      event.attempts += 1;
      event.dueAt = clock.now() + event.attempts * 60_000;
      return outcome;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      event.dueAt = clock.now() + 1000;
      return undefined;
    } finally {
      underWay.delete(invocation);
    }
  };

  const giveUp = async ({ plan: { deadLetterQueue } }: LambdaFunction, event: QueuedEvent) => {
    if (deadLetterQueue !== undefined) await sendDeadLetter(deadLetterQueue, event.payload);
  };

  const deliver = async (event: QueuedEvent): Promise<void> => {
    const target = functions.get(event.functionName);
    while (target) {
      await clock.until(event.dueAt, stopped.signal);
      if (stopped.signal.aborted) return;
      const outcome = await attempt(target, event);
      if (stopped.signal.aborted) return;
      if (outcome && !outcome.functionError) break;
      if (isExhausted(event)) {
        await giveUp(target, event);
        break;
      }
      save(event);
    }
    state.delete(KEY_PREFIX + event.id);
  };

  return {
    /** Delivers the events of an earlier run. */
    resume(): void {
      for (const { value } of state.startingWith(KEY_PREFIX)) void deliver(JSON.parse(value));
    },

    enqueue(functionName: string, payload: Uint8Array): void {
      assertSize(payload, MAX_EVENT_BYTES);
      const now = clock.now();
      const text = Buffer.from(payload).toString();
      const event = { id: randomUUID(), functionName, payload: text, queuedAt: now, dueAt: now, attempts: 0 };
      save(event);
      void deliver(event);
    },

    /** Waits for the function's attempts that are under way, not for later ones. */
    async untilAttempted(functionName: string): Promise<void> {
      await Promise.allSettled([...underWay].map(([run, name]) => name === functionName && run));
    },

    stop: (): void => stopped.abort(),
  };
}

export type AsyncEvents = ReturnType<typeof openAsyncEvents>;

const isExhausted = ({ attempts, dueAt, queuedAt }: QueuedEvent): boolean =>
  attempts >= MAX_ATTEMPTS || dueAt - queuedAt > MAX_AGE_MS;
