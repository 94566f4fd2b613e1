import { routed } from '../../shared/http/router.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { configuredSend } from '../../shared/store/dispatch.ts';
import { keyRoutes } from './account/keys.ts';
import { memberRoutes } from './account/members.ts';
import { sessionRoutes } from './account/sessions.ts';
import { settingsRoutes } from './account/settings.ts';

const table = configuredTable();

export const handler = routed([
  ...sessionRoutes(table),
  ...memberRoutes(table, configuredSend(['mail'])),
  ...keyRoutes(table),
  ...settingsRoutes(table),
]);
