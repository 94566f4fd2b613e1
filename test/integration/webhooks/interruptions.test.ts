import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from '../../../local/ports.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { Service } from '../../support/service.ts';
import { TimedReceiver } from '../../support/timed-receiver.ts';
import { until } from '../../support/until.ts';
import { WebhookFeeder } from '../../support/webhook-feeder.ts';

let service: Service;
let feeder: WebhookFeeder;
const deliverer = () => `${service.cloud.stackName}-deliver-webhook`;
/** Longer than a message stays hidden from others while a function has it. */
const HIDDEN = 4 * MINUTE;

beforeAll(async () => {
  service = await Service.start();
}, 120_000);
beforeEach(() => {
  feeder = new WebhookFeeder(service.cloud);
});
afterAll(() => service?.stop());

async function scene(url: string) {
  const ownerId = randomUUID();
  await feeder.endpoints(ownerId, [url]);
  const requests = await feeder.requests(ownerId, 1);
  const id = requests[0]?.state.id ?? '';
  const webhookEvents = async () =>
    (await loadRequestWithTrail(feeder.table, id))?.events.filter(({ type }) =>
      type.startsWith('webhook_'),
    ) ?? [];
  return { emit: () => feeder.emit(requests), webhookEvents };
}

const at = (operation: string, effect: Fault['effect']) =>
  service.fault({ service: 'dynamodb', operation, function: deliverer(), after: 1, effect });
const faultFired = () => until(() => service.cloud.services.faults().length === 0, 'the fault');

/** Lets the queue hand out again what a killed function had, and the sweep look twice. */
async function letTimePass(): Promise<void> {
  service.advance(HIDDEN);
  await service.runSchedule('sweep');
  await until(
    () =>
      service.cloud.services.queues().every(({ visible, in_flight: inFlight }) => visible + inFlight === 0),
    'the queues to be empty',
  );
  await service.runSchedule('sweep');
}

const unknown = [{ type: 'webhook_failed', details: { http_status: null, error: 'outcome_unknown' } }];
const delivered = [{ type: 'webhook_delivered', details: { http_status: 200, error: null } }];

describe('a delivery function that is killed', () => {
  it.each<[string, string, Fault['effect'], number, object[]]>([
    ['before the claim delivers after all, once', 'PutItem', 'kill', 1, delivered],
    ['after the claim delivers nothing, and that is logged', 'PutItem', 'kill-after', 0, unknown],
    [
      'before it records the outcome has delivered, and is logged as unknown',
      'TransactWriteItems',
      'kill',
      1,
      unknown,
    ],
    [
      'after it recorded the outcome does not deliver again',
      'TransactWriteItems',
      'kill-after',
      1,
      delivered,
    ],
  ])('%s', async (_what, operation, effect, calls, log) => {
    const receiver = await TimedReceiver.start();
    const { emit, webhookEvents } = await scene(receiver.url());
    at(operation, effect);
    await emit();
    await faultFired();
    await letTimePass();
    await until(async () => (await webhookEvents()).length > 0, 'the log');
    receiver.stop();
    expect(receiver.calls).toBe(calls);
    expect(await webhookEvents()).toMatchObject(log);
  });

  it('during the call delivers once, and is logged as unknown', async () => {
    const receiver = await killingReceiver(() => service.cloud.functions.get(deliverer()).stop());
    const { emit, webhookEvents } = await scene(receiver.url);
    await emit();
    await until(() => receiver.calls() > 0, 'the call');
    await letTimePass();
    await until(async () => (await webhookEvents()).length > 0, 'the log');
    expect(receiver.calls()).toBe(1);
    receiver.server.close();
    expect(await webhookEvents()).toMatchObject(unknown);
  });
});

it('a message that the queue hands out three times is delivered once', async () => {
  const receiver = await TimedReceiver.start();
  const { emit, webhookEvents } = await scene(receiver.url());
  at('TransactWriteItems', 'kill-after');
  await emit();
  await faultFired();
  at('GetItem', 'kill');
  service.advance(HIDDEN);
  await faultFired();
  await letTimePass();
  receiver.stop();
  expect(receiver.calls).toBe(1);
  expect(await webhookEvents()).toMatchObject(delivered);
});

/** Kills the function while it waits for the answer. */
async function killingReceiver(
  kill: () => void,
): Promise<{ url: string; calls: () => number; server: Server }> {
  let calls = 0;
  const server = createServer(() => {
    calls += 1;
    kill();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, calls: () => calls, server };
}
