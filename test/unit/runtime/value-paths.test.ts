import { isMissing, valueAt, without } from '../../../shared/runtime/value-paths.ts';

const EVENT = { name: 'Aino', details: { signers: [{ email: 'a@example.com', position: 0 }], name: null } };

describe('a path', () => {
  it('leads through objects and lists', () => {
    expect(valueAt(EVENT, 'name')).toBe('Aino');
    expect(valueAt(EVENT, 'details.signers.0.email')).toBe('a@example.com');
  });

  it('leads to nothing through what is no object', () => {
    for (const path of ['name.length', 'details.name.first', 'details.signers.1.email', 'other'])
      expect(valueAt(EVENT, path)).toBeUndefined();
  });
});

it('A value without some paths keeps the others, of the same names too, and is no change of the first', () => {
  const before = structuredClone(EVENT);
  expect(without(EVENT, new Set(['name', 'details.signers.0.email']))).toEqual({
    details: { signers: [{ position: 0 }], name: null },
  });
  expect(EVENT).toEqual(before);
});

it.each([
  [null, true],
  [undefined, true],
  ['', false],
  [0, false],
  [false, false],
])('%j is missing: %s', (value, missing) => expect(isMissing(value)).toBe(missing));
