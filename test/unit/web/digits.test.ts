import { codeIn, withPlainDigits } from '../../../web/parts/digits.ts';

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

it.each([
  ['Your code: ๑๒๓ ๔๕๖', '123456'],
  ['Your code: 123456 It works for 10 minutes, until 29 November 2026, 10:05.', '123456'],
  ['Code：１２３４５６。10分', '123456'],
  ['12345678', '12345678'],
  ['111111 or 222222', '111111222222'],
  ['Until 10:05', '1005'],
])('a code is read from what stands around it, if there is only one: %s', (entered, code) => {
  expect(codeIn(entered)).toBe(code);
});
