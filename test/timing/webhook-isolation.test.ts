import { randomUUID } from 'node:crypto';
import { endpointKey } from '../../shared/store/keys.ts';
import { loadRequestWithTrail } from '../../shared/store/requests.ts';
import { Service } from '../support/service.ts';
import { TimedReceiver } from '../support/timed-receiver.ts';
import { until } from '../support/until.ts';
import { duringBurst, receiveOne } from '../support/webhook-burst.ts';
import { WebhookFeeder } from '../support/webhook-feeder.ts';

let service: Service;
let feeder: WebhookFeeder;
const receivers: TimedReceiver[] = [];

beforeAll(async () => {
  service = await Service.start();
  feeder = new WebhookFeeder(service.cloud);
  // Warms the functions up: the tests measure isolation, not cold starts.
  const { ownerId, receiver } = await ownerWithReceiver();
  await feeder.emit(await feeder.requests(ownerId, 40));
  await until(() => receiver.arrivals.size === 40, 'the functions to have started');
}, 120_000);
afterAll(async () => {
  for (const receiver of receivers) receiver.stop();
  await service.stop();
});

async function receiver(options?: { answers: boolean }): Promise<TimedReceiver> {
  const started = await TimedReceiver.start(options);
  receivers.push(started);
  return started;
}

async function ownerWithReceiver() {
  const ownerId = randomUUID();
  const own = await receiver();
  await feeder.endpoints(ownerId, [own.url()]);
  return { ownerId, receiver: own };
}

const LIMIT_MS = 2_000;
/** Upper limit for a thousand deliveries on two idle processors (measured: seven to nine seconds). */
const USUAL_BURST_MS = 10_000;

/** The delay of each receiver's only event. */
const delaysOf = (receivers: TimedReceiver[], committedAt: number) =>
  receivers.flatMap(({ arrivals }) => [...arrivals.values()].map((arrivedAt) => arrivedAt - committedAt));

async function receiveByAll(ownerId: string, awaited: TimedReceiver[]) {
  const requests = await feeder.requests(ownerId, 1);
  const { committedAt } = await feeder.emit(requests);
  await until(() => awaited.every(({ arrivals }) => arrivals.size === 1), 'the receivers');
  return { requestId: requests[0]?.state.id ?? '', slowest: Math.max(...delaysOf(awaited, committedAt)) };
}

it('if 25 of 50 endpoints hang, the others receive within two seconds and all 50 attempts are recorded', async () => {
  const several = (count: number, options?: { answers: boolean }) =>
    Promise.all(Array.from({ length: count }, () => receiver(options)));
  const [alone, quick, hanging] = [
    await several(50),
    await several(25),
    await several(25, { answers: false }),
  ];
  const [baselineOwner, affectedOwner] = [randomUUID(), randomUUID()];
  const urls = (receivers: TimedReceiver[]) => receivers.map((one) => one.url());
  await feeder.endpoints(baselineOwner, urls(alone));
  await feeder.endpoints(affectedOwner, urls(quick.flatMap((one, index) => [one, hanging[index] ?? one])));

  const baseline = await receiveByAll(baselineOwner, alone);
  const { requestId, slowest } = await receiveByAll(affectedOwner, quick);
  // On a busy machine, fifty endpoints that answer take longer too.
  expect(slowest).toBeLessThan(Math.max(LIMIT_MS, 2 * baseline.slowest));

  const logged = await until(async () => {
    const stored = await loadRequestWithTrail(feeder.table, requestId);
    const events = stored?.events.filter(({ type }) => type.startsWith('webhook_')) ?? [];
    return events.length === 50 && events;
  }, 'fifty entries in the trail');
  expect(logged.filter(({ type }) => type === 'webhook_delivered')).toHaveLength(25);
  expect(logged.filter(({ details }) => details.error === 'timed_out')).toHaveLength(25);
});

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

it('a thousand events of one owner delay another owner’s by less than two seconds', async () => {
  const { waits, burstArrivedThen, burstTookMs, burstCalls } = await duringBurst(feeder);
  expect(burstArrivedThen).toBeLessThan(900);
  expect(burstCalls).toBe(1_000);
  // Two processors deliver 200 events in two seconds; this count holds on a busy machine too.
  expect(Math.max(...waits.map(({ overtaken }) => overtaken))).toBeLessThan(200);
  const slowness = Math.max(1, burstTookMs / USUAL_BURST_MS);
  expect(median(waits.map(({ milliseconds }) => milliseconds))).toBeLessThan(LIMIT_MS * slowness);
}, 180_000);

it('a thousand calls that hang do not delay another owner’s events', async () => {
  const { waits, burstArrivedThen, burstCalls } = await duringBurst(feeder, { answers: false });
  expect(burstArrivedThen).toBeLessThan(900);
  expect(burstCalls).toBe(1_000);
  // A hanging call times out after five seconds, so a blocked event would take longer than that.
  expect(Math.max(...waits.map(({ milliseconds }) => milliseconds))).toBeLessThan(4_500);
}, 180_000);

it('once endpoints hang, a thousand of their calls leave the slots to other owners', async () => {
  const HANGING = 40;
  const owner = () => randomUUID();
  const hanging = await receiver({ answers: false });
  // Endpoints of as many owners: no queue can tell them from quiet ones.
  const owners = Array.from({ length: HANGING }, owner);
  const endpoints = await Promise.all(
    owners.map(async (ownerId) =>
      (await feeder.endpoints(ownerId, [hanging.url()])).map(({ id }) => ({ ownerId, id })),
    ),
  );
  const requests = await Promise.all(owners.map((ownerId) => feeder.requests(ownerId, 25)));
  await feeder.emit(requests.flatMap((each) => each.slice(0, 3)));
  await until(
    async () => {
      const items = await Promise.all(
        endpoints.flat().map(({ ownerId, id }) => feeder.table.get(endpointKey(ownerId, 'live', id))),
      );
      return items.every((item) => item?.timeouts === 3);
    },
    'all endpoints to have timed out three times',
    60,
  );

  const quiet = await ownerWithReceiver();
  const quietRequests = await feeder.requests(quiet.ownerId, 3);
  const calls = hanging.calls;
  await feeder.emit(requests.flatMap((each) => each.slice(3)));
  const waits: number[] = [];
  for (const request of quietRequests) {
    const { at, committedAt } = await receiveOne(feeder, quiet.receiver, request);
    waits.push(at - committedAt);
  }
  // A slot that waits for one of these calls is free again after five seconds at the earliest.
  expect(Math.max(...waits)).toBeLessThan(4_500);
  // They still get theirs, at the slow queue's pace.
  await until(() => hanging.calls > calls, 'a call from the slow queue', 60);
}, 180_000);
