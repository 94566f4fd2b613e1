import { DAY, HOUR, MINUTE, sleep } from '../../shared/runtime/time.ts';
import { until } from '../support/until.ts';
import { waitingWork } from './collect.ts';
import { LIFETIME_DAYS } from './life.ts';
import type { World } from './world.ts';

/** Brings the service to rest: nothing fails any more, and the clock moves so that nothing has to wait. */

/** Longer than every queue's visibility timeout. */
const REDELIVERY = 13 * MINUTE;
const MOST_ROUNDS = 30;

async function isAtRest(world: World): Promise<boolean> {
  const { queues, due } = await waitingWork(world);
  return due.length === 0 && queues.every(({ waiting }) => waiting === 0);
}

/** Waits, without moving the clock, until the work that is under way has ended. */
export const untilAtRest = (world: World): Promise<boolean> =>
  until(() => isAtRest(world), 'queues and outbox to be empty', 300);

const QUIET_MS = 1_000;

/** True once no function made a call for a while: the clock must not move under one that works. */
async function isQuiet({ service }: World): Promise<boolean> {
  const { services } = service.cloud;
  services.clearCalls();
  await sleep(QUIET_MS);
  return services.calls().every((call) => call.function === 'operator');
}

/** Waits until all work is done, or what is left waits for its time; tells whether it is done. */
async function isFinished(world: World): Promise<boolean> {
  await until(async () => (await isAtRest(world)) || (await isQuiet(world)), 'the service to be quiet', 300);
  return isAtRest(world);
}

async function redriveDeadLetters({ service }: World): Promise<void> {
  for (const { queue, dead_letters: count } of await service.admin('queue', 'list')) {
    if (count === 0) continue;
    await service.admin('queue', queue === 'schedules' ? 'clear' : 'redrive', queue);
  }
}

/** Sweeps and redelivers until nothing waits, as the schedules would in an hour or two. */
async function sweep(world: World): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS && !(await isFinished(world)); round += 1) {
    await redriveDeadLetters(world);
    world.service.advance(REDELIVERY);
    await world.service.runSchedule('sweep');
  }
}

async function statusCounts({ client }: World, status: string): Promise<number> {
  const { body } = await client.get(`/api/v1/signatures?limit=1&status=${status}`);
  return body.data.length;
}

/**
 * Lets everything end that was interrupted: work that waits is done, seals that were given up are started again, requests
 * that their people left expire.
 */
export async function settle(world: World): Promise<void> {
  const { service, authority, endpoints } = world;
  service.cloud.services.clearFaults();
  authority.mood = 'answers';
  for (const { receiver } of endpoints) receiver.mood = 'acknowledges';
  await isFinished(world);
  service.advance(HOUR + MINUTE);
  await service.runSchedule('sweep');
  await sweep(world);
  if ((await statusCounts(world, 'stamp_failed')) > 0) {
    await service.admin('request', 'restamp', '--all-failed');
    await sweep(world);
  }
  service.advance(LIFETIME_DAYS * DAY + HOUR);
  await service.runSchedule('expire');
  await sweep(world);
}
