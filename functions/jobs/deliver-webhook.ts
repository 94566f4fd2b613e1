import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { consume } from '../../shared/queues/consume.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { Table } from '../../shared/store/table.ts';
import { resolveWith } from '../../shared/webhooks/addresses.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../shared/webhooks/messages.ts';
import { makePost } from '../../shared/webhooks/post.ts';
import { configuredReach } from '../../shared/webhooks/reach.ts';
import { secretOpener } from '../../shared/webhooks/secrets.ts';

const parts = {
  table: new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME')),
  openSecret: secretOpener(new KMSClient(CLIENT_SETTINGS), setting('WEBHOOK_KEY_ARN')),
  post: makePost({ ...configuredReach(), resolve: resolveWith() }),
  now: systemNow,
};

export const handler = consume((message) => deliver(message as DeliveryMessage, parts));
