import { HOUR, MINUTE, SECOND, sleep } from '../../shared/runtime/time.ts';
import { until } from '../support/until.ts';
import { listed, waitingWork } from './collect.ts';
import type { World } from './world.ts';

/** Brings the service to rest: nothing fails any more, and the clock moves so that nothing has to wait. */

/** Longer than every queue's visibility timeout. */
const REDELIVERY = 13 * MINUTE;
const MOST_ROUNDS = 30;
/** Statuses that end by expiry. */
const OPEN = ['pending', 'sent', 'opened'];
/** More at once than any hour brings; an hour's load at one moment would try the machine, not the service. */
const EXPIRING_AT_ONCE = 20;

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
export async function isFinished(world: World): Promise<boolean> {
  await until(async () => (await isAtRest(world)) || (await isQuiet(world)), 'the service to be quiet', 300);
  return isAtRest(world);
}

async function redriveDeadLetters({ service }: World): Promise<void> {
  for (const { queue, dead_letters: count } of await service.admin('queue', 'list')) {
    if (count === 0) continue;
    await service.admin('queue', ...(queue === 'schedules' ? ['clear', '--yes'] : ['redrive']), queue);
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

/** Moves the clock over the expiry of all that is still open, a few requests at a time. */
async function letExpire(world: World): Promise<void> {
  const { service } = world;
  const open = await Promise.all(OPEN.map((status) => listed(world, status)));
  const ends = open
    .flat()
    .map(({ expires_at }) => Date.parse(expires_at))
    .sort((a, b) => a - b);
  for (let place = 0; place < ends.length; place += EXPIRING_AT_ONCE) {
    const end = ends[Math.min(place + EXPIRING_AT_ONCE, ends.length) - 1] ?? 0;
    service.advance(Math.max(0, end + SECOND - world.now));
    await service.runSchedule('expire');
    await sweep(world);
  }
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
  if ((await listed(world, 'stamp_failed')).length > 0) {
    await service.admin('request', 'restamp', '--all-failed');
    await sweep(world);
  }
  await letExpire(world);
  // Ends deletions that were interrupted.
  await service.runSchedule('purge');
  await sweep(world);
}
