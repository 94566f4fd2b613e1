import { SignatureRequestsError } from '../../../client/src/errors.ts';
import type { AppTexts } from '../../../shared/texts/en/app.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import { formatUntil } from '../../parts/format.ts';
import { messageOf } from '../parts/problem.tsx';

/** A longer pause than between two codes: the address has had all the codes of a day. */
const DAY_LIMIT_MS = 60_000;

/** After it the attempt takes no code any more. */
export const isEndOfCode = (thrown: unknown): boolean =>
  thrown instanceof SignatureRequestsError && ['locked', 'code_expired'].includes(thrown.code);

/**
 * The sentence about a refused sign-in, with the attempts that are left, or the time at which to ask again. `hasCode`: the
 * page has a code's attempt, without which no code can be entered.
 */
export function signInProblem(
  thrown: unknown,
  texts: AppTexts,
  locale: Locale,
  now: number,
  hasCode: boolean,
): string {
  if (!(thrown instanceof SignatureRequestsError)) return messageOf(thrown, texts);
  const { code, details, retryAfterMs = 0 } = thrown;
  if (code === 'wrong_code' && typeof details.attempts_left === 'number')
    return texts.signIn.wrongCode(details.attempts_left);
  if (code === 'too_many_codes' && retryAfterMs > DAY_LIMIT_MS) {
    const until = formatUntil(new Date(now + retryAfterMs).toISOString(), now, locale);
    const refusal = texts.signIn.noMoreCodes(until);
    return hasCode ? `${refusal} ${texts.signIn.codeStillWorks}` : refusal;
  }
  return messageOf(thrown, texts);
}
