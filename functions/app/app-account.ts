import { routed } from '../../shared/http/router.ts';
import { setting } from '../../shared/runtime/config.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import { keyRoutes } from './account/keys.ts';
import { memberRoutes } from './account/members.ts';
import { sessionRoutes } from './account/sessions.ts';
import { settingsRoutes } from './account/settings.ts';

const table = configuredTable();

export const handler = routed([
  ...sessionRoutes(table),
  ...memberRoutes(table, dispatchTo({ mail: setting('MAIL_QUEUE_URL') })),
  ...keyRoutes(table),
  ...settingsRoutes(table),
]);
