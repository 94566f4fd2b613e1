import { globSync, readFileSync } from 'node:fs';
import { ERRORS, NO_DOCUMENT } from '../../../shared/contract/errors.ts';
import * as signing from '../../../shared/contract/signing.ts';
import { PAGE_TEXTS } from '../../../shared/texts/languages.ts';
import { END_REASONS } from '../../../web/signing/flow/flow.ts';

it('the page has a text for every reason why a link can end', () => {
  expect(Object.keys(PAGE_TEXTS.en.ended).sort()).toEqual([...END_REASONS].sort());
});

it.each(Object.entries(PAGE_TEXTS))(
  'texts about faults and old links are also true for signers who have signed: %s',
  (_, { trouble, ended }) => {
    const denials =
      /not signed|nichts unterschrieben|n’a été signé|ei allekirjoitettu|inget har undertecknats/i;
    const deadlines = /time to sign|Frist|délai|aika on päättynyt|tiden för att/i;
    expect(trouble.text).not.toMatch(denials);
    expect(ended.link_expired.text).not.toMatch(deadlines);
  },
);

it('every error of the signing API is among those that the page handles', () => {
  const handled = new Set<string>([
    ...END_REASONS,
    'verification_required',
    'document_mismatch',
    'consent_outdated',
    'already_signed',
    'invalid_signature',
    'invalid_name',
    'invalid_reason',
    'document_purged',
    'evidence_unavailable',
    ...NO_DOCUMENT,
    'too_many_codes',
    'locked',
    'email_failed',
    'invalid_code_format',
    'wrong_code',
    'code_expired',
    'conflict',
    // The page sends the locale that it was given; a fault of ours, said like one.
    'invalid_locale',
  ]);
  const answered = Object.values(signing).flatMap((value) => ('errors' in value ? value.errors : []));
  expect(answered.filter((code) => !handled.has(code))).toEqual([]);
  expect([...handled].filter((code) => !(code in ERRORS))).toEqual([]);
});

it('no page puts a colon behind a text itself: French has a space before it', () => {
  const pages = globSync('web/**/*.tsx');
  expect(pages.length).toBeGreaterThan(50);
  const joined = pages.filter((page) => /texts\.[\w.]+(?:\([^{}]*\))?\}:/.test(readFileSync(page, 'utf8')));
  expect(joined).toEqual([]);
});
