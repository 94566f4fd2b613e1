import { shownKeys } from '../shared/accounts/keys.ts';
import { listMembers } from '../shared/store/members.ts';
import { notificationAddress } from '../shared/store/owners.ts';
import { listEndpoints } from '../shared/store/webhook-endpoints.ts';
import { command } from './command.ts';
import { countRequests } from './counts.ts';
import { accountOf } from './keys.ts';

export const organizationCommands = [
  command({
    name: 'org show',
    summary: 'Show an organization with its keys, webhook endpoints and requests by state, without secrets',
    args: ['id'],
    run: async ({ id }, operator) => {
      const { table } = operator;
      const { owner, keys } = await accountOf({ type: 'organization', id }, operator);
      const endpoints = [
        ...(await listEndpoints(table, { ownerId: id, mode: 'live' })),
        ...(await listEndpoints(table, { ownerId: id, mode: 'test' })),
      ];
      const { live, test } = await countRequests(table, [owner]);
      return {
        organization_id: owner.id,
        name: owner.name,
        created_at: owner.createdAt,
        subscription: owner.subscription,
        archive: owner.archive,
        reminders: owner.reminders,
        notify: notificationAddress(owner),
        signer_notices: owner.signerNotices,
        webhook_url: owner.webhookUrl,
        members: (await listMembers(table, id)).map(({ userId, email, role }) => ({
          user_id: userId,
          email,
          role,
        })),
        keys: await shownKeys(keys, table),
        webhook_endpoints: endpoints.map((endpoint) => ({
          id: endpoint.id,
          mode: endpoint.mode,
          url: endpoint.url,
          event_types: endpoint.eventTypes,
          disabled_at: endpoint.disabledAt,
        })),
        requests: live,
        test_requests: test,
      };
    },
  }),
];
