import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { runJob } from '../../shared/jobs/run.ts';
import { protect, purged } from '../../shared/requests/ending.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { ownerKey } from '../../shared/store/keys.ts';
import { purgeObjects } from '../../shared/store/purge-objects.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { type Item, Table } from '../../shared/store/table.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const s3 = new S3Client(CLIENT_SETTINGS);
const bucket = setting('DOCUMENTS_BUCKET');

/** Removes the PDFs of requests whose retention is over, unless their owner's archive protects them by now. */
async function purge(item: Item, now: () => Date): Promise<boolean> {
  const id = String(item.id);
  const request = await loadRequest(table, id);
  if (
    !request ||
    request.state.purgedAt ||
    !request.state.purgeAt ||
    request.state.purgeAt > now().toISOString()
  )
    return false;
  const owner = await table.get(ownerKey(request.state.ownerId), { consistent: true });
  if (owner?.archive === true && request.state.mode === 'live') {
    await changeRequest(table, id, (current, time) => protect(current, true, time), now, { known: request });
    return false;
  }
  // The objects first: a run that dies in between finds the request still due, and nothing left to remove.
  await purgeObjects(s3, bucket, id);
  const { purgeAt } = request.state;
  let mine = false;
  await changeRequest(
    table,
    id,
    (current, time) => {
      mine = !current.state.purgedAt;
      // They are gone, also where protection began in this very moment.
      return mine ? purged({ ...current, state: { ...current.state, purgeAt } }, time) : undefined;
    },
    now,
  );
  return mine;
}

const lambda = new LambdaClient(CLIENT_SETTINGS);
export const handler = runJob({ table, lambda, name: 'purge', kind: 'PURGE', work: purge });
