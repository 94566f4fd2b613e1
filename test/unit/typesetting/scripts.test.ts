import { type Face, loadFaces } from '../../../shared/typesetting/fonts.ts';
import { scriptFamilies } from '../../../shared/typesetting/script-fonts.ts';
import { type Piece, printable, readCharacters } from '../../../shared/typesetting/scripts.ts';

let sans: Face;
beforeAll(async () => {
  ({ sans } = await loadFaces());
});

const print = (text: string) => printable(text, sans.covers, scriptFamilies);
const shown = ({ pieces }: { pieces: readonly Piece[] }) => pieces.map(({ text }) => text).join('');
/** The families that set a text, without those of its spaces. */
const familiesOf = (text: string) => [
  ...new Set(
    print(text)
      .pieces.filter((piece) => piece.text.trim() !== '')
      .map(({ file }) => file?.replace(/(-\d+)?\.woff$/, '') ?? 'face'),
  ),
];

describe('printable text', () => {
  it.each([
    'Ærøskøbing, Þórður Guðmundsdóttir',
    'Łukasz Żółć, Jiří Dvořák, Őrsi Ű',
    'Nguyễn Thị Ánh Tuyết',
    'Αλέξανδρος Παπαδόπουλος, Ἀριστοτέλης',
    'Алексей Щукин, Ђорђе Љубић, Їжакевич',
    '“Quoted” – 5 000 € · № 7 … ‘x’',
  ])('%s is set in its face without reading the index of scripts', (text) => {
    const families = () => {
      throw new Error('read');
    };
    expect(printable(text, sans.covers, families)).toEqual({ pieces: [{ text, file: null }], exact: null });
  });

  // One sample for each script in use today. A missing script shows here.
  it.each([
    ['accents', 'Kɔ̀fi Ɛyɛ, ɗan Ɓaɓura, Ɲaɲa, Ⱪ'],
    ['adlam', '𞤀𞤣𞤤𞤢𞤥'],
    ['arabic', 'محمد علي'],
    ['armenian', 'Հայերեն'],
    ['balinese', 'ᬩᬮᬶ'],
    ['bamum', 'ꚠꚡ'],
    ['batak', 'ᯅᯖᯂ᯲'],
    ['bengali', 'বাংলা কর্মকার।'],
    ['buginese', 'ᨅᨔ'],
    ['canadian-aboriginal', 'ᐃᓄᒃᑎᑐᑦ'],
    ['chakma', '𑄌𑄋𑄴𑄟𑄳𑄦'],
    ['cham', 'ꨌꩌ'],
    ['cherokee', 'ᏣᎳᎩ'],
    ['coptic', 'ⲙⲉⲧ'],
    ['devanagari', 'नमस्ते क्षत्रिय'],
    ['emoji', '👩‍💻 👍🏽 🇫🇮 😀'],
    ['ethiopic', 'አማርኛ'],
    ['georgian', 'ქართული'],
    ['gujarati', 'ગુજરાતી'],
    ['gunjala-gondi', '𑵠𑵡'],
    ['gurmukhi', 'ਪੰਜਾਬੀ ਸਿੰਘ'],
    ['han-japanese', '山田太郎 さくら カタカナ 「契約」'],
    ['han-simplified', '刘德华'],
    ['han-traditional', '㗎呢'],
    ['hanifi-rohingya', '𐴌𐴟𐴇𐴥𐴝𐴚𐴒𐴙𐴝'],
    ['hanunoo', 'ᜱᜨᜳᜨᜳᜢ'],
    ['hebrew', 'שָׁלוֹם'],
    ['javanese', 'ꦗꦮ'],
    ['kannada', 'ಕನ್ನಡ'],
    ['kawi', '𑼒𑼮'],
    ['kayah-li', 'ꤊꤢꤛꤢ'],
    ['khmer', 'ខ្មែរ'],
    ['korean', '김철수'],
    ['lao', 'ລາວ'],
    ['lepcha', 'ᰛᰩᰵ'],
    ['limbu', 'ᤗᤡᤶᤒᤢ'],
    ['lisu', 'ꓡꓲ-ꓢꓴ'],
    ['malayalam', 'മലയാളം'],
    ['mandaic', 'ࡌࡀࡍࡃࡀ'],
    ['math', '𝓑𝓸𝓫'],
    ['meetei-mayek', 'ꯃꯩꯇꯩ'],
    ['mende-kikakui', '𞠗𞢱'],
    ['miao', '𖼀𖽘'],
    ['mongolian', 'ᠮᠣᠩᠭᠣᠯ'],
    ['mro', '𖩃𖩓'],
    ['music', '𝄞'],
    ['myanmar', 'ဗမာ ကြွေး'],
    ['nko', 'ߒߞߏ'],
    ['new-tai-lue', 'ᦟᦹᧉ'],
    ['newa', '𑐣𑐾𑐥𑐵𑐮'],
    ['nushu', '𛆁𛈬'],
    ['nyiakeng-puachue-hmong', '𞄀𞄄𞄰'],
    ['ol-chiki', 'ᱥᱟᱱᱛᱟᱲᱤ'],
    ['oriya', 'ଓଡ଼ିଆ'],
    ['osage', '𐓏𐓘𐓻𐓘𐓻𐓟'],
    ['osmanya', '𐒍𐒖𐒇'],
    ['pahawh-hmong', '𖬌𖬣'],
    ['pau-cin-hau', '𑫀𑫁'],
    ['rejang', 'ꤽꥍꤺꥏ'],
    ['runic', 'ᚠᚢᚦ'],
    ['samaritan', 'ࠔࠌࠓ'],
    ['saurashtra', 'ꢱꣃꢬꢵꢰ꣄ꢜ꣄ꢬꢵ'],
    ['sinhala', 'සිංහල ශ්‍රී'],
    ['sora-sompeng', '𑃐𑃑'],
    ['sundanese', 'ᮞᮥᮔ᮪ᮓ'],
    ['syloti-nagri', 'ꠍꠤꠟꠐꠤ'],
    ['symbols2', '🅰︎🙾'],
    ['syriac', 'ܣܘܪܝܝܐ'],
    ['sunuwar', '𑯀𑯁'],
    ['tagalog', 'ᜊᜌ᜔ᜊᜌᜒᜈ᜔'],
    ['tai-le', 'ᥖᥭᥰ'],
    ['tai-tham', 'ᨲᩫ᩠ᩅ'],
    ['tai-viet', 'ꪼꪕ'],
    ['tamil', 'தமிழ்'],
    ['tangsa', '𖩰𖩱'],
    ['telugu', 'తెలుగు'],
    ['thaana', 'ދިވެހި'],
    ['thai', 'สมชาย น้ำ'],
    ['tibetan', 'བོད་ བསྒྲུབས'],
    ['tifinagh', 'ⵜⵉⴼⵉⵏⴰⵖ'],
    ['toto', '𞊐𞊑'],
    ['vai', 'ꕙꔤ'],
    ['wancho', '𞋒𞋀'],
    ['warang-citi', '𑢹𑣗'],
    ['yezidi', '𐺀𐺊'],
    ['yi', 'ꆈꌠꁱꂷ'],
  ])('%s prints as it is written: %s', (family, text) => {
    expect(print(text).exact).toBeNull();
    expect(familiesOf(text)).toContain(family);
  });

  it('the list of Unicode scripts without a font is complete', () => {
    const codes =
      'Adlm Aghb Ahom Arab Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi Buhd Cakm Cans Cari Cham Cher ' +
      'Chrs Copt Cpmn Cprt Cyrl Deva Diak Dogr Dsrt Dupl Egyp Elba Elym Ethi Gara Geor Glag Gong Gonm Goth Gran Grek Gujr ' +
      'Gukh Guru Hang Hani Hano Hatr Hebr Hira Hluw Hmng Hmnp Hung Ital Java Kali Kana Kawi Khar Khmr Khoj Kits Knda Krai ' +
      'Kthi Lana Laoo Latn Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend Merc Mero Mlym Modi Mong ' +
      'Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Onao Orkh Orya Osge Osma Ougr Palm Pauc Perm Phag ' +
      'Phli Phlp Phnx Plrd Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sind Sinh Sogd Sogo Sora Soyo Sund Sunu ' +
      'Sylo Syrc Tagb Takr Tale Talu Taml Tang Tavt Telu Tfng Tglg Thaa Thai Tibt Tirh Tnsa Todr Toto Tutg Ugar Vaii Vith ' +
      'Wara Wcho Xpeo Xsux Yezi Yiii Zanb';
    const files = scriptFamilies().flatMap((family) => family.files);
    let covered = '';
    for (let codePoint = 0xa0; codePoint < 0x20000; codePoint += 1)
      if (sans.covers(codePoint) || files.some((file) => file.covers(codePoint)))
        covered += String.fromCodePoint(codePoint);
    const missing = codes.split(' ').filter((code) => !new RegExp(`\\p{sc=${code}}`, 'u').test(covered));
    // In no package of Debian or npm: Chorasmian, Cypro-Minoan, Dives Akuru, Garay, Gurung Khema, Kirat Rai, Nag Mundari,
    // Nandinagari, Ol Onal, Tulu-Tigalari, Vithkuqi.
    expect(missing).toEqual('Chrs Cpmn Diak Gara Gukh Krai Nagm Nand Onao Tutg Vith'.split(' '));
  });

  it('a text is set in one design if one font family has all of it', () => {
    expect(familiesOf('陳大文')).toEqual(['han-japanese']);
    expect(familiesOf('刘德华')).toEqual(['han-simplified']);
    expect(familiesOf('金 철수')).toEqual(['korean']);
    expect(familiesOf('বাংলা।')).toEqual(['bengali']);
  });

  it('each part of a mixed text is set in its own font', () => {
    expect(print('Anna 山 محمد').pieces).toEqual([
      { text: 'Anna ', file: null },
      { text: '山', file: expect.stringMatching(/^han-japanese-\d+\.woff$/) },
      { text: ' ', file: null },
      { text: 'محمد', file: 'arabic.woff' },
    ]);
  });

  it('a letter with marks that Unicode does not compose is set where its marks can be placed', () => {
    expect(print('Jose\u0301').pieces).toEqual([{ text: 'José', file: null }]);
    expect(print('Q\u0303ed').pieces).toEqual([
      { text: 'Q\u0303', file: 'accents.woff' },
      { text: 'ed', file: null },
    ]);
  });

  it('a joiner between characters of a face leaves no glyph', () => {
    expect(shown(print('©\u200d®'))).toBe('©®');
  });

  it('a variant of a Han letter prints in its own form, or in the usual one if no font has it', () => {
    expect(print('\ufa19谷').exact).toBeNull();
    expect(familiesOf('\ufa19谷')).toEqual(['han-japanese']);
    expect(shown(print('\ufa19谷'))).toBe('\ufa19谷');
    expect(shown(print('\u{2f800}'))).toBe('\u4e3d');
    expect(print('\u{2f800}').exact).toBe('\u{2f800}');
  });

  it('a compatibility character that no font has prints as the letter it stands for', () => {
    const none = () => [];
    expect(printable('Ａｎｎａ ﬁnn ①', sans.covers, none)).toEqual({
      pieces: [{ text: 'Anna finn 1', file: null }],
      exact: 'Ａｎｎａ ﬁnn ①',
    });
  });

  it.each([
    ['\ue000', '[U+E000]'],
    ['Anna \ue000', 'Anna [U+E000]'],
    ['山\ue000田', '山[U+E000]田'],
    ['a\ud800b', 'a[U+FFFD]b'],
  ])('%j prints as code points and keeps the exact text for copying', (text, spelling) => {
    expect(shown(print(text))).toBe(spelling);
    expect(print(text).exact).toBe(text.toWellFormed());
  });

  it('a long run of uncovered characters names the first and counts the rest', () => {
    expect(shown(print('\ue000'.repeat(200)))).toBe(`[${Array(12).fill('U+E000').join(' ')} … +188]`);
  });
});

describe('the index of scripts', () => {
  it('the encoding of the index alternates counts of skipped and covered characters', () => {
    const covers = readCharacters('a 2 1 1');
    expect([9, 10, 11, 12, 13, 14].map(covers)).toEqual([false, true, true, false, true, false]);
  });
});
