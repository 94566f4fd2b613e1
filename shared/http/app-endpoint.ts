import { assertAdmin, ownerFor } from '../accounts/acting-for.ts';
import type { Caller } from '../accounts/authenticate.ts';
import { ApiError } from '../contract/api-error.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { MODES } from '../contract/fields.ts';
import { addLogFields } from '../runtime/log.ts';
import { systemNow } from '../runtime/time.ts';
import type { By } from '../store/account-log.ts';
import type { AppSession } from '../store/app-sessions.ts';
import { type Owner, ownerSnapshot, type Permit } from '../store/owners.ts';
import type { Table } from '../store/table.ts';
import { findUser } from '../store/users.ts';
import { sessionOf } from '../verification/sign-in/app-session.ts';
import { type Call, type HttpEvent, header, type Reply } from './call.ts';
import type { Route } from './router.ts';
import { serve } from './serve.ts';

/** The dashboard's calls. A session counts only with a header that other sites cannot send. */

interface SignedIn {
  user: Owner;
  session: AppSession;
}

export const isFromApp = (event: HttpEvent): boolean => header(event, 'x-requested-with') === 'app';

/**
 * Whether the page is that of the session's user. All tabs of a browser share its cookie: where another person has signed in
 * since, an older tab would act in their name.
 */
const isPageOf = (event: HttpEvent, userId: string): boolean =>
  (header(event, 'x-user') ?? userId) === userId;

/** The user of the browser's session, or the refusal. */
async function identifyUser(table: Table, event: HttpEvent): Promise<SignedIn> {
  const session = isFromApp(event) && (await sessionOf(table, header(event, 'cookie'), systemNow()));
  const user = session && isPageOf(event, session.userId) && (await findUser(table, session.userId));
  if (!session || !user) throw new ApiError('sign_in_required');
  addLogFields({ user_id: user.id });
  return { user, session };
}

/** The caller of the client API on the dashboard: the signed-in user, for the owner in `X-Owner`. */
export async function callerOnDashboard(
  table: Table,
  { adminsOnly }: Endpoint,
  event: HttpEvent,
): Promise<Caller> {
  const { user } = await identifyUser(table, event);
  const acting = await ownerFor(table, user, header(event, 'x-owner'));
  if (adminsOnly) assertAdmin(acting);
  const mode = MODES.find((each) => each === (header(event, 'x-mode') ?? 'live'));
  if (!mode) throw new ApiError('invalid_request', 'X-Mode must be live or test.', { field: '/x-mode' });
  return { ...ownerSnapshot(acting.owner), mode, user: { id: user.id, email: user.name } };
}

export interface Administrator extends SignedIn {
  owner: Owner;
  /** Reads again whether the user is an admin of the owner: a call may have taken that away since this one began. */
  permit: Permit;
}

/** The id of the organization; refuses a user, who has no members. */
export function organizationOf({ owner }: Administrator): string {
  if (owner.type !== 'organization') throw new ApiError('not_found', 'Only organizations have members.');
  return owner.id;
}

/** For the log of the account. */
export const byOf = ({
  caller,
  visitor,
  now,
}: Pick<Call<Endpoint, Administrator>, 'caller' | 'visitor' | 'now'>): By => ({
  userId: caller.user.id,
  visitor,
  now,
  permit: caller.permit,
});

type Handle<E extends Endpoint, Caller> = (call: Call<E, Caller>) => Promise<Reply<E>>;

const route = <E extends Endpoint, Caller>(
  endpoint: E,
  identify: (event: HttpEvent) => Promise<Caller>,
  handle: Handle<E, Caller>,
): Route => ({
  endpoint,
  handler: serve<E, Caller>(endpoint, { identify, headers: { 'Referrer-Policy': 'no-referrer' }, handle }),
});

/** A call by anyone, as far as the headers show who calls. */
export const openRoute = <E extends Endpoint>(endpoint: E, handle: Handle<E, HttpEvent>): Route =>
  route(endpoint, async (event) => event, handle);

export const userRoute = <E extends Endpoint>(
  table: Table,
  endpoint: E,
  handle: Handle<E, SignedIn>,
): Route => route(endpoint, (event) => identifyUser(table, event), handle);

/** A call by a user who may administrate the owner in `X-Owner`. */
export const adminRoute = <E extends Endpoint>(
  table: Table,
  endpoint: E,
  handle: Handle<E, Administrator>,
): Route => {
  const identify = async (event: HttpEvent): Promise<Administrator> => {
    const signedIn = await identifyUser(table, event);
    const permit = async (): Promise<Owner> => {
      const acting = await ownerFor(table, signedIn.user, header(event, 'x-owner'));
      assertAdmin(acting);
      return acting.owner;
    };
    const owner = await permit();
    addLogFields({ owner_id: owner.id });
    return { ...signedIn, owner, permit };
  };
  return route(endpoint, identify, handle);
};
