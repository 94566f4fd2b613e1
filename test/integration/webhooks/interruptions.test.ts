/** @behaviour lambda.failures sqs.visibility */

import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Fault } from '../../../local/ports.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { endpointKey } from '../../../shared/store/keys.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { listenHere, originOf } from '../../support/loopback.ts';
import { Service } from '../../support/service.ts';
import { TimedReceiver } from '../../support/timed-receiver.ts';
import { until } from '../../support/until.ts';
import { WebhookFeeder } from '../../support/webhook-feeder.ts';

let service: Service;
let feeder: WebhookFeeder;
const DELIVERER = 'deliver-webhook';
/** Longer than the queue's visibility timeout. */
const AFTER_VISIBILITY_TIMEOUT = 4 * MINUTE;

beforeAll(async () => {
  service = await Service.startCold();
}, 120_000);
beforeEach(() => {
  feeder = new WebhookFeeder(service.cloud);
});
afterAll(() => service?.stop());

async function setUp(url: string) {
  const ownerId = randomUUID();
  const endpoints = await feeder.endpoints(ownerId, [url]);
  const requests = await feeder.requests(ownerId, 1);
  const id = requests[0]?.state.id ?? '';
  const webhookEvents = async () =>
    (await loadRequestWithTrail(feeder.table, id))?.events.filter(({ type }) =>
      type.startsWith('webhook_'),
    ) ?? [];
  const keys = endpoints.map((endpoint) => endpointKey(ownerId, 'live', endpoint.id));
  return { keys, emit: () => feeder.emit(requests), webhookEvents };
}

const injectFault = (operation: string, effect: Fault['effect']) =>
  service.fault({ service: 'dynamodb', operation, function: DELIVERER, after: 1, effect });
const faultFired = () => until(() => service.cloud.services.faults().length === 0, 'the fault');

/** Lets the queue redeliver the killed function's message, and the sweep run before and after that. */
async function redeliverAndSweep(): Promise<void> {
  service.advance(AFTER_VISIBILITY_TIMEOUT);
  await service.runSchedule('sweep');
  await service.untilQueuesEmpty();
  await service.runSchedule('sweep');
}

const unknown = [{ type: 'webhook_failed', details: { http_status: null, error: 'outcome_unknown' } }];
const delivered = [{ type: 'webhook_delivered', details: { http_status: 200, error: null } }];

describe('interrupted deliveries', () => {
  it.each<[string, string, Fault['effect'], number, object[]]>([
    ['before the claim delivers once after redelivery', 'PutItem', 'kill', 1, delivered],
    ['after the claim sends nothing and records the outcome unknown', 'PutItem', 'kill-after', 0, unknown],
    [
      'before recording the outcome sends once and records the outcome unknown',
      'TransactWriteItems',
      'kill',
      1,
      unknown,
    ],
    ['after recording the outcome sends once', 'TransactWriteItems', 'kill-after', 1, delivered],
  ])('a delivery function killed %s', async (_what, operation, effect, calls, log) => {
    const receiver = await TimedReceiver.start();
    const { emit, webhookEvents } = await setUp(receiver.url());
    injectFault(operation, effect);
    await emit();
    await faultFired();
    await redeliverAndSweep();
    await until(async () => (await webhookEvents()).length > 0, 'the log');
    receiver.stop();
    expect(receiver.calls).toBe(calls);
    expect(await webhookEvents()).toMatchObject(log);
  });

  it('a delivery function killed during the call sends once and records the outcome unknown', async () => {
    const receiver = await killingReceiver(() =>
      service.cloud.functions.get(service.functionName(DELIVERER)).kill(),
    );
    const { emit, webhookEvents } = await setUp(receiver.url);
    await emit();
    await until(() => receiver.calls() > 0, 'the call');
    await redeliverAndSweep();
    await until(async () => (await webhookEvents()).length > 0, 'the log');
    expect(receiver.calls()).toBe(1);
    receiver.server.close();
    expect(await webhookEvents()).toMatchObject(unknown);
  });
});

it('a message that the queue delivers three times is sent once', async () => {
  const receiver = await TimedReceiver.start();
  const { emit, webhookEvents } = await setUp(receiver.url());
  injectFault('TransactWriteItems', 'kill-after');
  await emit();
  await faultFired();
  injectFault('GetItem', 'kill');
  service.advance(AFTER_VISIBILITY_TIMEOUT);
  await faultFired();
  await redeliverAndSweep();
  receiver.stop();
  expect(receiver.calls).toBe(1);
  expect(await webhookEvents()).toMatchObject(delivered);
});

it('a delivery function killed after it moved a delivery to the slow queue sends once', async () => {
  const receiver = await TimedReceiver.start();
  const { keys, emit, webhookEvents } = await setUp(receiver.url());
  for (const key of keys) await feeder.table.update(key, { timeouts: 3 });
  service.fault({
    service: 'sqs',
    operation: 'SendMessageBatch',
    function: DELIVERER,
    after: 1,
    effect: 'kill-after',
  });
  await emit();
  await faultFired();
  await until(async () => (await webhookEvents()).length > 0, 'the log');
  await redeliverAndSweep();
  receiver.stop();
  expect(receiver.calls).toBe(1);
  expect(await webhookEvents()).toMatchObject(delivered);
});

/** Starts a receiver that kills the function instead of answering. */
async function killingReceiver(
  kill: () => void,
): Promise<{ url: string; calls: () => number; server: Server }> {
  let calls = 0;
  const server = createServer(() => {
    calls += 1;
    kill();
  });
  await listenHere(server);
  return { url: `${originOf(server)}/`, calls: () => calls, server };
}
