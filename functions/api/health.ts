import { health } from '../../shared/contract/health.ts';
import { serve } from '../../shared/http/serve.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { jobKey } from '../../shared/store/keys.ts';

const table = configuredTable();

/** Tests the whole path: edge, gateway, function, database. */
export const handler = serve(health, {
  identify: async () => undefined,
  handle: async ({ json }) => {
    await table.get(jobKey('health'));
    return json({ status: 'ok' });
  },
});
