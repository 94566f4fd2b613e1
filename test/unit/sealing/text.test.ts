import {
  dateString,
  hexValue,
  isText,
  latin1,
  readTextString,
  stringBytes,
  textString,
} from '../../../shared/sealing/pdf/text.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const read = (token: string): string => readTextString(bytes(token));

describe('a text that is written', () => {
  it.each([
    ['Signed by Ann', '(Signed by Ann)'],
    ['', '()'],
    ['a (b) \\ c', '(a \\(b\\) \\\\ c)'],
    ['Zoë', '<FEFF005A006F00EB>'],
    ['line\nbreak', '<FEFF006C0069006E0065000A0062007200650061006B>'],
    ['𝄞', '<FEFFD834DD1E>'],
    ['half \ud834', '<FEFF00680061006C00660020FFFD>'],
  ])('%j becomes %s', (text, token) => {
    expect(textString(text)).toBe(token);
    expect(read(token)).toBe(text.toWellFormed());
  });

  it('of a time has seconds and its zone', () => {
    expect(dateString(new Date('2026-01-02T03:04:05.678Z'))).toBe("(D:20260102030405+00'00')");
  });
});

describe('a text that is read', () => {
  it.each([
    ['an octal code', '(\\101)', 'A'],
    ['a short octal code', '(\\1019\\78)', 'A9\u00078'],
    ['an octal code above a byte', '(\\501)', 'A'],
    ['each escape', '(\\n\\r\\t\\b\\f\\q)', '\n\r\t\b\fq'],
    ['a line that goes on', '(a\\\nb\\\r\nc\\\rd)', 'abcd'],
    ['hexadecimal digits, space among them', '<48 65\n6c>', 'Hel'],
    ['half a byte at the end', '<4865 6>', 'He`'],
    ['no digits', '<>', ''],
    ['UTF-16', '<FEFF00E9>', 'é'],
    ['half a unit at the end', '<FEFF00E9 00>', 'é'],
    ['UTF-8', '<EFBBBFC3A9>', 'é'],
    ['a second mark, as text', '<FEFF FEFF0041>', '\ufeffA'],
    ['a second mark of UTF-8, as text', '<EFBBBF EFBBBF41>', '\ufeffA'],
    ['the first byte of a mark of UTF-16', '<FE41>', 'þA'],
    ['the second byte of a mark of UTF-16', '<41FF>', 'Aÿ'],
    ['two bytes of a mark of UTF-8', '<EFBB41>', 'ï»A'],
    ['the other bytes of a mark of UTF-8', '<41BBBF>', 'A»¿'],
    ['the outer bytes of a mark of UTF-8', '<EF41BF>', 'ïA¿'],
    ['codes of PDFDocEncoding', '(\\030\\037\\200\\236\\240\\351)', '˘˜•ž€é'],
  ])('%s', (_, token, text) => {
    expect(read(token)).toBe(text);
  });

  it.each([63, 64, 4_096, 10_000])('of %d bytes is whole', (length) => {
    const long = 'ÿa'.repeat(length).slice(0, length);
    expect(latin1(bytes(long))).toBe(long);
    expect(read(`(${long})`)).toBe(long);
  });

  it('without escapes is not copied', () => {
    const token = bytes('(abc)');
    expect(stringBytes(token).buffer).toBe(token.buffer);
  });
});

describe('a text that all programs read alike', () => {
  it.each([
    '(plain)',
    '(tab \\t, line \\n\\r)',
    '(\\030\\216)',
    '<41\r42>',
    '<FEFF0041>',
    '<EFBBBFC3A9>',
    '<FE4141>',
    '<FF4141>',
    '<41FE>',
    '<41FF>',
    '<41FF41>',
    '<EFBB414141>',
    '<41BBBF>',
    '<EF41BF>',
    '()',
  ])('%s is read alike by all programs', (token) => {
    expect(isText(bytes(token))).toBe(true);
  });

  it.each([
    ['a carriage return as it is', '(a\rb)'],
    ['half a unit of UTF-16', '<FEFF004100>'],
    ['the mark of the other byte order', '<FFFE4141>'],
    ['the escape character in UTF-16', '<FEFF001B0065006E>'],
    ['half a pair of UTF-16', '<FEFFD8340041>'],
    ['the escape character in UTF-8', '<EFBBBF1B65>'],
    ['broken UTF-8', '<EFBBBFC3>'],
    ['an unknown code after two bytes of a mark', '<EFBB4100>'],
    ['an unknown code after the outer bytes of a mark', '<EF41BF00>'],
    ['an unknown code after the last bytes of a mark', '<41BBBF00>'],
    ...['00', '08', '0B', '0C', '0E', '17', '1B', '7F', '9F', 'AD'].map((code): [string, string] => [
      `code ${code}, which PDFDocEncoding does not know`,
      `<41${code}>`,
    ]),
  ])('a text with %s is not read alike by all programs', (_, token) => {
    expect(isText(bytes(token))).toBe(false);
  });
});

it('hexadecimal digits have their values, and other bytes have none', () => {
  const digits = '0123456789abcdef';
  for (let byte = 0; byte < 256; byte += 1)
    expect(hexValue(byte)).toBe(digits.indexOf(String.fromCharCode(byte).toLowerCase()));
});
