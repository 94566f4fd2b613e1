import { readFileSync } from 'node:fs';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { LOCALES } from '../../../shared/texts/languages.ts';
import { APP_TEXTS } from '../../support/app-texts.ts';

/** Texts are below the contract and guides are prose, so that neither takes the numbers from it. */

const numbersIn = (sentence: string): number[] =>
  [...sentence.matchAll(/\d+(?:[.,\s]\d{3})*/g)].map(([digits]) => Number(digits.replace(/\D/g, '')));

it.each(LOCALES)('the dashboard in %s names the limits that the service has', (locale) => {
  const { create, problems } = APP_TEXTS[locale];
  const { tooMany, days, tooLong } = create.faults;
  expect(numbersIn(tooMany)).toEqual([LIMITS.signers]);
  expect(numbersIn(days)).toEqual([1, LIMITS.expiryDays]);
  expect(numbersIn(create.daysHint(''))).toEqual([1, LIMITS.expiryDays]);
  for (const length of [LIMITS.titleLength, LIMITS.nameLength, LIMITS.referenceLength])
    expect(numbersIn(tooLong)).toEqual([length]);
  expect(numbersIn(problems.too_many_endpoints)).toEqual([LIMITS.webhookEndpoints]);
  expect(numbersIn(problems.invalid_message)).toEqual([LIMITS.messageLength]);
  expect(numbersIn(problems.invalid_reason)).toEqual([LIMITS.reasonLength]);
});

it.each(['README.md', 'docs/guides/signers.md'])(
  '%s names the number of signers that a request can have',
  (page) => {
    expect(readFileSync(page, 'utf8')).toContain(`1 to ${LIMITS.signers} signers`);
  },
);
