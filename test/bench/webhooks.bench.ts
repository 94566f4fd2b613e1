import { randomUUID } from 'node:crypto';
import { Service } from '../support/service.ts';
import synthesize from '../support/synthesize.ts';
import { TimedReceiver } from '../support/timed-receiver.ts';
import { until } from '../support/until.ts';
import { WebhookFeeder } from '../support/webhook-feeder.ts';

/**
 * Webhooks in the local cloud: how many deliveries a second, and how long from the commit of an event to its receipt.
 * Single events show the time when there is nothing else to do, the burst what the machine can do at most.
 */

const SINGLE_EVENTS = 20;
const BURST_DELIVERIES = 1_000;

interface Row {
  endpoints: number;
  'single p50 ms': number;
  'single p99 ms': number;
  'burst events': number;
  'burst p50 ms': number;
  'burst p99 ms': number;
  'deliveries/s': number;
}

const percentile = (values: number[], share: number) => {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
};

const allArrived = (receivers: TimedReceiver[], eventIds: string[]) =>
  until(
    () => receivers.every(({ arrivals }) => eventIds.every((id) => arrivals.has(id))),
    'all deliveries',
    300,
  );

const delays = (receivers: TimedReceiver[], eventIds: string[], since: number) =>
  receivers.flatMap(({ arrivals }) => eventIds.map((id) => (arrivals.get(id) ?? Number.NaN) - since));

async function measure(feeder: WebhookFeeder, endpoints: number): Promise<Row> {
  const ownerId = randomUUID();
  const receivers = await Promise.all(Array.from({ length: endpoints }, () => TimedReceiver.start()));
  await feeder.endpoints(
    ownerId,
    receivers.map((receiver) => receiver.url()),
  );

  const singles: number[] = [];
  for (const request of await feeder.requests(ownerId, SINGLE_EVENTS)) {
    const { eventIds, committedAt } = await feeder.emit([request]);
    await allArrived(receivers, eventIds);
    singles.push(...delays(receivers, eventIds, committedAt));
  }

  const events = Math.max(1, BURST_DELIVERIES / endpoints);
  const requests = await feeder.requests(ownerId, events);
  const { eventIds, committedAt } = await feeder.emit(requests);
  await allArrived(receivers, eventIds);
  const burst = delays(receivers, eventIds, committedAt);
  for (const receiver of receivers) receiver.stop();
  return {
    endpoints,
    'single p50 ms': percentile(singles, 0.5),
    'single p99 ms': percentile(singles, 0.99),
    'burst events': events,
    'burst p50 ms': percentile(burst, 0.5),
    'burst p99 ms': percentile(burst, 0.99),
    'deliveries/s': Math.round((events * endpoints * 1_000) / Math.max(...burst)),
  };
}

synthesize();
const service = await Service.start();
try {
  const feeder = new WebhookFeeder(service.cloud);
  await measure(feeder, 1);
  const rows: Row[] = [];
  for (const endpoints of [1, 10, 100]) rows.push(await measure(feeder, endpoints));
  console.table(rows);
} finally {
  await service.stop();
}
