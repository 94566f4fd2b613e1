import { digitsOf, withPlainDigits } from '../../../web/parts/digits.ts';

/** The digits of every script from 0 to 9, as Unicode has them: side by side, in order. */
const allDigits = () =>
  Array.from({ length: 0x110000 }, (_, code) =>
    code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code),
  ).filter((character) => /^\p{Nd}$/u.test(character));

it('the digits of every script are read as those of a code', () => {
  const digits = allDigits();
  expect(digits.length).toBeGreaterThan(600);
  expect(withPlainDigits(digits.join(' ')).replaceAll(' ', '')).toBe('0123456789'.repeat(digits.length / 10));
});

it('a code is read whatever stands around and between its digits', () => {
  expect(digitsOf('Your code: ๑๒๓ ४५६')).toBe('123456');
});
