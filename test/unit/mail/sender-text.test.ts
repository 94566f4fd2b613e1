import fc from 'fast-check';
import { blockText, inlineText, oneLine } from '../../../shared/mail/sender-text.ts';

/** Matches anything that a mail program could turn into a link, and more. */
const ON = '[^\\s\\u200c]';
const LINK_LIKE = new RegExp(
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

const senderText = fc
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

describe('sender text', () => {
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
  ])('the sender’s text does not become a link: %s', (address) => {
    expect(`Look: ${address} there`).toMatch(LINK_LIKE);
    expect(blockText(`Look: ${address} there`)).not.toMatch(LINK_LIKE);
  });

  it('the sender’s text never contains anything that looks like an address', () => {
    fc.assert(fc.property(senderText, (text) => !LINK_LIKE.test(blockText(text))));
  });

  it('an address in the sender’s text is an invalid URL, even if a mail program links it', () => {
    expect(new URL('http://evil\u200b.\u200bexample/').hostname).toBe('evil.example');
    expect(() => new URL(blockText('http://evil.example/'))).toThrow('Invalid URL');
    expect(() => new URL(`https://${blockText('evil.example')}`)).toThrow('Invalid URL');
  });

  it('the sender’s text reads as it was written', () => {
    const text = 'Version 1.2, due 1.5.2026 at 12:30. See Lease.pdf, from 192.0.2.7!';
    expect(blockText(text).replaceAll('\u200c', '')).toBe(text);
    expect(blockText('Version 1.2, due 1.5.2026. See Lease.pdf! Ok.')).toBe(
      'Version 1.2, due 1.5.2026. See Lease.pdf! Ok.',
    );
  });

  it('the sender’s text keeps joined emoji and accents', () => {
    expect(blockText('👩‍💻 Zoë — ok')).toBe('👩‍💻 Zoë — ok');
  });

  it('the sender’s text contains no bidirectional or invisible characters', () => {
    expect(blockText('a\u202eb\u2066c\u200bd\ufeffe\u0007f\u{e0041}g')).toBe('abcdefg');
  });

  it('oneLine removes all line breaks', () => {
    expect(oneLine('Subject\r\nBcc: all@example.com\u2028x\u0085y', 100)).toBe(
      'Subject Bcc: all@example.com x y',
    );
    fc.assert(fc.property(senderText, (text) => !/[\r\n\u0085\u2028\u2029]/.test(oneLine(text, 80))));
  });

  it('the sender’s text is shortened by whole characters', () => {
    expect(oneLine('abcdef', 4)).toBe('abc…');
    expect(oneLine('👩‍💻👩‍💻👩‍💻', 2)).toBe('👩‍💻…');
    expect(oneLine('👩‍💻👩‍💻', 2)).toBe('👩‍💻👩‍💻');
    expect(inlineText('x'.repeat(500), 80)).toHaveLength(80);
  });

  it('the sender’s text contains no run of empty lines', () => {
    expect(blockText(`a${'\n \t\r\n'.repeat(200)}b`)).toBe('a\n\nb');
  });
});
