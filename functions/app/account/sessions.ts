import { ownersOf } from '../../../shared/accounts/acting-for.ts';
import { meView, userView } from '../../../shared/accounts/me.ts';
import { ApiError } from '../../../shared/contract/api-error.ts';
import { getMe, listSessions, revokeSession, signOut, updateMe } from '../../../shared/contract/app.ts';
import { userRoute } from '../../../shared/http/app-endpoint.ts';
import type { Route } from '../../../shared/http/router.ts';
import { accountEventWrite } from '../../../shared/store/account-log.ts';
import { endSession, listAppSessions } from '../../../shared/store/app-sessions.ts';
import { changeOwner } from '../../../shared/store/owners.ts';
import { type Table, tryWrite } from '../../../shared/store/table.ts';
import { ENDED_SESSION_COOKIE } from '../../../shared/verification/sign-in/app-session.ts';

export const sessionRoutes = (table: Table): Route[] => [
  userRoute(table, getMe, async ({ caller: { user, session }, json }) =>
    json(meView(user, await ownersOf(table, user), session)),
  ),

  userRoute(table, updateMe, async ({ caller: { user }, body: { locale }, json }) => {
    const changed = await changeOwner(table, user.id, 'user', { locale });
    if (!changed) throw new ApiError('sign_in_required');
    return json(userView(changed));
  }),

  userRoute(table, signOut, async ({ caller: { user, session }, visitor, now, json }) => {
    const by = { userId: user.id, visitor, now };
    const event = accountEventWrite(user.id, 'signed_out', by, { session_id: session.id });
    // Another call may have ended it meanwhile.
    await tryWrite(endSession(table, user.id, session.id, event));
    return json({ signed_out: true }, { 'Set-Cookie': ENDED_SESSION_COOKIE });
  }),

  userRoute(table, listSessions, async ({ caller: { user, session }, now, json }) => {
    const sessions = await listAppSessions(table, user.id, now);
    return json({
      data: sessions.map(({ id, createdAt, expiresAt, userAgent }) => ({
        session_id: id,
        created_at: createdAt,
        expires_at: expiresAt,
        user_agent: userAgent,
        current: id === session.id,
      })),
    });
  }),

  userRoute(table, revokeSession, async ({ caller: { user }, params, visitor, now, json }) => {
    const id = params.session_id;
    const by = { userId: user.id, visitor, now };
    const event = accountEventWrite(user.id, 'session_revoked', by, { session_id: id });
    if (!(await tryWrite(endSession(table, user.id, id, event))))
      throw new ApiError('not_found', 'There is no such session of yours.');
    return json({ session_id: id, revoked_at: now.toISOString() });
  }),
];
