import { addMember, changeRole, removeMember } from '../../../shared/accounts/members.ts';
import * as app from '../../../shared/contract/app.ts';
import { adminRoute, byOf, organizationOf } from '../../../shared/http/app-endpoint.ts';
import type { Route } from '../../../shared/http/router.ts';
import type { Send } from '../../../shared/store/dispatch.ts';
import { listMembers, type Member } from '../../../shared/store/members.ts';
import type { Table } from '../../../shared/store/table.ts';

const memberView = ({ userId, email, role, addedAt }: Member) => ({
  user_id: userId,
  email,
  role,
  added_at: addedAt,
});

export const memberRoutes = (table: Table, send: Send): Route[] => [
  adminRoute(table, app.listMembers, async ({ caller, json }) => {
    const members = await listMembers(table, organizationOf(caller));
    return json({ data: members.map(memberView) });
  }),

  adminRoute(table, app.addMember, async (call) => {
    const { email, role, locale = 'en' } = call.body;
    const organization = organizationOf(call.caller);
    const { member, outbox } = await addMember(
      table,
      organization,
      { email, role, tells: locale },
      byOf(call),
    );
    await send(outbox);
    return call.json(memberView(member));
  }),

  adminRoute(table, app.updateMember, async (call) => {
    const change = { userId: call.params.user_id, role: call.body.role };
    return call.json(memberView(await changeRole(table, organizationOf(call.caller), change, byOf(call))));
  }),

  adminRoute(table, app.removeMember, async (call) => {
    const userId = call.params.user_id;
    await removeMember(table, organizationOf(call.caller), userId, byOf(call));
    return call.json({ user_id: userId, removed_at: call.now.toISOString() });
  }),
];
