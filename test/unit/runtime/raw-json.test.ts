import fc from 'fast-check';
import { rawMember, withRawMember } from '../../../shared/runtime/raw-json.ts';

describe('rawMember', () => {
  it('a raw member keeps the order of keys and every digit of numbers', () => {
    const metadata = '{"b": 1.10, "2": 12345678901234567890, "1": {"x": "}\\"{"}, "a": [1e400]}';
    expect(rawMember(`{"title":"x","metadata":${metadata},"z":1}`, 'metadata')).toBe(metadata);
  });

  it('a raw member is found between spaces and line breaks', () => {
    expect(rawMember('\n { "a" : [ 1 ] ,\r\n\t"metadata" : 1.10 \n} ', 'metadata')).toBe('1.10');
  });

  it('a raw member is the last of a repeated name, escaped or not', () => {
    expect(rawMember('{"metadata":{"a":1},"meta\\u0064ata":{"a":2}}', 'metadata')).toBe('{"a":2}');
  });

  it('a raw member is found in the outermost object only', () => {
    expect(rawMember('{"document":{"metadata":{"a":1}}}', 'metadata')).toBeUndefined();
  });

  it('a raw member parses to the same value as JSON.parse of the whole', () => {
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
