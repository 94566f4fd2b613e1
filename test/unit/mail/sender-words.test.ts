import fc from 'fast-check';
import { oneLine, passage, phrase } from '../../../shared/mail/sender-words.ts';

/** What mail programs make links of, read more greedily than any of them does. */
const ON = '[^\\s\\u200c]';
const LOOKS_LIKE_A_LINK = new RegExp(
  [
    '[a-z][a-z0-9+.-]*:/',
    `//${ON}`,
    '\\\\\\\\',
    `www\\.${ON}`,
    `\\b(?:mailto|tel|sms|javascript|data):${ON}`,
    `${ON}@${ON}`,
    '\\d+(?:\\.\\d+){3}',
    '[\\p{L}\\p{N}-]+[.\\u3002\\uff0e\\uff61](?!pdf)\\p{L}{2,}',
  ].join('|'),
  'iu',
);

const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.webUrl(),
      fc.emailAddress(),
      fc.domain(),
      fc.constantFrom(
        'www.',
        '://',
        '//',
        '@',
        '.',
        '\u3002',
        '\n',
        '\u202e',
        '\u200b',
        '\u0000',
        ' ',
        'mailto:',
      ),
    ),
  )
  .map((parts) => parts.join(''));

describe('words of a sender', () => {
  it.each([
    'https://evil.example/login',
    'evil.example',
    'www.evil.example',
    '//evil.example',
    'HTTP://EVIL.EXAMPLE',
    'anna@evil.example',
    'mailto:anna@evil.example',
    'tel:+358401234567',
    'javascript:alert(1)',
    '192.0.2.7/login',
    '\\\\evil.example\\share',
    'evil\u3002example',
    'see:evil.example,now',
  ])('do not become a link: %s', (address) => {
    expect(`Look: ${address} there`).toMatch(LOOKS_LIKE_A_LINK);
    expect(passage(`Look: ${address} there`)).not.toMatch(LOOKS_LIKE_A_LINK);
  });

  it('never hold anything that looks like an address, whatever was written', () => {
    fc.assert(fc.property(words, (text) => !LOOKS_LIKE_A_LINK.test(passage(text))));
  });

  it('lead nowhere even where a mail program makes a link of them all the same', () => {
    expect(new URL('http://evil\u200b.\u200bexample/').hostname).toBe('evil.example');
    expect(() => new URL(passage('http://evil.example/'))).toThrow('Invalid URL');
    expect(() => new URL(`https://${passage('evil.example')}`)).toThrow('Invalid URL');
  });

  it('read the same as they were written', () => {
    const text = 'Version 1.2, due 1.5.2026 at 12:30. See Lease.pdf!';
    expect(passage(text).replaceAll('\u200c', '')).toBe(text);
    expect(passage('Version 1.2, due 1.5.2026. See Lease.pdf! Ok.')).toBe(
      'Version 1.2, due 1.5.2026. See Lease.pdf! Ok.',
    );
  });

  it('keep joined emoji and accents', () => {
    expect(passage('👩‍💻 Zoë — ok')).toBe('👩‍💻 Zoë — ok');
  });

  it('cannot turn the direction of writing around, nor hide characters', () => {
    expect(passage('a\u202eb\u2066c\u200bd\ufeffe\u0007f\u{e0041}g')).toBe('abcdefg');
  });

  it('take one line where one line is their place', () => {
    expect(oneLine('Subject\r\nBcc: all@example.com\u2028x\u0085y', 100)).toBe(
      'Subject Bcc: all@example.com x y',
    );
    fc.assert(fc.property(words, (text) => !/[\r\n\u0085\u2028\u2029]/.test(oneLine(text, 80))));
  });

  it('are shortened between whole characters', () => {
    expect(oneLine('abcdef', 4)).toBe('abc…');
    expect(oneLine('👩‍💻👩‍💻👩‍💻', 2)).toBe('👩‍💻…');
    expect(oneLine('👩‍💻👩‍💻', 2)).toBe('👩‍💻👩‍💻');
    expect(phrase('x'.repeat(500), 80)).toHaveLength(80);
  });

  it('cannot push our own words out of sight with empty lines', () => {
    expect(passage(`a${'\n \t\r\n'.repeat(200)}b`)).toBe('a\n\nb');
  });
});
