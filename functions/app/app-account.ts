import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { routed } from '../../shared/http/router.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { Table } from '../../shared/store/table.ts';
import { sessionRoutes } from './account/sessions.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));

export const handler = routed(sessionRoutes(table));
