/** Feeds a queue's messages to a function in batches, as an event source mapping does. */
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventSourcePlan } from '../assembly/plan.ts';
import type { ReceivedMessage, Services } from '../ports.ts';
import { type LambdaFunction, maxRequestBytes } from './lambdaFunction.ts';

const waitMs = 20_000;
const maxPerReceive = 10;
/** Without a limit of its own, as many batches as Lambda begins with. */
const defaultConcurrency = 5;
/** How many batches may be at work, and how many at work or waiting. */
const withTimeToSpare = { atWork: 8, inAll: 40 };
const withoutTime = { atWork: 5, inAll: 15 };
/** A batch that takes longer waits for somebody. */
const patienceMs = 1_500;
const lookMs = 50;
/** The share of the time that this process is at work, from which on it has none to spare. */
const busy = 0.7;
/** More than a record has beside its message. */
const recordBytes = 512;

export class EventSource {
  readonly #plan: EventSourcePlan;
  readonly #target: LambdaFunction;
  readonly #services: Services;
  readonly #stopped = new AbortController();
  /** When each batch began that is not done with. */
  readonly #inFlight = new Map<Promise<void>, number>();

  constructor(plan: EventSourcePlan, target: LambdaFunction, services: Services) {
    this.#plan = plan;
    this.#target = target;
    this.#services = services;
  }

  /** Runs until stopped. */
  async run(): Promise<void> {
    const allowed = this.#plan.maxConcurrency ?? this.#target.plan.reservedConcurrency ?? defaultConcurrency;
    const limit = Math.min(allowed, withTimeToSpare.inAll);
    this.#target.allowWorkers(limit);
    while (!this.#stopped.signal.aborted) {
      await this.#room(limit);
      for (const records of invocations(await this.#collectBatch())) this.#start(records);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  /**
   * What waits in the queue goes in the queue's fair order, what waits here would not: so nothing is taken before it can run.
   * Batches that are at work make one another slow; those that wait for an answer from outside stand in nobody's way.
   */
  async #room(limit: number): Promise<void> {
    let room = withoutTime;
    while (!this.#isWithin(room, limit)) {
      const before = performance.eventLoopUtilization();
      const looked = await Promise.race([...this.#inFlight.keys(), pause(lookMs, true, { ref: false })]);
      const hasTime = looked === true && performance.eventLoopUtilization(before).utilization < busy;
      room = hasTime ? withTimeToSpare : withoutTime;
    }
  }

  #isWithin({ atWork, inAll }: typeof withoutTime, limit: number): boolean {
    const longAgo = performance.now() - patienceMs;
    const working = [...this.#inFlight.values()].filter((began) => began > longAgo);
    return working.length < atWork && this.#inFlight.size < Math.min(inAll, limit);
  }

  #start(batch: ReceivedMessage[]): void {
    const delivery = this.#deliver(batch).finally(() => this.#inFlight.delete(delivery));
    this.#inFlight.set(delivery, performance.now());
  }

  /** Waits for a first message, then for the batching window or a full batch. */
  async #collectBatch(): Promise<ReceivedMessage[]> {
    const batch = await this.#receive(waitMs, this.#plan.batchSize);
    const windowEnds = Date.now() + this.#plan.windowSeconds * 1000;
    while (batch.length > 0 && batch.length < this.#plan.batchSize && !this.#stopped.signal.aborted) {
      const left = windowEnds - Date.now();
      const more = await this.#receive(Math.max(0, left), this.#plan.batchSize - batch.length);
      batch.push(...more);
      if (left <= 0 && more.length === 0) break;
    }
    return batch;
  }

  #receive(ms: number, room: number): Promise<ReceivedMessage[]> {
    return this.#services.receive(
      this.#plan.queueName,
      Math.min(maxPerReceive, room),
      ms,
      this.#stopped.signal,
    );
  }

  /** What the function does not finish stays in the queue, and is seen again when its visibility time-out ends. */
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
        messageId: message.messageId,
        receiptHandle: message.receiptHandle,
        body: message.body,
        attributes: message.attributes,
        messageAttributes: message.messageAttributes,
        md5OfBody: message.md5OfBody,
        eventSource: 'aws:sqs',
        eventSourceARN: this.#plan.queueArn,
        awsRegion: this.#services.region,
      })),
    };
  }
}

/** A batch of large messages goes in several invocations, each of which takes only so many bytes. */
function* invocations(batch: ReceivedMessage[]): Generator<ReceivedMessage[]> {
  let portion: ReceivedMessage[] = [];
  let bytes = 0;
  for (const message of batch) {
    const size = Buffer.byteLength(JSON.stringify(message)) + recordBytes;
    if (bytes + size > maxRequestBytes) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(message);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}

/** An answer that is not understood counts, as in Lambda, as a failure of the whole batch. */
function failedItems(payload: Buffer): Set<string> | 'all' {
  try {
    const answer: { batchItemFailures?: { itemIdentifier: string }[] } | null = JSON.parse(
      payload.toString(),
    );
    const failed = new Set((answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
    return failed.has('') ? 'all' : failed;
  } catch {
    return 'all';
  }
}
