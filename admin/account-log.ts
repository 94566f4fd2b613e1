import { newestAccountEvents } from '../shared/store/account-log.ts';
import { findOwner } from '../shared/store/owners.ts';
import { command } from './command.ts';
import { noOwner } from './errors.ts';

const SHOWN = 200;

export const accountLogCommands = [
  command({
    name: 'account log',
    summary: `Show what users did to the account of an organization or user, the newest ${SHOWN} events of a year`,
    args: ['owner-id'],
    run: async ({ 'owner-id': id }, { table }) => {
      if (!(await findOwner(table, id))) throw noOwner(id);
      const events = await newestAccountEvents(table, id, SHOWN);
      return events.map(({ at, type, userId, ipAddress, userAgent, details }) => ({
        at,
        type,
        user_id: userId,
        ip_address: ipAddress,
        user_agent: userAgent,
        ...details,
      }));
    },
  }),
];
