import { certificationOf, locksAnyOf, refuseIfLocked } from '../../../shared/sealing/locks.ts';
import { openPdf } from '../../../shared/sealing/plan.ts';
import { craft, ONE_PAGE } from './craft.ts';

/** A file whose catalog stands for a signature dictionary with these entries. */
function signatureWith(entries: string, objects: Record<string, string> = {}) {
  const { file, catalog } = openPdf(
    craft({ objects: { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R ${entries}>>`, ...objects } }),
  );
  return { file, signature: catalog.dict };
}

function locksBy(entries: string, names: readonly string[]): boolean {
  const { file, signature } = signatureWith(entries);
  return locksAnyOf(file, signature, names);
}

/** True if a signature that locks these fields locks any with these names. */
function locks(locked: readonly string[], names: readonly string[]): boolean {
  const fields = locked.map((name) => `(${name})`).join(' ');
  return locksBy(`/Reference [${FIELD_MDP(`/Action /Include /Fields [${fields}]`)}]`, names);
}

const DOC_MDP = (parameters: string) => `<</TransformMethod /DocMDP /TransformParams <<${parameters}>>>>`;
const FIELD_MDP = (parameters: string) => `<</TransformMethod /FieldMDP /TransformParams <<${parameters}>>>>`;

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
    ['', '.b', true],
    ['x', 'a'.repeat(99).split('').join('.'), false],
    ['x', 'a'.repeat(101).split('').join('.'), true],
  ])('a lock by the name %s covers the field %s: %p', (locked, name, expected) => {
    expect(locks(['other', locked], [name])).toBe(expected);
  });

  it.each<[string, boolean, string]>([
    ['All', true, FIELD_MDP('/Action /All')],
    ['Exclude', true, FIELD_MDP('/Action /Exclude /Fields [(a)]')],
    ['missing', true, FIELD_MDP('/Fields [(b)]')],
    ['Include, without a list', false, FIELD_MDP('/Action /Include')],
    ['Include, with something else than names first', true, FIELD_MDP('/Action /Include /Fields [7 (a)]')],
    ['All, in a certification', false, DOC_MDP('/Action /All')],
    ['All, behind a certification', true, `${DOC_MDP('/P 2')} ${FIELD_MDP('/Action /All')}`],
    ['All, behind what is no reference', true, `7 <<>> ${FIELD_MDP('/Action /All')}`],
  ])('a lock whose action is %s covers a field: %s', (_action, expected, references) => {
    expect(locksBy(`/Reference [${references}]`, ['a'])).toBe(expected);
  });

  it('a lock of one of several fields is found', () => {
    expect(locks(['b'], ['a', 'b', 'c'])).toBe(true);
  });

  it('a signature locks nothing in a document without fields, or without a lock of its own', () => {
    expect(locksBy(`/Reference [${FIELD_MDP('/Action /All')}]`, [])).toBe(false);
    expect(locksBy('', ['a'])).toBe(false);
  });
});

describe('a signature field that forbids any change', () => {
  const refusal = (lock: string, objects: Record<string, string> = {}) => {
    const { file, signature } = signatureWith(`/Lock ${lock}`, objects);
    return () => refuseIfLocked(file, { value: signature, lock: file.resolve(signature.get('Lock')) });
  };

  it.each<[string, string, Record<string, string>]>([
    ['P 1', '<</Action /All /P 1>>', {}],
    ['P 1 in an object', '<</Action /All /P 4 0 R>>', { 4: '1' }],
  ])('a signature field with %s in its lock is refused', (_what, lock, objects) => {
    expect(refusal(lock, objects)).toThrow(expect.objectContaining({ code: 'pdf_certified' }));
  });

  it.each([
    ['P 2', '<</Action /Include /Fields [(a)] /P 2>>'],
    ['no P', '<</Action /All>>'],
    ['no dictionary', '1'],
  ])('a signature field with %s in its lock allows another signature', (_what, lock) => {
    expect(refusal(lock)).not.toThrow();
  });
});

describe('the changes that a certification allows', () => {
  it.each<[string, string, number | null]>([
    ['P 1', DOC_MDP('/P 1'), 1],
    ['P 3', DOC_MDP('/P 3'), 3],
    ['no P', DOC_MDP(''), 2],
    ['a P that is no number', DOC_MDP('/P /Three'), 2],
    ['a lock of fields before it', `${FIELD_MDP('/Action /All /P 1')} ${DOC_MDP('/P 3')}`, 3],
    ['a lock of fields alone', FIELD_MDP('/Action /All /P 1'), null],
    ['no reference', '', null],
  ])('the changes that a certification allows follow from %s', (_what, references, expected) => {
    const { file, signature } = signatureWith(`/Reference [${references}]`);
    expect(certificationOf(file, signature)).toBe(expected);
  });
});
