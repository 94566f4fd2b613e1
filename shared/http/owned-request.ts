import type { Caller } from '../accounts/authenticate.ts';
import type { SignatureRequest } from '../requests/model.ts';
import { ApiError } from './api-error.ts';

/** A request of another owner, or of the other mode, is answered as one that does not exist. */
export function owned<R extends SignatureRequest>(request: R | undefined, caller: Caller): R {
  const theirs = request && request.state.ownerId === caller.ownerId && request.state.mode === caller.mode;
  if (!theirs) throw new ApiError('not_found');
  return request;
}
