import fc from 'fast-check';
import { decodeWords } from 'postal-mime';
import { fromHeader } from '../../../shared/mail/from-header.ts';

describe('fromHeader', () => {
  it('the From header names the sender and the service', () => {
    expect(fromHeader('Acme', 'sign@example.com')).toBe('"Acme via Signature requests" <sign@example.com>');
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

  it('the From header is one line of printable ASCII with only the service’s address, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        expect(fromHeader(name, 'sign@example.com')).toMatch(
          /^("(?:[^"\\]|\\.)*"|[^<>"]*) <sign@example\.com>$/,
        );
        expect(fromHeader(name, 'sign@example.com')).toMatch(/^[\x20-\x7e]+$/);
      }),
    );
  });
});
