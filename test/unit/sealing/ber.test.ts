import { withLengths } from '../../../shared/sealing/ber.ts';
import { decode } from '../../../shared/sealing/der.ts';
import { integer, sequence } from '../../../shared/sealing/der-encode.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const read = (hex: string) => {
  const { der, end } = withLengths(bytes(hex));
  return { content: Buffer.from(decode(der).content).toString('hex'), end };
};

it('a value with a length stays as it is', () => {
  const der = sequence(integer(1), sequence(integer(2)));
  const read = withLengths(Buffer.concat([der, bytes('0000')]));
  expect(Buffer.from(read.der)).toEqual(der);
  expect(read.end).toBe(der.length);
});

it('a value without a length ends with two zeros, and has the values before them', () => {
  expect(read('3080 020101 040400000000 0000 00')).toEqual({ content: '020101040400000000', end: 13 });
  expect(read('3080 0000')).toEqual({ content: '', end: 4 });
});

it('values without a length stand in one another', () => {
  const { content, end } = read('3080 a080 020101 0000 020102 0000');
  expect(end).toBe(14);
  expect(content).toBe('a003020101020102');
});

it('an octet string in parts is one, its parts in one another too', () => {
  expect(read('3080 2480 04020102 2480 040103 0000 0400 0000 0000').content).toBe('0403010203');
});

const nested = (depth: number) => `${'3080'.repeat(depth)}0500${'0000'.repeat(depth)}`;
const sideBySide = (count: number) => `3080 ${'0500'.repeat(count)} 0000`;

it('16 values without a length in one another, and 999 in one, are read to their end', () => {
  expect(read(nested(16)).end).toBe(16 * 4 + 2);
  expect(read(sideBySide(999)).end).toBe(999 * 2 + 4);
});

it.each([
  ['nothing', ''],
  ['one without an end', '3080 020101'],
  ['one with half an end', '3080 020101 00'],
  ['one whose last value is cut off', '3080 020401 0000'],
  ['one that cannot hold others', '0480 0000'],
  ['one in another that cannot hold others', '3080 0580 0000 0000'],
  ['an octet string with a part that is none', '2480 020101 0000'],
  ['more than 16 in one another', nested(17)],
  ['more than 999 side by side', sideBySide(1_000)],
])('%s is refused', (_, hex) => {
  expect(() => withLengths(bytes(hex))).toThrow(expect.objectContaining({ name: 'DerError' }));
});
