import { randomUUID } from 'node:crypto';
import { markdownTable } from '../../docs/cost/markdown-table.ts';
import prepare from '../support/prepare.ts';
import { Service } from '../support/service.ts';
import { TimedReceiver } from '../support/timed-receiver.ts';
import { until } from '../support/until.ts';
import { type BurstOutcome, duringBurst } from '../support/webhook-burst.ts';
import { WebhookFeeder } from '../support/webhook-feeder.ts';
import { circumstances, targetLines, writeSection } from './support/report.ts';

/**
 * Measures webhooks in the local cloud: deliveries a second, and the time from the commit of an event to its receipt.
 * Single events show the latency without load, a burst shows the maximum throughput.
 */

const SINGLE_EVENTS = 20;
const BURST_DELIVERIES = 1_000;

interface Row {
  endpoints: number;
  single: number[];
  burstEvents: number;
  burst: number[];
  deliveriesPerSecond: number;
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
  const deliveriesPerSecond = (events * endpoints * 1_000) / Math.max(...burst);
  return { endpoints, single: singles, burstEvents: events, burst, deliveriesPerSecond };
}

const p50AndP99 = (times: number[]) => `${percentile(times, 0.5)} / ${percentile(times, 0.99)} ms`;

const medianAndMax = ({ waits }: BurstOutcome): [number, number] => {
  const milliseconds = waits.map((wait) => wait.milliseconds);
  return [percentile(milliseconds, 0.5), Math.round(Math.max(...milliseconds))];
};

function report(rows: Row[], answering: BurstOutcome, hanging: BurstOutcome): string {
  const [median, slowest] = medianAndMax(answering);
  const [medianWhileHanging, slowestWhileHanging] = medianAndMax(hanging);
  const { waits, burstTookMs } = answering;
  const overtaken = Math.max(...waits.map((wait) => wait.overtaken));
  return [
    `\`npm run bench:webhooks\`, ${circumstances()}. Events of one owner, with the local cloud and the receivers on the same processors. Times are from the commit of the event to its receipt, p50 / p99.`,
    markdownTable(
      ['endpoints', 'one event alone', 'a burst of', 'each of its events', 'deliveries a second'],
      rows.map(({ endpoints, single, burstEvents, burst, deliveriesPerSecond }) => [
        endpoints,
        p50AndP99(single),
        `${burstEvents} events`,
        p50AndP99(burst),
        Math.round(deliveriesPerSecond),
      ]),
    ),
    `While 1,000 events of one owner are under way (${(burstTookMs / 1_000).toFixed(1)} s in all), another owner's events, one at a time, arrive within ${median} ms in the median and ${slowest} ms at most; at most ${overtaken} of the 1,000 arrive in the meantime. Where the receiver of the 1,000 hangs, they arrive within ${medianWhileHanging} ms in the median and ${slowestWhileHanging} ms at most.`,
    targetLines([
      [`a burst of one owner delays another's events by at most 2 seconds (${slowest} ms)`, slowest <= 2_000],
    ]),
  ].join('\n\n');
}

await prepare();
const service = await Service.start();
try {
  const feeder = new WebhookFeeder(service.cloud);
  await measure(feeder, 1);
  const rows: Row[] = [];
  for (const endpoints of [1, 10, 100]) rows.push(await measure(feeder, endpoints));
  const text = report(rows, await duringBurst(feeder), await duringBurst(feeder, { answers: false }));
  writeSection('Webhooks', text);
  console.log(text);
} finally {
  await service.stop();
}
