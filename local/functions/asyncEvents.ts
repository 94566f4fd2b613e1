/**
 * Events for functions that nobody waits for. Each is written down before it is acknowledged, tried again after one and
 * two minutes of the local clock, and handed to the function's dead letters when every attempt failed.
 */
import { randomUUID } from 'node:crypto';
import type { FunctionPlan } from '../assembly/plan.ts';
import type { LocalClock } from '../clock.ts';
import type { Services } from '../ports.ts';
import type { State } from '../state.ts';
import { type InvocationResult, InvokeRefused, type LambdaFunction } from './lambdaFunction.ts';

interface QueuedEvent {
  id: string;
  functionName: string;
  payload: string;
  queuedAt: number;
  dueAt: number;
  attempts: number;
}

const maxEventBytes = 1024 * 1024;
const keyPrefix = 'event/';

export class AsyncEvents {
  readonly #state: State;
  readonly #clock: LocalClock;
  readonly #functions: ReadonlyMap<string, LambdaFunction>;
  readonly #sendDeadLetter: Services['send'];
  readonly #stopped = new AbortController();

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

  /** Goes on with what an earlier run left behind. */
  resume(): void {
    for (const { value } of this.#state.startingWith(keyPrefix)) void this.#deliver(JSON.parse(value));
  }

  enqueue(functionName: string, payload: Uint8Array): void {
    if (payload.length > maxEventBytes) {
      throw new InvokeRefused(
        'RequestTooLargeException',
        413,
        `An event must be smaller than ${maxEventBytes} bytes`,
      );
    }
    const now = this.#clock.now();
    const text = Buffer.from(payload).toString();
    const event = { id: randomUUID(), functionName, payload: text, queuedAt: now, dueAt: now, attempts: 0 };
    this.#save(event);
    void this.#deliver(event);
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
      if (!outcome?.functionError && outcome) break;
      if (outcome && this.#isExhausted(event, target.plan)) {
        await this.#giveUp(event, target.plan, outcome);
        break;
      }
      this.#save(event);
    }
    this.#state.delete(keyPrefix + event.id);
  }

  /** Undefined where the function had no room for the event, which then does not count as an attempt. */
  async #attempt(target: LambdaFunction, event: QueuedEvent): Promise<InvocationResult | undefined> {
    try {
      const outcome = await target.invoke(Buffer.from(event.payload), event.id);
      event.attempts += 1;
      event.dueAt = this.#clock.now() + event.attempts * 60_000;
      return outcome;
    } catch (error) {
      if (!(error instanceof InvokeRefused)) throw error;
      event.dueAt = this.#clock.now() + 1000;
      return undefined;
    }
  }

  #isExhausted(event: QueuedEvent, { asynchronous }: FunctionPlan): boolean {
    const tooOld = event.dueAt - event.queuedAt > asynchronous.maxAgeSeconds * 1000;
    return event.attempts > asynchronous.retries || tooOld;
  }

  async #giveUp(event: QueuedEvent, plan: FunctionPlan, outcome: InvocationResult): Promise<void> {
    const { deadLetterQueue, onFailureQueue } = plan.asynchronous;
    if (deadLetterQueue !== undefined) await this.#sendDeadLetter(deadLetterQueue, event.payload);
    if (onFailureQueue === undefined) return;
    const envelope = {
      version: '1.0',
      timestamp: new Date(this.#clock.now()).toISOString(),
      requestContext: {
        requestId: event.id,
        functionArn: `${plan.arn}:$LATEST`,
        condition: 'RetriesExhausted',
        approximateInvokeCount: event.attempts,
      },
      requestPayload: JSON.parse(event.payload),
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: outcome.functionError },
      responsePayload: JSON.parse(outcome.payload.toString()),
    };
    await this.#sendDeadLetter(onFailureQueue, JSON.stringify(envelope));
  }

  #save(event: QueuedEvent): void {
    this.#state.write(keyPrefix + event.id, JSON.stringify(event));
  }
}
