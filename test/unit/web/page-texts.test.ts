import { ERRORS } from '../../../shared/contract/errors.ts';
import * as signing from '../../../shared/contract/signing.ts';
import { PAGE_TEXTS } from '../../../shared/texts/page.ts';
import { DEAD_REASONS } from '../../../web/flow/flow.ts';

/** Every sentence of a catalogue by its path; those that count are asked with 1 and with 3. */
function sentences(texts: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    const at = path ? `${path}.${key}` : key;
    if (typeof value === 'string') found.set(at, value);
    else if (typeof value === 'function') {
      found.set(`${at}(1)`, value(1, 1));
      found.set(`${at}(3)`, value(3, 3));
    } else for (const [more, words] of sentences(value, at)) found.set(more, words);
  }
  return found;
}

const english = sentences(PAGE_TEXTS.en);
const OTHERS = ['fi', 'fr', 'de'] as const;
/** Words that are the same in two languages by right. */
const SHARED =
  /^(code\.(submit|locked)|document\.(region|pageShort|page|zoom|details)|sign\.role|steps|optional)/;

describe('the catalogue of the page', () => {
  it.each(OTHERS)('says everything in %s that it says in English', (locale) => {
    expect([...sentences(PAGE_TEXTS[locale]).keys()]).toEqual([...english.keys()]);
  });

  it.each(OTHERS)('leaves nothing in English in %s', (locale) => {
    const same = [...sentences(PAGE_TEXTS[locale])].filter(
      ([path, words]) => words === english.get(path) && !SHARED.test(path),
    );
    expect(same).toEqual([]);
  });

  it.each(['en', ...OTHERS] as const)('has no blank, loose or unfilled sentence in %s', (locale) => {
    const bad = [...sentences(PAGE_TEXTS[locale])].filter(
      ([, words]) => words.trim() !== words || words === '' || /undefined|NaN|\$\{|TODO| {2}/.test(words),
    );
    expect(bad).toEqual([]);
  });

  it('has an ending for every way a link can die', () => {
    expect(Object.keys(PAGE_TEXTS.en.ended).sort()).toEqual([...DEAD_REASONS].sort());
  });
});

it('knows what to do with every refusal that the signer’s calls can answer', () => {
  const handled = new Set<string>([
    ...DEAD_REASONS,
    'verification_required',
    'document_mismatch',
    'consent_outdated',
    'already_signed',
    'invalid_signature',
    'invalid_name',
    'invalid_reason',
    'document_purged',
    'not_yet_signed',
    'too_many_codes',
    'locked',
    'email_failed',
    'invalid_code_format',
    'wrong_code',
    'code_expired',
  ]);
  const answered = Object.values(signing).flatMap((value) => ('errors' in value ? value.errors : []));
  expect(answered.filter((code) => !handled.has(code))).toEqual([]);
  expect([...handled].filter((code) => !(code in ERRORS))).toEqual([]);
});
