import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import { sweepOutbox } from '../../shared/queues/sweep.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { SECOND, systemNow } from '../../shared/runtime/time.ts';
import { Table } from '../../shared/store/table.ts';
import { settleLostDeliveries } from '../../shared/webhooks/attempts.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const sqs = new SQSClient(CLIENT_SETTINGS);
const queues = {
  event: setting('EVENTS_QUEUE_URL'),
  seal: setting('SEAL_QUEUE_URL'),
  mail: setting('MAIL_QUEUE_URL'),
};

export const handler = async (_event: unknown, context: Context) => {
  const until = new Date(systemNow().getTime() + context.getRemainingTimeInMillis() - 5 * SECOND);
  return {
    settled: await settleLostDeliveries(table, systemNow, until),
    sent: await sweepOutbox(table, sqs, queues, systemNow, until),
  };
};
