import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CLIENT_SETTINGS, type ClientSettings } from '../runtime/clients.ts';
import { setting } from '../runtime/config.ts';
import { Table } from './table.ts';

export const configuredTable = (settings: ClientSettings = CLIENT_SETTINGS): Table =>
  new Table(new DynamoDBClient(settings), setting('TABLE_NAME'));
