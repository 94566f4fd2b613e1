import { locksAnyOf } from '../../../shared/sealing/locks.ts';
import { openPdf } from '../../../shared/sealing/plan.ts';
import { cpuTimeOf } from './cpu-time.ts';
import { craft, ONE_PAGE } from './craft.ts';

/** True if a signature that locks these fields locks any with these names. */
function locks(locked: readonly string[], names: readonly string[]): boolean {
  const fields = locked.map((name) => `(${name})`).join(' ');
  const lock = `<</TransformMethod /FieldMDP /TransformParams <</Action /Include /Fields [${fields}]>>>>`;
  const { file, catalog } = openPdf(
    craft({ objects: { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R /Reference [${lock}]>>` } }),
  );
  return locksAnyOf(file, catalog.dict, names);
}

describe('a signature that locks fields', () => {
  it.each<[string, string, boolean]>([
    ['a', 'a', true],
    ['a', 'a.b.c', true],
    ['a.b', 'a.b.c', true],
    ['a.b', 'a', false],
    ['a.b', 'a.bc', false],
    ['a', 'ab', false],
    ['a.', 'a.b', false],
    ['b', 'a.b', false],
    ['x', 'a'.repeat(99).split('').join('.'), false],
    ['x', 'a'.repeat(101).split('').join('.'), true],
  ])('by the name %s decides about the field %s: %p', (locked, name, expected) => {
    expect(locks(['other', locked], [name])).toBe(expected);
  });

  it('is too complex if it names one lock 3,000 times', () => {
    const named = (prefix: string) => Array.from({ length: 1_000 }, (_, index) => `${prefix}${index}`);
    const fields = named('a').map((name) => `(${name})`);
    const pdf = craft({
      objects: {
        ...ONE_PAGE,
        1: `<</Type /Catalog /Pages 2 0 R /Reference [${'4 0 R '.repeat(3_000)}]>>`,
        4: `<</TransformMethod /FieldMDP /TransformParams <</Action /Include /Fields [${fields.join(' ')}]>>>>`,
      },
    });
    const { file, catalog } = openPdf(pdf);
    expect(() => locksAnyOf(file, catalog.dict, named('b'))).toThrow('too many steps');
  });

  it('decides about 50,000 fields by 50,000 names in little time', () => {
    const named = (prefix: string) => Array.from({ length: 50_000 }, (_, index) => `${prefix}${index}.x`);
    const spent = cpuTimeOf(() => expect(locks(named('a'), named('b'))).toBe(false));
    expect(spent).toBeLessThan(3_000);
  });
});
