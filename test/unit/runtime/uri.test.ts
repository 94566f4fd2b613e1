import { asUri, parsePlainAddress } from '../../../shared/runtime/uri.ts';

describe('addresses that others gave', () => {
  it.each([
    'https:a.com',
    'https:///a.com',
    'https://',
    'ht\ttps://a.com',
    'https://a.com/b c',
    'https://a.com/\n',
    'https://a.com/\u0000',
    'https://a.com/\u0085',
    'https://a.com/\u202egnp.exe',
    'https://a.com/\u2066',
    'https://a.com/hook\u200b',
    'https://a.com/ho\u00adok',
    'https://a.com/hook\u2060',
    'https://a.com\\b',
    'https://mia@a.com/',
    'https://:secret@a.com/',
    'https://@a.com/',
    'ftp://a.com/',
    'https://a b/',
    'https://[a]/',
  ])('%j is no address', (text) => {
    expect(parsePlainAddress(text)).toBeUndefined();
  });

  it.each([
    'https://a.com',
    'HTTP://a.com:8080/b@c?d=e@f#g',
    'https://münchen.example/ä?ö',
    // Persian joins letters by an invisible character, and a red heart is a black one with another.
    'https://a.com/می\u200cخواهم/❤\ufe0f',
  ])('%s is an address', (text) => {
    expect(parsePlainAddress(text)?.href).toBe(new URL(text).href);
  });

  it('an address with other characters becomes the URI that it stands for', () => {
    expect(asUri('https://münchen.example/ä b?ö=|"<^>`{}')).toBe(
      'https://xn--mnchen-3ya.example/%C3%A4%20b?%C3%B6=%7C%22%3C%5E%3E%60%7B%7D',
    );
  });

  it('a percent sign that encodes nothing is encoded itself', () => {
    expect(asUri('https://a.com/100%?b=%zz&c=%2&d=%C3%bc')).toBe(
      'https://a.com/100%25?b=%25zz&c=%252&d=%C3%bc',
    );
  });

  it.each(['https://A.com', "https://a.com:443/b/../c?ids[]=1&d=%20#e!$'()*+,;~"])(
    'a URI stays as it is: %s',
    (uri) => expect(asUri(uri)).toBe(uri),
  );
});
