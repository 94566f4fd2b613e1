import { SQSClient } from '@aws-sdk/client-sqs';
import { routed } from '../../shared/http/router.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { keyRoutes } from './account/keys.ts';
import { memberRoutes } from './account/members.ts';
import { sessionRoutes } from './account/sessions.ts';
import { settingsRoutes } from './account/settings.ts';

const table = configuredTable();
const sqs = new SQSClient(CLIENT_SETTINGS);

export const handler = routed([
  ...sessionRoutes(table),
  ...memberRoutes(table, sqs, setting('MAIL_QUEUE_URL')),
  ...keyRoutes(table),
  ...settingsRoutes(table),
]);
