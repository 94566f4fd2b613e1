import fc from 'fast-check';
import { decodeWords } from 'postal-mime';
import { fromHeader } from '../../../shared/mail/from-header.ts';

describe('the From header', () => {
  it('says who asks and that we wrote', () => {
    expect(fromHeader('Acme', 'sign@example.com')).toBe('"Acme via Signature requests" <sign@example.com>');
  });

  it('uses the name that the configured sender has', () => {
    expect(fromHeader('Acme', 'Nordic Sign <sign@example.com>')).toBe(
      '"Acme via Nordic Sign" <sign@example.com>',
    );
    expect(fromHeader('Acme', '"Nordic Sign" <sign@example.com>')).toBe(
      '"Acme via Nordic Sign" <sign@example.com>',
    );
    expect(fromHeader('Acme', '<sign@example.com>')).toBe('"Acme via Signature requests" <sign@example.com>');
  });

  it('quotes what would end the name', () => {
    expect(fromHeader('A "B" \\ <c@d.example>,', 'sign@example.com')).toBe(
      '"A \\"B\\" \\\\ <c@d.example>, via Signature requests" <sign@example.com>',
    );
  });

  it('encodes names beyond ASCII in words of whole characters, each within its limit', () => {
    const header = fromHeader('Yhtiö 株式会社 👩‍💻 Łódź und noch mehr', 'sign@example.com');
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    for (const word of header.replace(/ <.*$/, '').split(' ')) expect(word.length).toBeLessThanOrEqual(75);
    expect(decodeWords(header)).toBe(
      'Yhtiö 株式会社 👩‍💻 Łódź und noch mehr via Signature requests <sign@example.com>',
    );
  });

  it('is one line of printable ASCII with our address alone behind it, whatever the name', () => {
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
