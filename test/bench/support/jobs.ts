import type { Life, Tally } from '../../../docs/cost/measured.ts';
import { RETENTION_DAYS } from '../../../shared/requests/lifecycle.ts';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import type { SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';
import { average, difference, tally } from './calls.ts';

/** Measures each job: an idle run, and the additional cost of one due item. */

export interface JobCost {
  label: string;
  function: string;
  cost: Tally;
}

const queued = ({ functions }: Life, name: string, label: string): JobCost[] => {
  const share = functions[name];
  return share ? [{ label, function: name, cost: average(share.cost, share.invocations) }] : [];
};

export const queueJobs = (life: Life): JobCost[] => [
  ...queued(life, 'complete-mail', 'notices of a sealed request'),
  ...queued(life, 'publish-event', 'publish an event to one endpoint'),
  ...queued(life, 'deliver-webhook', 'deliver an event'),
];

/** Advances the clock by days, and waits for the daily jobs that this starts. */
async function advance(stage: SigningStage, time: number): Promise<void> {
  const { service } = stage;
  service.cloud.services.clearCalls();
  service.advance(time);
  const hasRun = (name: string) =>
    service.cloud.services
      .calls()
      .some((call) => call.function === service.functionName(name) && call.operation === 'PutItem');
  await until(() => ['remind', 'expire', 'purge'].every(hasRun), 'the daily jobs to run', 60);
  await service.untilQueuesEmpty();
}

export async function scheduledJobs(stage: SigningStage): Promise<JobCost[]> {
  const { service } = stage;
  const { clock } = service.cloud;
  const costs: JobCost[] = [];
  const run = async (name: string) => tally(await service.callsOf(name, () => service.runSchedule(name)));
  const add = (name: string, label: string, cost: Tally) => costs.push({ label, function: name, cost });
  const idleRun = async (name: string) => {
    await run(name);
    const idle = await run(name);
    add(name, `${name}, a run with nothing to do`, idle);
    return idle;
  };
  /** Measures an idle run a minute before the item is due, then a run after it. */
  const oneDue = async (name: string, label: string, dueAt: number) => {
    await advance(stage, dueAt - MINUTE - clock.now());
    const idle = await idleRun(name);
    service.advance(2 * MINUTE);
    add(name, label, difference(await run(name), idle));
  };

  await idleRun('sweep');
  await idleRun('check-certificates');
  await idleRun('gather-revocation');
  // Earlier requests are due earlier, so the idle run before each measurement processes them.
  service.advance(5 * MINUTE);
  const createdAt = clock.now();
  await stage.send(1);
  await oneDue('remind', 'remind a signer', createdAt + 3 * DAY);
  await oneDue('expire', 'let a request expire', createdAt + 30 * DAY);
  await oneDue('purge', 'purge a document', clock.now() + RETENTION_DAYS * DAY);
  return costs;
}
