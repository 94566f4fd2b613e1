import { SignatureRequestsError } from '../../../../client/src/errors.ts';
import { LOCALES } from '../../../../shared/texts/languages.ts';
import { messageOf } from '../../../../web/app/parts/problem.tsx';
import { APP_TEXTS } from '../../../support/app-texts.ts';

const texts = APP_TEXTS.en;
const refused = (retryAfterMs?: number) =>
  messageOf(new SignatureRequestsError('too_many_requests', 'Too many.', { retryAfterMs }), texts);

it('a daily limit names the hours to wait, and a short limit says to wait a moment', () => {
  expect(refused()).toBe(texts.problems.too_many_requests);
  expect(refused(60_000)).toBe(texts.problems.too_many_requests);
  expect(refused(20 * 60_000)).toBe(texts.limitReached(1));
  expect(refused(8.2 * 3_600_000)).toBe(texts.limitReached(9));
});

it('the text for a request that is not found names the two choices that may hide it', () => {
  expect(texts.problems.not_found).toMatch(/another account.*test mode/);
});

it('of an encrypted file, which may open without a password, the text says that it may be protected against changes', () => {
  const stems = { en: 'changes', de: 'Änderungen', fr: 'modifications', fi: 'muutoksilta', sv: 'ändringar' };
  for (const locale of LOCALES) expect(APP_TEXTS[locale].problems.pdf_encrypted).toContain(stems[locale]);
});
