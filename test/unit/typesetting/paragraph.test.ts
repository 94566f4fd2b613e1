import fc from 'fast-check';
import { loadFaces } from '../../../shared/typesetting/fonts.ts';
import type { Line } from '../../../shared/typesetting/line.ts';
import { type Fonts, setParagraph } from '../../../shared/typesetting/paragraph.ts';
import { ScriptFonts } from '../../../shared/typesetting/script-fonts.ts';
import { coversAll } from '../../../shared/typesetting/scripts.ts';
import { TYPE } from '../../../shared/typesetting/style.ts';

let fonts: Fonts;
beforeAll(async () => {
  fonts = { faces: await loadFaces(), scripts: new ScriptFonts() };
});

const set = (text: string, width = 120, options = {}) => setParagraph(fonts, text, TYPE.body, width, options);
const widthOf = (line: Line | undefined) => ((line?.width ?? 0) * TYPE.body.size) / 1000;
const textsOf = ({ lines }: { lines: readonly Line[] }) => lines.map(({ text }) => text);
const faceOf = (text: string) => {
  const [run] = setParagraph(fonts, text, TYPE.title, 400).lines[0]?.runs ?? [];
  return run && 'face' in run ? run.face.name : null;
};

describe('a paragraph', () => {
  it.each([
    ['a very long word', 'x'.repeat(900)],
    ['many short words', 'to be or not to be '.repeat(60)],
    ['a long address', `${'a.very.long.name.'.repeat(9)}@${'sub-domain.'.repeat(9)}example.com`],
    ['a letter under a tower of marks', `e${'\u0301\u0327\u0330'.repeat(40)}`.repeat(30)],
    ['Japanese', '王小明のサイン、「契約」'.repeat(30)],
    ['Arabic', 'محمد بن علي '.repeat(30)],
    ['one long Arabic word', 'محمد'.repeat(60)],
    ['one long Thai word', 'สมชายน้ำ'.repeat(30)],
    ['emoji', '👩‍💻👍🏽🇫🇮'.repeat(30)],
    ['characters that no font has', '\ue000a'.repeat(60)],
    ['wide letters', 'Ǽ№'.repeat(200)],
  ])('no line is wider than the paragraph with %s', (_, text) => {
    const { lines, width } = set(text);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(120);
    expect(width).toBeLessThanOrEqual(120);
  });

  it('breaking a word loses no character', () => {
    const word = 'jean-francois.lefevre@subdomain.some-long-company-name.example.com';
    const lines = textsOf(set(word));
    expect(lines.join('')).toBe(word);
    expect(lines.slice(0, -1).every((line) => /[-.@]$/.test(line))).toBe(true);
  });

  it('a letter is never separated from its combining mark', () => {
    const lines = textsOf(set('x\u0301'.repeat(200), 60));
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(line).toMatch(/^x/);
  });

  it('a cut paragraph ends with an ellipsis that fits', () => {
    const { lines } = set('title '.repeat(900), 120, { maxLines: 3 });
    expect(lines).toHaveLength(3);
    expect(lines[2]?.text).toMatch(/title…$|titl?…$|…$/);
    expect(widthOf(lines[2])).toBeLessThanOrEqual(120);
  });

  it('a text that its face does not cover is set in one stand-in face', () => {
    const cyrillicSupplement = 'Ԕ';
    expect(faceOf(`Name ${cyrillicSupplement}`)).toBe('sans');
    expect(faceOf('Name')).toBe('serif');
    expect(faceOf('Name 山田')).toBe('serif');
  });

  it('a name whose accents need another font has letters of one weight', () => {
    const { lines } = setParagraph(fonts, 'Ṣọlá Ọ̀yọ́', TYPE.strong, 300);
    const faces = lines.flatMap(({ runs }) => runs.flatMap((run) => ('face' in run ? [run.face.name] : [])));
    expect(new Set(faces)).toEqual(new Set(['sans']));
    expect(setParagraph(fonts, 'Solá', TYPE.strong, 300).lines[0]?.runs[0]).toMatchObject({
      face: { name: 'semibold' },
    });
  });

  it('a balanced title has lines of similar length', () => {
    const title = 'Lease agreement for the premises at Mannerheimintie 12, Helsinki';
    const plain = setParagraph(fonts, title, TYPE.title, 480);
    const balanced = setParagraph(fonts, title, TYPE.title, 480, { balanced: true });
    expect(balanced.lines).toHaveLength(plain.lines.length);
    expect(balanced.width).toBeLessThan(plain.width - 50);
  });

  it('an empty text is one empty line', () => {
    expect(textsOf(set(''))).toEqual(['']);
    expect(textsOf(set(' \n\t '))).toEqual(['']);
  });

  it('a script without spaces breaks between words, and never before a closing mark', () => {
    const lines = textsOf(
      set('株式会社と山田太郎が合意した内容を記載する文書である。「契約」。'.repeat(4), 120),
    );
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).not.toMatch(/^[。、」]|「$/);
    expect(lines.join('')).not.toContain(' ');
    expect(textsOf(set('契約 契約', 400))).toEqual(['契約 契約']);
  });

  it('no line begins or ends at a space that French puts beside a sign', () => {
    const text =
      'Ce fichier\u00a0: « le contrat » est joint\u202f; qui l’a signé ? Voyez «\u00a0Preuve\u00a0» !';
    for (let width = 66; width < 300; width += 3)
      for (const line of textsOf(set(text, width))) expect(line).not.toMatch(/^[:;?!»]|«$/);
    expect(textsOf(set(text, 900))).toHaveLength(1);
  });

  it('no number is broken between its groups', () => {
    for (let width = 66; width < 300; width += 3) {
      const lines = textsOf(set('Plan of all floors.pdf, 1.2 MB (1 234 567 bytes), 12 of 2026', width));
      expect(lines.filter((line) => line.includes('1 234 567'))).toHaveLength(1);
    }
    const hash = `${'ab12'.repeat(8)} ${'123c'.repeat(8)}`;
    expect(textsOf(set(hash, 190))).toEqual(hash.split(' '));
  });

  it('no mixture of scripts, marks and joiners draws a glyph that its font lacks', () => {
    const pieces = [
      ...'ab(Å« ا بمح١שלם山田さ「हिक्षกี้한ำ👩💻👍🏽🇫🇮❤©1\u200d\u200c\ufe0f\u0301\u0303\u20e3\u202e\ue000\u00ad',
    ];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 200 }), (text, width) => {
        for (const run of set(text, width).lines.flatMap(({ runs }) => runs)) {
          if ('face' in run) expect(coversAll(run.face.covers, run.drawn)).toBe(true);
          else expect(run.glyphs.map(({ id }) => id)).not.toContain(0);
        }
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('lines of a paragraph from right to left end at its right edge', () => {
    expect(set('محمد بن علي').isRtl).toBe(true);
    expect(set('Anna محمد').isRtl).toBe(false);
  });

  it('a script that stacks its letters gets higher lines', () => {
    expect(set('Anna').leading).toBe(TYPE.body.leading);
    expect(set('བསྒྲུབས').leading).toBeGreaterThan(TYPE.body.leading);
  });
});
