import type { getMe } from '../contract/app.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { AppSession } from '../store/app-sessions.ts';
import type { Owner } from '../store/owners.ts';
import type { Table } from '../store/table.ts';
import { type ActingFor, ownersOf } from './acting-for.ts';

type Me = AnswerOf<typeof getMe>;

export const userView = ({ id, name, locale }: Owner): Me['user'] => ({
  user_id: id,
  email: name,
  locale: locale ?? null,
});

export const meView = (
  user: Owner,
  owners: readonly ActingFor[],
  { id, createdAt, expiresAt }: AppSession,
): Me => ({
  user: userView(user),
  owners: owners.map(({ owner, role }) => ({
    owner: role === 'user' ? 'user' : owner.id,
    name: owner.name,
    role,
    subscription: owner.subscription,
  })),
  session: { session_id: id, created_at: createdAt, expires_at: expiresAt },
});

/** The signed-in user, and the owners whom they may act for. */
export const me = async (table: Table, user: Owner, session: AppSession): Promise<Me> =>
  meView(user, await ownersOf(table, user), session);
