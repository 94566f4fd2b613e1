/** An event source mapping: passes a queue's messages to a function in batches. */
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventSourcePlan, FunctionPlan } from '../assembly/plan.ts';
import type { ReceivedMessage, Services } from '../ports.ts';
import { type LambdaFunction, MAX_REQUEST_BYTES } from './lambda-function.ts';

const LONG_POLL_MS = 20_000;
const MAX_PER_RECEIVE = 10;
/** Lambda's initial concurrency, if neither mapping nor function set a limit. */
const DEFAULT_CONCURRENCY = 5;
/** Batches in flight: `working` are recent ones, which use the processor; `total` includes those that wait. */
const IDLE_LIMITS = { working: 8, total: 40 };
const BUSY_LIMITS = { working: 5, total: 15 };
/** Lambda gives a function of so much memory a whole processor, so it is one that computes. */
const COMPUTING_MB = 1_769;
/** While this process is busy, such functions leave half of the processors to the calls that somebody waits for. */
const COMPUTING_LIMITS = { ...BUSY_LIMITS, working: Math.ceil(availableParallelism() / 2) };
/** A batch that runs longer is assumed to wait for an outside call. */
const SLOW_BATCH_MS = 1_500;
const SAMPLE_MS = 50;
/** From this event loop utilization on, this process counts as busy. */
const BUSY_UTILIZATION = 0.7;
/** An upper bound of a record's size without its message. */
const RECORD_OVERHEAD_BYTES = 512;

type Queues = Pick<Services, 'receive' | 'deleteMessages' | 'region'>;
type Target = Pick<LambdaFunction, 'allowWorkers' | 'invoke'> & {
  readonly plan: Pick<FunctionPlan, 'reservedConcurrency' | 'memoryMb'>;
};

export class EventSource {
  readonly #plan: EventSourcePlan;
  readonly #target: Target;
  readonly #services: Queues;
  readonly #stopped = new AbortController();
  /** The start time of each batch in flight. */
  readonly #inFlight = new Map<Promise<void>, number>();

  constructor(plan: EventSourcePlan, target: Target, services: Queues) {
    this.#plan = plan;
    this.#target = target;
    this.#services = services;
  }

  /** Runs until stopped. Ignores a receive that fails after that: another engine may be gone already. */
  async run(): Promise<void> {
    try {
      await this.#poll();
    } catch (error) {
      if (!this.#stopped.signal.aborted) throw error;
    }
  }

  async #poll(): Promise<void> {
    const allowed = this.#plan.maxConcurrency ?? this.#target.plan.reservedConcurrency ?? DEFAULT_CONCURRENCY;
    const limit = Math.min(allowed, IDLE_LIMITS.total);
    this.#target.allowWorkers(limit);
    while (!this.#stopped.signal.aborted) {
      await this.#waitForCapacity(limit);
      for (const records of invocations(await this.#collectBatch())) this.#start(records);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  /**
   * Receives only what can start now: buffering here would defeat the queue's fair ordering. Batches that use the
   * processor slow each other down; batches that wait for an outside call do not.
   */
  async #waitForCapacity(limit: number): Promise<void> {
    const busyLimits = this.#target.plan.memoryMb < COMPUTING_MB ? BUSY_LIMITS : COMPUTING_LIMITS;
    let limits = busyLimits;
    while (!this.#isWithin(limits, limit)) {
      const before = performance.eventLoopUtilization();
      const sampled = await Promise.race([...this.#inFlight.keys(), pause(SAMPLE_MS, true, { ref: false })]);
      const isIdle =
        sampled === true && performance.eventLoopUtilization(before).utilization < BUSY_UTILIZATION;
      limits = isIdle ? IDLE_LIMITS : busyLimits;
    }
  }

  #isWithin({ working, total }: typeof BUSY_LIMITS, limit: number): boolean {
    const slowSince = performance.now() - SLOW_BATCH_MS;
    const recent = [...this.#inFlight.values()].filter((startedAt) => startedAt > slowSince);
    return recent.length < working && this.#inFlight.size < Math.min(total, limit);
  }

  #start(batch: ReceivedMessage[]): void {
    const delivery = this.#deliver(batch).finally(() => this.#inFlight.delete(delivery));
    this.#inFlight.set(delivery, performance.now());
  }

  /** Waits for a first message, then takes those that are there until the batch is full. */
  async #collectBatch(): Promise<ReceivedMessage[]> {
    const batch = await this.#receive(LONG_POLL_MS, this.#plan.batchSize);
    while (batch.length > 0 && batch.length < this.#plan.batchSize) {
      const more = await this.#receive(0, this.#plan.batchSize - batch.length);
      if (more.length === 0) break;
      batch.push(...more);
    }
    return batch;
  }

  #receive(waitMs: number, max: number): Promise<ReceivedMessage[]> {
    return this.#services.receive(
      this.#plan.queueName,
      Math.min(MAX_PER_RECEIVE, max),
      waitMs,
      this.#stopped.signal,
    );
  }

  /** Messages that the function does not finish stay in the queue until their visibility timeout ends. */
  async #deliver(batch: ReceivedMessage[]): Promise<void> {
    try {
      const { payload, functionError } = await this.#target.invoke(
        Buffer.from(JSON.stringify(this.#event(batch))),
      );
      if (functionError) return;
      const failed = this.#plan.reportsItemFailures ? failedItems(payload) : new Set<string>();
      const done = failed === 'all' ? [] : batch.filter(({ messageId }) => !failed.has(messageId));
      if (done.length > 0) {
        await this.#services.deleteMessages(
          this.#plan.queueName,
          done.map(({ receiptHandle }) => receiptHandle),
        );
      }
    } catch (error) {
      const throttled = error instanceof Error && error.name === 'TooManyRequestsException';
      if (!throttled && !this.#stopped.signal.aborted) throw error;
    }
  }

  #event(batch: ReceivedMessage[]): object {
    return {
      Records: batch.map((message) => ({
        ...message,
        messageAttributes: {},
        eventSource: 'aws:sqs',
        eventSourceARN: this.#plan.queueArn,
        awsRegion: this.#services.region,
      })),
    };
  }
}

/** Splits a batch of large messages into invocations within the payload limit. */
function* invocations(batch: ReceivedMessage[]): Generator<ReceivedMessage[]> {
  let portion: ReceivedMessage[] = [];
  let bytes = 0;
  for (const message of batch) {
    const size = Buffer.byteLength(JSON.stringify(message)) + RECORD_OVERHEAD_BYTES;
    if (bytes + size > MAX_REQUEST_BYTES) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(message);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}

/** Like Lambda, treats an answer that is malformed or names no message as a failure of the whole batch. */
function failedItems(payload: Buffer): Set<string> | 'all' {
  try {
    const answer: { batchItemFailures?: { itemIdentifier: string }[] } | null = JSON.parse(
      payload.toString(),
    );
    const failed = (answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
    return failed.every(Boolean) ? new Set(failed) : 'all';
  } catch {
    return 'all';
  }
}
