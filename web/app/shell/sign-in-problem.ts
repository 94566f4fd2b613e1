import { SignatureRequestsError } from '../../../client/src/errors.ts';
import type { AppTexts } from '../../../shared/texts/en/app.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import { keepsNoCookies } from '../../parts/cookies.ts';
import { formatUntil } from '../../parts/format.ts';
import { messageOf } from '../parts/problem.tsx';

/** A longer pause than between two codes means that the daily limit is reached. */
const DAY_LIMIT_MS = 60_000;

/** After such an error the attempt accepts no more codes. */
export const isEndOfCode = (thrown: unknown): boolean =>
  thrown instanceof SignatureRequestsError && ['locked', 'code_expired'].includes(thrown.code);

/** Says why a sign-in failed, and what still works or when. `hasCode`: a code that was sent can still be entered. */
export function signInProblem(
  thrown: unknown,
  texts: AppTexts,
  locale: Locale,
  now: number,
  hasCode: boolean,
): string {
  if (!(thrown instanceof SignatureRequestsError)) return messageOf(thrown, texts);
  const { code, details, retryAfterMs = 0 } = thrown;
  if (code === 'code_expired' && keepsNoCookies()) return texts.signIn.noCookies;
  if (code === 'wrong_code' && typeof details.attempts_left === 'number')
    return texts.signIn.wrongCode(details.attempts_left);
  if (code === 'too_many_codes' && retryAfterMs > DAY_LIMIT_MS) {
    const until = formatUntil(new Date(now + retryAfterMs).toISOString(), now, locale);
    const refusal = texts.signIn.noMoreCodes(until);
    return hasCode ? `${refusal} ${texts.signIn.codeStillWorks}` : refusal;
  }
  return messageOf(thrown, texts);
}
