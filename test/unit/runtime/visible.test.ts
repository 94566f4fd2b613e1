import { cleaned, visible, visibleLines, withoutUnseen } from '../../../shared/runtime/visible.ts';

describe('a text as it is shown', () => {
  it('letters with combining marks are composed', () => {
    expect(visible('Jose\u0301 Mu\u0308ller')).toBe('José Müller');
  });

  it('a variant of a Han letter stays the one that the name was written with', () => {
    expect(visible('\ufa19谷 \ufa4f子 e\u0301')).toBe('\ufa19谷 \ufa4f子 é');
  });

  it.each([
    ['direction overrides', 'invoice\u202Efdp.exe\u202C', 'invoicefdp.exe'],
    ['isolates, marks and zero width spaces', '\u2066A\u2069\u200Bn\u200F\uFEFFn\u061Ca', 'Anna'],
    ['control characters', 'n\u0000\u0007n\u001b[31ma', 'nn[31ma'],
    ['soft hyphens, tags and variation selectors', 'a\u00AD\u{E0041}\uFE0F\u{E0100}b', 'ab'],
    ['letters without ink', 'a\u115F\u1160\u3164\uFFA0\u034Fb', 'ab'],
    ['blanks that count as signs', '\u2800\u{1d159}a\u2800b', 'a b'],
    ['joiners between letters that do not join', 'An\u200dn\u200ca', 'Anna'],
    ['Mongolian separators that part no letters', 'a\u180eb ᠰ\u180e', 'ab ᠰ'],
    ['joiners at the ends', '\u200dمحمد\u200c', 'محمد'],
  ])('%s are removed', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each([
    ['a Persian word', 'می\u200cخواهم'],
    ['a Sinhala word', 'ශ්\u200dරී'],
    ['a Malayalam name that ends with a chillu', 'രാജന്\u200d, രാജന്\u200d'],
    ['a Bengali word that ends with khanda ta', 'হঠাত্\u200d'],
    ['a family', '👩\u200d👩\u200d👧'],
    ['a Mongolian word', 'ᠨᠠ\u180bᠢ'],
    ['a Mongolian name with a vowel apart', 'ᠰᠠᠷ\u180eᠠ'],
    ['the sign around an Arabic number', '\u06dd١٢'],
  ])('%s keeps the joiners that change what is read', (_, text) => {
    expect(visible(text)).toBe(text);
  });

  it('several lines become one', () => {
    expect(visible(' one\r\n\ttwo\u2028three\u00A0 four ')).toBe('one two three four');
    expect(visibleLines('one\n\ttwo\u200b')).toBe('one\n\ttwo');
  });

  it('accents do not pile up, and letters of scripts that stack keep their marks', () => {
    expect(visible(`q${'\u0301'.repeat(50)}`)).toBe('q\u0301\u0301\u0301');
    expect(visible(`ก${'\u0e49'.repeat(50)}`)).toBe(`ก${'\u0e49'.repeat(8)}`);
    expect(visible('ကြွေး བསྒྲུབས')).toBe('ကြွေး བསྒྲུབས');
  });

  it('several lines are as safe as one: accents do not pile up', () => {
    expect(visibleLines(`q${'\u0301'.repeat(50)}\nJose\u0301`)).toBe('q\u0301\u0301\u0301\nJosé');
  });

  it('plain characters, of which most texts are, stay as they are also beside one that does not', () => {
    const plain = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => visibleLines(character) === character,
    );
    for (const character of plain) expect(visibleLines(`${character}\u200b`)).toBe(character);
    expect(plain).toContain('’');
  });

  it('half a surrogate pair becomes the replacement character', () => {
    expect(visible('a\ud800b')).toBe('a\ufffdb');
  });
});

describe('a text as it is sent', () => {
  it.each([
    ['nothing that can be seen', '\u202e \u2800', ''],
    ['half a character, which a length limit leaves of an emoji', 'Aino \ud83d', 'Aino'],
    ['controls and separators', 'A\u0000i\u2028n\u2029o', 'Aino'],
    ['the line breaks of Word and PowerPoint', 'one\vtwo\fthree', 'one two three'],
    ['spaces at its ends', ' Aino  Virtanen\n', 'Aino  Virtanen'],
  ])('has no %s', (_, text, sent) => expect(cleaned(text)).toBe(sent));

  it('keeps its lines, its tabs and the letters that it was written with', () => {
    expect(cleaned('one\n\ttwo \u202eJose\u0301')).toBe('one\n\ttwo \u202eJose\u0301');
  });
});

it.each([
  ['\u200bhttps://a.com/hook\u200b', 'https://a.com/hook'],
  [' \u2060\ufeffhttps://a.com/ \u200e\n', 'https://a.com/'],
  ['https://a.com/می\u200cخواهم', 'https://a.com/می\u200cخواهم'],
  ['\u202ehttps://a.com/\u00adb', 'https://a.com/b'],
  ['❤\ufe0f 2026', '❤\ufe0f 2026'],
  ['\u200b', ''],
])('%j is copied with characters that cannot be seen, and meant as %j', (copied, meant) => {
  expect(withoutUnseen(copied)).toBe(meant);
});
