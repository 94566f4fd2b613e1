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
  expect(content).toBe('a08400000003020101020102');
});

it.each([
  ['nothing', ''],
  ['one without an end', '3080 020101'],
  ['one with half an end', '3080 020101 00'],
  ['one whose last value is cut off', '3080 020401 0000'],
  ['a thousand inside one another', `${'3080'.repeat(1_000)}${'0000'.repeat(1_000)}`],
  ['thousands side by side', `3080 ${'0500'.repeat(2_000)} 0000`],
])('%s is refused', (_, hex) => {
  expect(() => withLengths(bytes(hex))).toThrow(expect.objectContaining({ name: 'DerError' }));
});
