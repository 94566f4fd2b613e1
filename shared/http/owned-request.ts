import type { Caller } from '../accounts/authenticate.ts';
import { notFound } from '../contract/api-error.ts';
import type { SignatureRequest } from '../requests/model.ts';

/** Throws `not_found` for a request of another owner or mode, to hide that it exists. */
export function requireOwned<R extends SignatureRequest>(request: R | undefined, caller: Caller): R {
  const isOwned = request && request.state.ownerId === caller.ownerId && request.state.mode === caller.mode;
  if (!isOwned) throw notFound('id');
  return request;
}
