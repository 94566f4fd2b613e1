import { base64Document, email, line, returnUrl } from '../../../shared/contract/fields.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { createSignatureBody } from '../../../shared/contract/signatures.ts';

describe('return_url', () => {
  it.each([
    'http://example.com/',
    'https:example.com/',
    'https://mia:secret@example.com/',
    'https://example.com/a b',
    'https://example.com/\r\nSet-Cookie: a',
    'https://example.com/\u202egnp.exe',
    'https://example.com\\@other.example',
    'ht\ttps://example.com/',
  ])('%j is refused', (text) => {
    expect(returnUrl.safeParse(text).success).toBe(false);
  });

  it.each(['https://example.com', 'https://example.com/a?b[]=c#d', 'http://localhost:3000/'])(
    '%s comes back as it was sent',
    (text) => expect(returnUrl.parse(text)).toBe(text),
  );

  it('an address in other letters than ASCII comes back as a URI, which is what its length counts', () => {
    expect(returnUrl.parse('https://münchen.example/ä')).toBe('https://xn--mnchen-3ya.example/%C3%A4');
    const long = (letter: string) => `https://example.com/${letter.repeat(LIMITS.returnUrlLength - 20)}`;
    expect(returnUrl.parse(long('a'))).toBe(long('a'));
    expect(returnUrl.safeParse(long('ä')).error?.issues[0]?.message).toContain('at most');
  });
});

describe('an e-mail address', () => {
  it.each([
    'mia@example.com',
    "mia.o'neil@example.com",
    'b&b@example.com',
    'info/sales=fi@sub.example.co.uk',
    'mia@xn--bcher-kva.example',
    'mia@xn--e1afmkfd.xn--p1ai',
  ])('%s is taken', (address) => {
    expect(email.parse(address)).toBe(address);
  });

  it.each(['\u202amia@example.com\u202c', 'mia@example.com\u200b', '\ufeff mia@exam\u00adple.com \u2060'])(
    '%j is taken without what cannot be seen',
    (pasted) => {
      expect(email.parse(pasted)).toBe('mia@example.com');
    },
  );

  it.each([
    'mia',
    'mia@example',
    'mia@example.c',
    'mia@example..com',
    'mia@-example.com',
    'mia@127.0.0.1',
    'mia@münchen.example',
    'mi..a@example.com',
    '.mia@example.com',
    'mia.@example.com',
    '"mia a"@example.com',
    'mia a@example.com',
    'mia@a@example.com',
    'mia@example.com, bob@example.com',
    'Mia <mia@example.com>',
    'mia@example.com\r\nBcc: bob@example.com',
    '=?utf-8?q?bob=40example.org=3e?=mia@example.com',
  ])('%j is refused', (address) => {
    expect(email.safeParse(address).success).toBe(false);
  });

  it('an address with other letters is refused with how to write its domain', () => {
    expect(email.safeParse('mia@münchen.example').error?.issues[0]?.message).toMatch(/ASCII.*xn--/);
    expect(email.safeParse('mia').error?.issues[0]?.message).not.toContain('ASCII');
  });
});

it('a text over its limit is refused for its length, and not looked at further', () => {
  const issuesOf = (text: string) =>
    line('invalid_title', LIMITS.titleLength)
      .safeParse(text)
      .error?.issues.map(({ message }) => message);
  expect(issuesOf(`two\nlines${'\u0007'.repeat(LIMITS.titleLength)}`)).toEqual([
    'invalid_title|must be at most 200 characters',
  ]);
  // To compose these would take a minute.
  expect(issuesOf(`a${'\u0301\u0316'.repeat(200_000)}`)).toHaveLength(1);
});

it('a length counts characters, one that UTF-16 splits in two as one, as JSON Schema does', () => {
  const { success, data } = line('invalid_title', LIMITS.titleLength).safeParse('👩'.repeat(200));
  expect([success, data?.length]).toEqual([true, 400]);
  expect(line('invalid_title', LIMITS.titleLength).safeParse('👩'.repeat(201)).success).toBe(false);
  expect(line('invalid_title', LIMITS.titleLength).safeParse(`${'👩'.repeat(199)}ab`).success).toBe(false);
});

it('the id of an upload is taken in upper case, as ids in paths are', () => {
  const id = '3f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a13';
  const body = { title: 'T', signer_email: 'ann@example.com', document: { upload_id: id.toUpperCase() } };
  expect(createSignatureBody.parse(body).document).toEqual({ upload_id: id });
});

describe('a document in base64', () => {
  const problemOf = (text: string) => base64Document.safeParse(text).error?.issues[0]?.message;

  it.each([
    '',
    ' ',
    'QUJ',
    'QUJDR',
    'QU=D',
    'Q===',
    'QUJ-',
    'QUJ_',
    'ÄUJD',
    'data:application/pdf;base64,QUJD',
  ])('anything but padded standard base64 is refused: %j', (text) => {
    expect(problemOf(text)).toMatch(/^invalid_base64\|must be the whole PDF as /);
  });

  it.each(['QUJD', 'QUI=', 'QQ==', ' QUJD\r\nREVG\t'])('%j is taken', (text) => {
    expect(problemOf(text)).toBeUndefined();
  });

  it('an empty document, and one with the prefix of a data URL, are told so', () => {
    expect(problemOf(' ')).toContain('it is empty');
    expect(problemOf('data:application/pdf;base64,QUJD')).toContain('with padding; leave out the prefix');
    expect(problemOf('QUJ')).not.toContain('prefix');
    expect(problemOf('QUJ data:')).not.toContain('prefix');
  });

  it('text that must exceed 10 MB decoded is refused for that', () => {
    const most = Math.floor((LIMITS.documentBytes / 3 + 1) * 4);
    expect(problemOf('!'.repeat(most + 1))).toContain('document_too_large|is larger than 10 MB');
    expect(problemOf('!'.repeat(most))).toContain('invalid_base64');
  });
});
