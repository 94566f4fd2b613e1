import type { getMe } from '../contract/app.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { AppSession } from '../store/app-sessions.ts';
import type { Owner } from '../store/owners.ts';

/** Who is signed in, and whom they may act for. */
export const meView = (user: Owner, { id, createdAt, expiresAt }: AppSession): AnswerOf<typeof getMe> => ({
  user: { user_id: user.id, email: user.name },
  owners: [{ owner: 'user', name: user.name, role: 'user', subscription: user.subscription }],
  session: { session_id: id, created_at: createdAt, expires_at: expiresAt },
});
