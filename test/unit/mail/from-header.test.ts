import fc from 'fast-check';
import { decodeWords } from 'postal-mime';
import { fromHeader } from '../../../shared/mail/from-header.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('fromHeader', () => {
  it('the From header names the sender and the service', () => {
    expect(fromHeader('Acme', 'sign@example.com')).toBe('"Acme via Signature requests" <sign@example.com>');
  });

  it('the From header of a mail of the service itself names the service alone', () => {
    expect(fromHeader(null, 'sign@example.com')).toBe('"Signature requests" <sign@example.com>');
  });

  it('the From header keeps a character that is longer than a word', () => {
    const name = `Acme ${Array(9).fill('👩').join('\u200d')}`;
    expect(decodeWords(fromHeader(name, 'sign@example.com'))).toContain(name);
  });

  it('the From header uses the service name of the configured sender', () => {
    expect(fromHeader('Acme', 'Nordic Sign <sign@example.com>')).toBe(
      '"Acme via Nordic Sign" <sign@example.com>',
    );
    expect(fromHeader('Acme', '"Nordic Sign" <sign@example.com>')).toBe(
      '"Acme via Nordic Sign" <sign@example.com>',
    );
    expect(fromHeader('Acme', '<sign@example.com>')).toBe('"Acme via Signature requests" <sign@example.com>');
  });

  it('the From header escapes characters that would end the name', () => {
    expect(fromHeader('A "B" \\ <c@d.example>,', 'sign@example.com')).toBe(
      '"A \\"B\\" \\\\ <c@d.example>, via Signature requests" <sign@example.com>',
    );
  });

  it('a name that looks like an encoded word is shown as it is written, not decoded', () => {
    const name = '=?utf-8?q?Bank=E2=80=AE?=';
    expect(decodeWords(fromHeader(name, 'sign@example.com'))).toBe(
      `${name} via Signature requests <sign@example.com>`,
    );
  });

  it('the From header encodes other scripts in words of whole characters within the length limit', () => {
    const header = fromHeader('Yhtiö 株式会社 👩‍💻 Łódź und noch mehr', 'sign@example.com');
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    for (const word of header.replace(/ <.*$/, '').split(' ')) expect(word.length).toBeLessThanOrEqual(75);
    expect(decodeWords(header)).toBe(
      'Yhtiö 株式会社 👩‍💻 Łódź und noch mehr via Signature requests <sign@example.com>',
    );
  });

  it('the From header keeps an emoji of several characters in one encoded word', () => {
    const header = fromHeader(`Äö${'👩‍💻'.repeat(9)}`, 'sign@example.com');
    const words = header.split(' ').filter((word) => word.startsWith('=?'));
    expect(words.length).toBeGreaterThan(2);
    for (const word of words) expect(decodeWords(word)).not.toMatch(/^[\u200d💻]|\u200d$/u);
  });

  it.each([
    ['株式会社'.repeat(15)],
    ['บริษัทที่มีชื่อยาวมากจำกัดมหาชน'.repeat(4)],
    ['Общество с ограниченной ответственностью Очень длинное название'],
    ['👩🏽‍🚀'.repeat(28)],
    ['"'.repeat(200)],
  ])('the From header of %s is shortened to what SES takes, and still names both', (name) => {
    const mailFrom = `Nordische Unterschriften für Österreich <${'s'.repeat(60)}@example.com>`;
    const header = fromHeader(name, mailFrom);
    expect(header.length).toBeLessThanOrEqual(320);
    const [sender = '', service] = decodeWords(header).replaceAll('\\"', '"').split(' via ');
    expect(service).toBe(`Nordische Unterschriften für Österreich <${'s'.repeat(60)}@example.com>`);
    expect(sender.length).toBeGreaterThan(20);
    expect(name.startsWith(sender.replace(/…$/, ''))).toBe(true);
  });

  it('the From header names the service alone where nothing of the sender’s name fits', () => {
    const address = `sign@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(40)}.example.com`;
    const header = fromHeader('株式会社', `${'S'.repeat(60)} <${address}>`);
    expect(header).toBe(`"${'S'.repeat(60)}" <${address}>`);
  });

  it('the From header is one line of printable ASCII with only the service’s address, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (name) => {
        expect(fromHeader(name, 'sign@example.com')).toMatch(
          /^("(?:[^"\\]|\\.)*"|[^<>"]*) <sign@example\.com>$/,
        );
        expect(fromHeader(name, 'sign@example.com')).toMatch(/^[\x20-\x7e]{1,320}$/);
      }),
    );
  });
});
