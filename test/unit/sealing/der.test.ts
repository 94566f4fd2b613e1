import {
  children,
  childrenOf,
  DerError,
  decode,
  decodeFirst,
  expectTag,
  hex,
  readEnumerated,
  readOid,
  readSmallInteger,
  readTime,
  sameBytes,
  spanAt,
  TAGS,
} from '../../../shared/sealing/der.ts';
import { encode, integer, octetString, oid, sequence } from '../../../shared/sealing/der-encode.ts';

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const told = (message: string) => expect.objectContaining({ name: 'DerError', message });
const node = (tag: number, text: string) => decode(encode(tag, Buffer.from(text, 'latin1')));

describe('a value', () => {
  it.each([
    ['a short length', '04 02 abcd', 'abcd'],
    ['no content', '04 00', ''],
    ['a length in one byte more', '04 81 02 abcd', 'abcd'],
    ['a length in four bytes more', '04 84 00000002 abcd', 'abcd'],
    ['a length of 256', `04 82 0100 ${'ab'.repeat(256)}`, 'ab'.repeat(256)],
  ])('with %s is read whole', (_, text, content) => {
    const read = decode(bytes(text));
    expect(hex(read.content)).toBe(content);
    expect(hex(read.raw)).toBe(text.replaceAll(' ', ''));
    expect(read.tag).toBe(TAGS.octetString);
  });

  it.each([
    ['nothing', '', 'truncated'],
    ['a tag alone', '04', 'truncated'],
    ['less content than its length', '04 02 ab', 'truncated'],
    ['a length that is cut', '04 82 01', 'truncated'],
    ['more behind it', '04 01 ab 00', 'trailing bytes'],
    ['a tag of several bytes', '1f 81 01 00', 'multi-byte tags are not supported'],
    ['a tag of several bytes that is constructed', 'bf 22 00', 'multi-byte tags are not supported'],
    ['a length that is left open', '30 80 0000', 'impossible length'],
    ['a length in five bytes', '04 85 0000000001 ab', 'impossible length'],
  ])('is refused with %s', (_, text, message) => {
    expect(() => decode(bytes(text))).toThrow(told(message));
  });

  it('may be followed by padding where only the first is read', () => {
    expect(hex(decodeFirst(bytes('04 01 ab 0000')).raw)).toBe('0401ab');
  });

  it('has its place among others', () => {
    expect(spanAt(bytes('0500 04 81 02 abcd'), 2)).toEqual({ tag: TAGS.octetString, from: 5, to: 7 });
  });
});

describe('values inside a value', () => {
  it('are read in their order', () => {
    const inside = children(decode(sequence(integer(1), octetString(Buffer.of(2)))));
    expect(inside.map(({ tag, content }) => [tag, ...content])).toEqual([
      [TAGS.integer, 1],
      [TAGS.octetString, 2],
    ]);
  });

  it('must fill it', () => {
    expect(() => children(decode(bytes('30 03 0500 05')))).toThrow(told('truncated'));
  });

  it('are at most 10,000', () => {
    const many = (count: number) => decode(sequence(Buffer.alloc(2 * count, bytes('0500'))));
    expect(children(many(10_000))).toHaveLength(10_000);
    expect(() => children(many(10_001))).toThrow(told('too many values'));
  });

  it('are read under the expected tag alone', () => {
    const found = decode(sequence(integer(1)));
    expect(childrenOf(found, TAGS.sequence)).toHaveLength(1);
    expect(expectTag(found, TAGS.sequence)).toBe(found);
    expect(() => childrenOf(found, TAGS.set)).toThrow(told('expected tag 31, found 30'));
    expect(() => childrenOf(undefined, TAGS.set)).toThrow(told('expected tag 31, found nothing'));
  });
});

describe('an object identifier', () => {
  it.each(['0.9.2342', '1.2.840.113549.1.7.2', '1.39', '2.5.29.15', '2.16.840.1.101.3.4.2.1', '2.999.3'])(
    '%s is read',
    (dotted) => {
      expect(readOid(decode(oid(dotted)))).toBe(dotted);
    },
  );

  it.each([
    ['nothing', '06 00'],
    ['an arc without an end', '06 02 2a 86'],
  ])('with %s is refused', (_, text) => {
    expect(() => readOid(decode(bytes(text)))).toThrow(told('an OID has no end'));
  });

  it('longer than any real one is not read, since its text takes a hundred times its memory', () => {
    expect(readOid(node(TAGS.oid, '*'.repeat(100)))).toMatch(/^1\.2\.42/);
    expect(() => readOid(node(TAGS.oid, '*'.repeat(101)))).toThrow(told('an OID is too long'));
  });

  it('is no other value', () => {
    expect(() => readOid(decode(integer(42)))).toThrow(told('expected tag 6, found 2'));
    expect(() => readOid(undefined)).toThrow(DerError);
  });
});

describe('a small number', () => {
  it.each([
    ['02 01 00', 0],
    ['02 01 7f', 127],
    ['02 02 0080', 128],
    ['02 03 010203', 66_051],
    ['02 06 7fffffffffff', 2 ** 47 - 1],
  ])('%s is %i', (text, value) => {
    expect(readSmallInteger(decode(bytes(text)))).toBe(value);
  });

  it.each([
    ['no byte', '02 00'],
    ['seven bytes', '02 07 00000000000001'],
    ['a sign', '02 01 80'],
  ])('with %s is refused', (_, text) => {
    expect(() => readSmallInteger(decode(bytes(text)))).toThrow(told('not a small number'));
  });

  it('may be one of an enumeration, which is no integer', () => {
    expect(readEnumerated(decode(bytes('0a 01 05')))).toBe(5);
    expect(() => readSmallInteger(decode(bytes('0a 01 05')))).toThrow(told('expected tag 2, found a'));
    expect(() => readEnumerated(decode(bytes('02 01 05')))).toThrow(told('expected tag a, found 2'));
  });
});

describe('a time', () => {
  it.each([
    [TAGS.utcTime, '491231235959Z', '2049-12-31T23:59:59.000Z'],
    [TAGS.utcTime, '500101000000Z', '1950-01-01T00:00:00.000Z'],
    [TAGS.generalizedTime, '20500101000000Z', '2050-01-01T00:00:00.000Z'],
    [TAGS.generalizedTime, '20261124101112.5Z', '2026-11-24T10:11:12.500Z'],
    [TAGS.generalizedTime, '20261124101112.123456789Z', '2026-11-24T10:11:12.123Z'],
  ])('under tag %i, %s is %s', (tag, text, time) => {
    expect(readTime(node(tag, text)).toISOString()).toBe(time);
  });

  it.each([
    ['of UTC without seconds', TAGS.utcTime, '4912312359Z', 'not a time in UTC'],
    ['of UTC with a fraction', TAGS.utcTime, '491231235959.5Z', 'not a time in UTC'],
    ['of UTC with a whole year', TAGS.utcTime, '20491231235959Z', 'not a time in UTC'],
    ['of another zone', TAGS.generalizedTime, '20261124101112+0100', 'not a time in UTC'],
    ['without a zone', TAGS.generalizedTime, '20261124101112', 'not a time in UTC'],
    ['with a point and no digits', TAGS.generalizedTime, '20261124101112.Z', 'not a time in UTC'],
    ['behind something', TAGS.generalizedTime, ' 20261124101112Z', 'not a time in UTC'],
    ['with something behind', TAGS.generalizedTime, '20261124101112Z ', 'not a time in UTC'],
    ['of UTC behind something', TAGS.utcTime, ' 491231235959Z', 'not a time in UTC'],
    ['of UTC with something behind', TAGS.utcTime, '491231235959Z ', 'not a time in UTC'],
    ['longer than any', TAGS.generalizedTime, `20261124101112.${'1'.repeat(26)}Z`, 'not a time in UTC'],
    ['under another tag', TAGS.octetString, '20261124101112Z', 'not a time in UTC'],
    ['in a thirteenth month', TAGS.generalizedTime, '20261324101112Z', 'no such time'],
  ])('%s is refused', (_, tag, text, message) => {
    expect(() => readTime(node(tag, text))).toThrow(told(message));
  });

  it('of the greatest length is read', () => {
    const longest = `20261124101112.${'1'.repeat(24)}Z`;
    expect(longest).toHaveLength(40);
    expect(readTime(node(TAGS.generalizedTime, longest)).getUTCMilliseconds()).toBe(111);
  });

  it('a missing time is refused', () => {
    expect(() => readTime(undefined)).toThrow(told('no time'));
  });
});

it.each([
  [0x7f, '04 7f'],
  [0x80, '04 81 80'],
  [0x100, '04 82 01 00'],
])('the length %i is written as %s', (length, head) => {
  expect(octetString(Buffer.alloc(length)).subarray(0, -length)).toEqual(bytes(head));
});

describe('bytes', () => {
  it.each([
    ['', '', true],
    ['0102', '0102', true],
    ['0102', '0103', false],
    ['0102', '0202', false],
    ['0102', '01', false],
    ['01', '0102', false],
  ])('%s and %s are the same: %s', (a, b, same) => {
    expect(sameBytes(bytes(a), bytes(b))).toBe(same);
  });

  it('are shown with two digits each', () => {
    expect(hex(Uint8Array.of(0, 15, 16, 255))).toBe('000f10ff');
  });
});
