import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { consume, outboxIdOf } from '../../shared/queues/consume.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { Table } from '../../shared/store/table.ts';
import { publishEvent } from '../../shared/webhooks/publish.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const sqs = new SQSClient(CLIENT_SETTINGS);
const queueUrl = setting('DELIVERIES_QUEUE_URL');

export const handler = consume((message) => publishEvent(outboxIdOf(message), { table, sqs, queueUrl }));
