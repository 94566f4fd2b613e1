/**
 * Asynchronous invocations, those of schedules too. An event is stored before it is acknowledged, retried after one and two
 * minutes of the local clock, and sent to the function's dead-letter queue when all attempts failed or were refused for six hours.
 */
import { randomUUID } from 'node:crypto';
import type { LocalClock } from '../clock.ts';
import type { Services } from '../ports.ts';
import { ServiceError } from '../services/service.ts';
import type { State } from '../state.ts';
import { assertSize, type InvocationResult, type LambdaFunction } from './lambda-function.ts';

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

export class AsyncEvents {
  readonly #state: State;
  readonly #clock: LocalClock;
  readonly #functions: ReadonlyMap<string, LambdaFunction>;
  readonly #sendDeadLetter: Services['send'];
  readonly #stopped = new AbortController();
  readonly #underWay = new Map<Promise<unknown>, string>();

  constructor(
    state: State,
    clock: LocalClock,
    functions: ReadonlyMap<string, LambdaFunction>,
    sendDeadLetter: Services['send'],
  ) {
    this.#state = state;
    this.#clock = clock;
    this.#functions = functions;
    this.#sendDeadLetter = sendDeadLetter;
  }

  /** Delivers the events of an earlier run. */
  resume(): void {
    for (const { value } of this.#state.startingWith(KEY_PREFIX)) void this.#deliver(JSON.parse(value));
  }

  enqueue(functionName: string, payload: Uint8Array): void {
    assertSize(payload, MAX_EVENT_BYTES);
    const now = this.#clock.now();
    const text = Buffer.from(payload).toString();
    const event = { id: randomUUID(), functionName, payload: text, queuedAt: now, dueAt: now, attempts: 0 };
    this.#save(event);
    void this.#deliver(event);
  }

  /** Waits for the function's attempts that are under way, not for later ones. */
  async untilAttempted(functionName: string): Promise<void> {
    await Promise.allSettled([...this.#underWay].map(([attempt, name]) => name === functionName && attempt));
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #deliver(event: QueuedEvent): Promise<void> {
    const target = this.#functions.get(event.functionName);
    while (target) {
      await this.#clock.until(event.dueAt, this.#stopped.signal);
      if (this.#stopped.signal.aborted) return;
      const outcome = await this.#attempt(target, event);
      if (this.#stopped.signal.aborted) return;
      if (outcome && !outcome.functionError) break;
      if (isExhausted(event)) {
        const { deadLetterQueue } = target.plan;
        if (deadLetterQueue !== undefined) await this.#sendDeadLetter(deadLetterQueue, event.payload);
        break;
      }
      this.#save(event);
    }
    this.#state.delete(KEY_PREFIX + event.id);
  }

  /** Undefined if the function refused the event: this does not count as an attempt. */
  async #attempt(target: LambdaFunction, event: QueuedEvent): Promise<InvocationResult | undefined> {
    const attempt = target.invoke(Buffer.from(event.payload), event.id);
    this.#underWay.set(attempt, event.functionName);
    try {
      const outcome = await attempt;
      event.attempts += 1;
      event.dueAt = this.#clock.now() + event.attempts * 60_000;
      return outcome;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      event.dueAt = this.#clock.now() + 1000;
      return undefined;
    } finally {
      this.#underWay.delete(attempt);
    }
  }

  #save(event: QueuedEvent): void {
    this.#state.write(KEY_PREFIX + event.id, JSON.stringify(event));
  }
}

const isExhausted = ({ attempts, dueAt, queuedAt }: QueuedEvent): boolean =>
  attempts >= MAX_ATTEMPTS || dueAt - queuedAt > MAX_AGE_MS;
