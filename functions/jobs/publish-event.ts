import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { Table } from '../../shared/store/table.ts';
import { publishEvent } from '../../shared/webhooks/publish.ts';
import { consume, outboxIdOf } from '../../shared/work/consume.ts';

const table = new Table(new DynamoDBClient(JOB_CLIENT_SETTINGS), setting('TABLE_NAME'));
const sqs = new SQSClient(JOB_CLIENT_SETTINGS);
const queueUrl = setting('DELIVERIES_QUEUE_URL');

export const handler = consume((message) => publishEvent(outboxIdOf(message), { table, sqs, queueUrl }));
