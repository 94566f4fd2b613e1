import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { health } from '../../shared/contract/health.ts';
import { serve } from '../../shared/http/serve.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { jobKey } from '../../shared/store/keys.ts';
import { Table } from '../../shared/store/table.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));

/** Tests the whole path: edge, gateway, function, database. */
export const handler = serve(health, {
  identify: async () => undefined,
  handle: async ({ json }) => {
    await table.get(jobKey('health'));
    return json({ status: 'ok' });
  },
});
