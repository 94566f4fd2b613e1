import { SignatureRequestsError } from '../../../../client/src/errors.ts';
import { signInProblem } from '../../../../web/app/shell/sign-in-problem.ts';
import { APP_TEXTS } from '../../../support/app-texts.ts';

// In whatever zone the test runs: the page names times in the browser's.
const NOW = new Date(2026, 10, 22, 10).getTime();
const texts = APP_TEXTS.en;
const said = (
  code: string,
  more: ConstructorParameters<typeof SignatureRequestsError>[2] = {},
  hasCode = false,
) => signInProblem(new SignatureRequestsError(code, code, more), texts, 'en', NOW, hasCode);

it('the message about a wrong code names the attempts left', () => {
  expect(said('wrong_code', { details: { attempts_left: 3 } })).toContain('3 attempts left');
  expect(said('wrong_code', { details: { attempts_left: 1 } })).toContain('one attempt left');
});

it('the end of the attempts says to ask for a new code', () => {
  expect(said('locked')).toBe(texts.problems.locked);
});

it('a code requested too soon has another message than the daily limit', () => {
  expect(said('too_many_codes', { retryAfterMs: 29_000 })).toBe(texts.problems.too_many_codes);
  expect(said('too_many_codes', { retryAfterMs: 8 * 3_600_000 })).toContain('22 November 2026 at 18:00');
});

it('an earlier code is said to still work only if it can be entered', () => {
  const spent = { retryAfterMs: 8 * 3_600_000 };
  expect(said('too_many_codes', spent, true)).toContain(texts.signIn.codeStillWorks);
  expect(said('too_many_codes', spent, false)).not.toContain(texts.signIn.codeStillWorks);
});

it('a browser that keeps no cookies is said to be the reason why no code works', () => {
  expect(said('code_expired')).toBe(texts.problems.code_expired);
  Object.defineProperty(navigator, 'cookieEnabled', { value: false, configurable: true });
  expect(said('code_expired')).toBe(texts.signIn.noCookies);
  Reflect.deleteProperty(navigator, 'cookieEnabled');
});

it('a lost connection has the usual message', () => {
  expect(signInProblem(new Error('broke'), texts, 'en', NOW, true)).toBe(texts.unknownProblem(''));
});
