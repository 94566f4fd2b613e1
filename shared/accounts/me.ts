import type { getMe } from '../contract/app.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { AppSession } from '../store/app-sessions.ts';
import type { Owner } from '../store/owners.ts';
import type { ActingFor } from './acting-for.ts';

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
