import { canonicalJson } from '../../../shared/runtime/canonical-json.ts';

describe('canonical JSON', () => {
  it('is the same whatever order members have, on every level', () => {
    const [one, other] = [
      { b: 1, a: { d: [{ f: null, e: true }], c: 'x' } },
      { a: { c: 'x', d: [{ e: true, f: null }] }, b: 1 },
    ];
    expect(canonicalJson(one)).toBe('{"a":{"c":"x","d":[{"e":true,"f":null}]},"b":1}');
    expect(canonicalJson(other)).toBe(canonicalJson(one));
  });

  it('keeps the order of lists, and what the database keeps of a value', () => {
    expect(canonicalJson([2, '1', [], {}])).toBe('[2,"1",[],{}]');
    expect(canonicalJson({ a: undefined, 'b"': 'half \ud83d' })).toBe('{"b\\"":"half \ufffd"}');
    expect(canonicalJson(null)).toBe('null');
  });
});
