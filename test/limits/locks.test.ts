import { locksAnyOf } from '../../shared/sealing/locks.ts';
import { openPdf } from '../../shared/sealing/plan.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { craft, ONE_PAGE } from '../unit/sealing/craft.ts';

/** A file whose catalog stands for a signature that locks these fields, and names the lock so many times. */
function locking(names: readonly string[], times: number) {
  const fields = names.map((name) => `(${name})`).join(' ');
  return openPdf(
    craft({
      objects: {
        ...ONE_PAGE,
        1: `<</Type /Catalog /Pages 2 0 R /Reference [${'4 0 R '.repeat(times)}]>>`,
        4: `<</TransformMethod /FieldMDP /TransformParams <</Action /Include /Fields [${fields}]>>>>`,
      },
    }),
  );
}

describe('a signature that locks fields', () => {
  it('is too complex if it names one lock 3,000 times', () => {
    const named = (prefix: string) => Array.from({ length: 1_000 }, (_, index) => `${prefix}${index}`);
    const { file, catalog } = locking(named('a'), 3_000);
    expect(() => locksAnyOf(file, catalog.dict, named('b'))).toThrow('too many steps');
  });

  it('decides about 50,000 fields by 50,000 names in little time', () => {
    const named = (prefix: string) => Array.from({ length: 50_000 }, (_, index) => `${prefix}${index}.x`);
    const { file, catalog } = locking(named('a'), 1);
    const spent = cpuTimeOf(() => expect(locksAnyOf(file, catalog.dict, named('b'))).toBe(false));
    expect(spent).toBeLessThan(3_000);
  });
});
