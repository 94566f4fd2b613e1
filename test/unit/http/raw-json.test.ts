import fc from 'fast-check';
import { rawMember, withRawMember } from '../../../shared/http/raw-json.ts';

describe('a member kept to the letter', () => {
  it('keeps the order of keys and every digit of numbers', () => {
    const metadata = '{"b": 1.10, "2": 12345678901234567890, "1": {"x": "}\\"{"}, "a": [1e400]}';
    expect(rawMember(`{"title":"x","metadata":${metadata},"z":1}`, 'metadata')).toBe(metadata);
  });

  it('finds the last one where it stands twice, and an escaped name', () => {
    expect(rawMember('{"metadata":{"a":1},"meta\\u0064ata":{"a":2}}', 'metadata')).toBe('{"a":2}');
  });

  it('looks at the outermost object only', () => {
    expect(rawMember('{"document":{"metadata":{"a":1}}}', 'metadata')).toBeUndefined();
  });

  it('agrees with the parser on any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, value) => {
        const text = JSON.stringify({ ...others, metadata: value }, null, 1);
        const raw = rawMember(text, 'metadata') ?? '';
        expect(JSON.parse(raw)).toEqual(JSON.parse(text).metadata);
        expect(JSON.parse(withRawMember({ a: 1 }, 'metadata', raw))).toEqual({
          a: 1,
          metadata: JSON.parse(text).metadata,
        });
      }),
    );
  });
});
