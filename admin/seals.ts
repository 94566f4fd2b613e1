import { restamp } from '../shared/requests/ending.ts';
import type { SignatureRequest } from '../shared/requests/model.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import { changeRequest } from '../shared/store/change.ts';
import { allPending } from '../shared/work/due.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { Progress } from './progress.ts';
import { change, sendTo } from './requests.ts';

/** Queues every failed seal again. Skips requests that somebody else has changed meanwhile. */
async function restampAll(operator: Operator): Promise<number> {
  const failed = await allPending(operator.table, 'STAMP_FAILED');
  const send = sendTo(operator);
  using progress = new Progress('Queueing seals', failed.length);
  let queued = 0;
  await inParallel(failed, async ({ id }) => {
    const ifFailed = (request: SignatureRequest, time: Date) =>
      request.state.status === 'stamp_failed' ? restamp(request, time) : undefined;
    const changed = await changeRequest(operator, String(id), ifFailed);
    await send(changed?.outbox ?? []);
    queued += changed?.outbox.length ?? 0;
    progress.add();
  });
  return queued;
}

export const sealCommands = [
  command({
    name: 'request restamp',
    summary: 'Queue a failed seal again, or every failed seal with --all-failed',
    optionalArgs: ['id'],
    options: { 'all-failed': { help: 'Every request whose seal failed' } },
    run: async ({ id, 'all-failed': all }, operator) => {
      if (all === (id !== undefined)) throw new UsageError('"request restamp" needs an id, or --all-failed.');
      if (id === undefined) return { queued: await restampAll(operator) };
      const { state } = await change(id, restamp, operator);
      return { request_id: id, status: state.status };
    },
  }),
];
