import { SQSClient } from '@aws-sdk/client-sqs';
import { inParallel } from '../../shared/jobs/due.ts';
import { dispatch } from '../../shared/queues/dispatch.ts';
import { restamp } from '../../shared/requests/ending.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { BY_DUE, DUE_SHARDS, dueShard } from '../../shared/store/keys.ts';
import type { Table } from '../../shared/store/table.ts';
import { command } from './command.ts';
import { Progress } from './progress.ts';

/** Requests whose seal was given up. */
async function failedSeals(table: Table): Promise<string[]> {
  const shards = await Promise.all(
    Array.from({ length: DUE_SHARDS }, (_, shard) =>
      table.queryAll({ index: BY_DUE, pk: dueShard('STAMP_FAILED', shard) }),
    ),
  );
  return shards.flat().map(({ id }) => String(id));
}

export const sealCommands = [
  command({
    name: 'request restamp-failed',
    summary: 'Queue every seal again that failed',
    args: [],
    options: {},
    run: async (_input, { table, clients, now, output }) => {
      const sqs = new SQSClient(clients);
      const queues = { seal: output('SealQueueUrl') };
      const ids = await failedSeals(table);
      const progress = new Progress('Queueing seals', ids.length);
      let queued = 0;
      await inParallel(ids, async (id) => {
        const changed = await changeRequest(
          table,
          id,
          // Someone else may have been faster.
          (request, time) => (request.state.status === 'stamp_failed' ? restamp(request, time) : undefined),
          now,
        );
        await dispatch(sqs, queues, changed?.outbox ?? []);
        queued += changed?.outbox.length ?? 0;
        progress.add();
      });
      progress.end();
      return { queued };
    },
  }),
];
