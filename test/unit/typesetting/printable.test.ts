import { type Face, loadFaces } from '../../../shared/typesetting/fonts.ts';
import { printable } from '../../../shared/typesetting/printable.ts';

let sans: Face;
beforeAll(async () => {
  ({ sans } = await loadFaces());
});

describe('text made printable', () => {
  it.each([
    'Ærøskøbing, Þórður Guðmundsdóttir',
    'Łukasz Żółć, Jiří Dvořák, Őrsi Ű',
    'Nguyễn Thị Ánh Tuyết',
    'Αλέξανδρος Παπαδόπουλος, Ἀριστοτέλης',
    'Алексей Щукин, Ђорђе Љубић, Їжакевич',
    '“Quoted” – 5 000 € · № 7 … ‘x’',
  ])('keeps %s as it is', (text) => {
    expect(printable(text, sans)).toEqual({ shown: text, exact: null });
  });

  it('composes letters with loose marks', () => {
    expect(printable('Jose\u0301 Mu\u0308ller', sans)).toEqual({ shown: 'José Müller', exact: null });
  });

  it('spells compatibility characters with the letters that they stand for', () => {
    expect(printable('Ａｎｎａ ﬁnn ① 𝓑𝓸𝓫', sans)).toEqual({
      shown: 'Anna finn 1 Bob',
      exact: 'Ａｎｎａ ﬁnn ① 𝓑𝓸𝓫',
    });
  });

  it.each([
    ['王小明', '[U+738B U+5C0F U+660E]'],
    ['Anna 王', 'Anna [U+738B]'],
    ['محمد', '[U+0645 U+062D U+0645 U+062F]'],
    ['Ok 👍', 'Ok [U+1F44D]'],
    ['\ue000', '[U+E000]'],
  ])('spells %s as code points and keeps the exact text', (text, shown) => {
    expect(printable(text, sans)).toEqual({ shown, exact: text });
  });

  it('names the first code points of a long run and counts the rest', () => {
    const { shown } = printable('王'.repeat(200), sans);
    expect(shown).toBe(`[${Array(12).fill('U+738B').join(' ')} … +188]`);
  });

  it('takes out what turns, hides or controls text', () => {
    expect(printable('invoice\u202Efdp.exe\u202C', sans)).toEqual({ shown: 'invoicefdp.exe', exact: null });
    expect(printable('\u2066A\u2069\u200B\u200F\uFEFFn\u0000\u0007n\u001b[31ma\u00AD', sans).shown).toBe(
      'Ann[31ma',
    );
    expect(printable('a\u{E0041}\uFE0Fb', sans)).toEqual({ shown: 'ab', exact: null });
  });

  it('makes one line of several', () => {
    expect(printable(' one\r\n\ttwo\u2028three\u00A0 four ', sans).shown).toBe('one two three four');
  });

  it('keeps no more than three marks on a letter', () => {
    expect(printable(`q${'\u0301'.repeat(50)}`, sans).shown).toBe('q\u0301\u0301\u0301');
  });

  it('survives halves of surrogate pairs', () => {
    expect(printable('a\ud800b', sans).shown).toBe('a[U+FFFD]b');
  });
});
