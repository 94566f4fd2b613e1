import { SQSClient } from '@aws-sdk/client-sqs';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { eventPublisher } from '../../shared/webhooks/publish.ts';
import { consume } from '../../shared/work/consume.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const sqs = new SQSClient(JOB_CLIENT_SETTINGS);

export const handler = consume(eventPublisher({ table, sqs, queueUrl: setting('DELIVERIES_QUEUE_URL') }));
