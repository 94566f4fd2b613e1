import { randomUUID } from 'node:crypto';
import type { SignatureRequest } from '../../shared/requests/model.ts';
import { TimedReceiver } from './timed-receiver.ts';
import { until } from './until.ts';
import type { WebhookFeeder } from './webhook-feeder.ts';

const BURST = 1_000;
const QUIET_EVENTS = 5;

interface Wait {
  milliseconds: number;
  /** Events of the burst that arrived in the meantime. */
  overtaken: number;
}

export interface BurstOutcome {
  /** Delay of each event of the quiet owner. */
  waits: Wait[];
  /** Progress of the burst when the last of them had arrived. */
  burstArrivedThen: number;
  burstTookMs: number;
  burstCalls: number;
}

async function ownerWithReceiver(feeder: WebhookFeeder, options?: { answers: boolean }) {
  const ownerId = randomUUID();
  const receiver = await TimedReceiver.start(options);
  await feeder.endpoints(ownerId, [receiver.url()]);
  return { ownerId, receiver };
}

/** Emits one event and waits for its arrival. */
export async function receiveOne(feeder: WebhookFeeder, receiver: TimedReceiver, request: SignatureRequest) {
  const { eventIds, committedAt } = await feeder.emit([request]);
  const at = await until(() => receiver.arrivals.get(eventIds[0] ?? ''), 'the quiet owner’s event', 60);
  return { at, committedAt };
}

/**
 * One owner has a thousand events at once, for a receiver that answers or hangs; another has a few, one after the other,
 * while those are under way.
 */
export async function duringBurst(
  feeder: WebhookFeeder,
  burstReceiver?: { answers: boolean },
): Promise<BurstOutcome> {
  const busy = await ownerWithReceiver(feeder, burstReceiver);
  const quiet = await ownerWithReceiver(feeder);
  try {
    const busyRequests = await feeder.requests(busy.ownerId, BURST);
    const quietRequests = await feeder.requests(quiet.ownerId, QUIET_EVENTS);
    const arrivedAt = () => [...busy.receiver.arrivals.values()];
    // All of it waits before the quiet owner's first event.
    const burst = await feeder.emit(busyRequests);

    const waits: Wait[] = [];
    for (const request of quietRequests) {
      const { at, committedAt } = await receiveOne(feeder, quiet.receiver, request);
      const overtaken = arrivedAt().filter((other) => other > committedAt && other < at).length;
      waits.push({ milliseconds: at - committedAt, overtaken });
    }
    const burstArrivedThen = busy.receiver.arrivals.size;
    await until(() => busy.receiver.arrivals.size === BURST, 'the whole burst', 120);
    return {
      waits,
      burstArrivedThen,
      burstTookMs: Math.max(...arrivedAt()) - burst.committedAt,
      burstCalls: busy.receiver.calls,
    };
  } finally {
    busy.receiver.stop();
    quiet.receiver.stop();
  }
}
