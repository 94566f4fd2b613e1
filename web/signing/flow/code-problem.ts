import { ApiError, ConnectionLost } from '../api.ts';
import type { CodeProblem } from './flow.ts';

/** The page's message about a code that was rejected or not sent. `now` is in milliseconds. */
export function codeProblem(error: unknown, at: CodeProblem['at'], now: number): CodeProblem {
  if (error instanceof ConnectionLost) return { at, kind: 'lost' };
  if (!(error instanceof ApiError)) return { at, kind: 'fault' };
  switch (error.code) {
    case 'invalid_code_format':
      return { at: 'verify', kind: 'format' };
    case 'wrong_code':
      return { at: 'verify', kind: 'wrong', attemptsLeft: error.attemptsLeft ?? 0 };
    case 'code_expired':
      return { at: 'verify', kind: 'expired' };
    case 'email_failed':
      return { at: 'send', kind: 'email_failed' };
    case 'locked':
      return error.lockedUntil === null
        ? { at: 'send', kind: 'no_more' }
        : { at: 'send', kind: 'too_many', until: error.lockedUntil };
    case 'too_many_codes':
    case 'too_many_requests':
    // `conflict`: another mail to the signer is being sent.
    case 'conflict': {
      if (at === 'verify') return { at, kind: 'busy' };
      const until = new Date(now + (error.retryAfterSeconds ?? 60) * 1000);
      return { at, kind: 'too_many', until: until.toISOString() };
    }
    default:
      return { at, kind: 'fault' };
  }
}
