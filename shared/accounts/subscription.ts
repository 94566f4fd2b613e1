import { ApiError } from '../contract/api-error.ts';
import type { Caller } from './authenticate.ts';

/** Test requests need no subscription. */
export function assertSubscribed({ mode, subscription }: Caller): void {
  if (mode === 'test' || subscription === 'active') return;
  throw new ApiError(subscription === 'none' ? 'subscription_required' : 'subscription_inactive');
}
