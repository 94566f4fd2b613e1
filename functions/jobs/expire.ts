import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { runJob } from '../../shared/jobs/run.ts';
import { dispatch } from '../../shared/queues/dispatch.ts';
import { expire } from '../../shared/requests/ending.ts';
import { isActive, isExpired } from '../../shared/requests/lifecycle.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { type Item, Table } from '../../shared/store/table.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const sqs = new SQSClient(CLIENT_SETTINGS);
const queues = { event: setting('EVENTS_QUEUE_URL') };

/** Ends every request whose time is over. Who signs or cancels at the same moment was faster, or is too late. */
async function end({ id }: Item, now: () => Date): Promise<boolean> {
  const changed = await changeRequest(
    table,
    String(id),
    (request, time) =>
      isActive(request.state) && isExpired(request.state, time) ? expire(request, time) : undefined,
    now,
  );
  await dispatch(sqs, queues, changed?.outbox ?? []);
  return changed !== undefined && changed.outbox.length > 0;
}

const lambda = new LambdaClient(CLIENT_SETTINGS);
export const handler = runJob({ table, lambda, name: 'expire', kind: 'EXPIRE', work: end });
