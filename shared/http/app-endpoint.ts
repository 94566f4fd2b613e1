import { ApiError } from '../contract/api-error.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { addLogFields } from '../runtime/log.ts';
import { systemNow } from '../runtime/time.ts';
import type { AppSession } from '../store/app-sessions.ts';
import type { Owner } from '../store/owners.ts';
import type { Table } from '../store/table.ts';
import { findUser } from '../store/users.ts';
import { sessionOf } from '../verification/sign-in/app-session.ts';
import { type Call, type HttpEvent, header, type Reply } from './call.ts';
import type { Route } from './router.ts';
import { serve } from './serve.ts';

/** The dashboard's calls. A session counts only with a header that other sites cannot send. */

export interface SignedIn {
  user: Owner;
  session: AppSession;
}

export const isFromApp = (event: HttpEvent): boolean => header(event, 'x-requested-with') === 'app';

/** The user of the browser's session, or the refusal. */
export async function identifyUser(table: Table, event: HttpEvent): Promise<SignedIn> {
  const session = isFromApp(event) && (await sessionOf(table, header(event, 'cookie'), systemNow()));
  const user = session && (await findUser(table, session.userId));
  if (!session || !user) throw new ApiError('sign_in_required');
  addLogFields({ user_id: user.id });
  return { user, session };
}

const HEADERS = { 'Referrer-Policy': 'no-referrer' };

/** A call by anyone, as far as the headers show who calls. */
export const openRoute = <E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E, HttpEvent>) => Promise<Reply<E>>,
): Route => ({
  endpoint,
  handler: serve<E, HttpEvent>(endpoint, { identify: async (event) => event, headers: HEADERS, handle }),
});

/** A call by a user who has signed in. */
export const userRoute = <E extends Endpoint>(
  table: Table,
  endpoint: E,
  handle: (call: Call<E, SignedIn>) => Promise<Reply<E>>,
): Route => ({
  endpoint,
  handler: serve<E, SignedIn>(endpoint, {
    identify: (event) => identifyUser(table, event),
    headers: HEADERS,
    handle,
  }),
});
