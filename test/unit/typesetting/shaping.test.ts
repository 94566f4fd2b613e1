import { inVisualOrder, levelsOf, mirrored, startsRightToLeft } from '../../../shared/typesetting/bidi.ts';
import { loadFaces } from '../../../shared/typesetting/fonts.ts';
import type { Line } from '../../../shared/typesetting/line.ts';
import { setParagraph } from '../../../shared/typesetting/paragraph.ts';
import { ScriptFonts } from '../../../shared/typesetting/script-fonts.ts';
import { TYPE } from '../../../shared/typesetting/style.ts';

const scripts = new ScriptFonts();
const arabic = scripts.get('arabic.woff');
const ids = (text: string) => arabic.shape(text, 'rtl').map(({ id }) => id);

async function line(text: string): Promise<Line> {
  const { lines } = setParagraph({ faces: await loadFaces(), scripts }, text, TYPE.body, 400);
  const [first] = lines;
  if (first === undefined || lines.length > 1) throw new Error('not one line');
  return first;
}

const glyphsOf = async (text: string) =>
  (await line(text)).runs.flatMap((run) => ('face' in run ? [] : run.glyphs.map(({ id }) => id)));

const drawnTexts = async (text: string) => (await line(text)).runs.map((run) => run.text);

describe('shaping', () => {
  it('Arabic letters join: their glyphs differ from the isolated ones', () => {
    const isolated = [...'محمد'].flatMap((letter) => ids(letter));
    const joined = ids('محمد');
    expect(joined).toHaveLength(4);
    expect(joined.filter((id) => isolated.includes(id))).toEqual([]);
  });

  it('lam and alef become one glyph', () => {
    expect(ids('لا')).toHaveLength(1);
  });

  it('right-to-left glyphs come in drawing order, from left to right', () => {
    expect(arabic.shape('محمد', 'rtl').map(({ cluster }) => cluster)).toEqual([3, 2, 1, 0]);
  });

  it('a Persian zero width non-joiner ends the joining', () => {
    expect(ids('می\u200cخ')).not.toEqual(ids('میخ'));
  });

  it.each([
    ['a Malayalam chillu', 'രാജന്\u200d', 'രാജൻ'],
    ['a Bengali khanda ta', 'হঠাত্\u200d', 'হঠাৎ'],
  ])('%s at the end of a word is drawn alike in both of its spellings', async (_, joined, single) => {
    expect(await glyphsOf(joined)).toEqual(await glyphsOf(single));
  });

  it('a Mongolian vowel that is written apart stays apart', async () => {
    const word = 'ᠰᠠᠷ\u180eᠠ';
    const apart = scripts.get('mongolian.woff').shape(word, 'ltr');
    expect(await glyphsOf(word)).toEqual(apart.map(({ id }) => id));
    expect(await glyphsOf(word)).not.toEqual(await glyphsOf('ᠰᠠᠷᠠ'));
  });

  it('a variant of a kanji has its own glyph', async () => {
    expect(await glyphsOf('\ufa19')).not.toEqual(await glyphsOf('\ufa19'.normalize('NFC')));
  });

  it('a Hindi vowel sign that is written before its letter is drawn before it', () => {
    const devanagari = scripts.get('devanagari.woff');
    const [first, second] = devanagari.shape('हि', 'ltr');
    expect(devanagari.characterOf(second?.id ?? 0)).toBe('ह');
    expect(devanagari.characterOf(first?.id ?? 0)).not.toBe('ह');
  });

  it('a conjunct is fewer glyphs than its letters', () => {
    expect(scripts.get('devanagari.woff').shape('क्ष', 'ltr')).toHaveLength(1);
    expect(scripts.get('malayalam.woff').shape('ക്രി', 'ltr').length).toBeLessThan(4);
  });

  it('a Thai tone mark sits above its vowel and takes no room', () => {
    const glyphs = scripts.get('thai.woff').shape('ที่', 'ltr');
    expect(glyphs.map(({ advance }) => advance > 0)).toEqual([true, false, false]);
  });

  it.each(['👩‍💻', '👍🏽', '🇫🇮', '👨‍👩‍👧'])('%s is one glyph', (emoji) => {
    expect(scripts.get('emoji.woff').shape(emoji, 'ltr')).toHaveLength(1);
  });
});

describe('the bidirectional order', () => {
  it('a name from right to left is drawn from its last letter to its first', async () => {
    const [run] = (await line('שלום')).runs;
    if (run === undefined || 'face' in run) throw new Error('not shaped');
    expect(run.glyphs.map(({ cluster }) => cluster)).toEqual([3, 2, 1, 0]);
  });

  it('the words of a line stand from right to left, numbers and Latin words within from left to right', async () => {
    expect(await drawnTexts('שלום Anna 42 נעים')).toEqual(['נעים', ' ', 'Anna 42', ' ', 'שלום']);
  });

  it('a right-to-left name in a Latin line leaves the rest of the line in order', async () => {
    expect(await drawnTexts('For שלום נעים (CEO)')).toEqual(['For ', 'נעים', ' ', 'שלום', ' (CEO)']);
  });

  it('a marked name keeps its own order in a line of the other direction', async () => {
    const drawn = async (text: string) => (await drawnTexts(text)).join('');
    expect(await drawn('For \u2068שלום ABC נעים\u2069 (CEO)')).toBe('For נעים ABC שלום (CEO)');
    expect(await drawn('\u2068שלום.pdf\u2069, 12 bytes')).toBe('pdf.שלום, 12 bytes');
  });

  it('marks around a name are not drawn, whatever its script', async () => {
    expect(await drawnTexts('For \u2068Anna\u2069')).toEqual(['For Anna']);
    expect(await drawnTexts('For \u2068山田\u2069')).toEqual(['For ', '山田']);
  });

  it('a line is ordered as a part of its paragraph', async () => {
    const text = 'Reason: שלום 15 שלום';
    const { lines } = setParagraph({ faces: await loadFaces(), scripts }, text, TYPE.body, 62);
    expect(lines.map(({ text }) => text)).toEqual(['Reason: שלום', '15 שלום']);
    expect(lines[1]?.runs.map((run) => run.text)).toEqual(['שלום', ' ', '15']);
  });

  it('brackets around a word from right to left are mirrored', async () => {
    const { runs } = await line('שלום (א)');
    expect(runs.map((run) => ('face' in run ? run.drawn : run.text))).toEqual(['(', 'א', ')', ' ', 'שלום']);
    expect(runs[0]?.text).toBe(')');
    expect(mirrored('«')).toBe('»');
  });

  it('a paragraph takes the direction of its first letter', () => {
    expect(startsRightToLeft('123 שלום Anna')).toBe(true);
    expect(startsRightToLeft('Anna שלום')).toBe(false);
    expect(startsRightToLeft('山田')).toBe(false);
  });

  it('bidirectional levels nest: a number in Hebrew in a Latin line', () => {
    expect([...levelsOf('a א1', false)]).toEqual([0, 0, 1, 2]);
    const runs = [0, 1, 2, 1, 0].map((level, place) => ({ level, place }));
    expect(inVisualOrder(runs).map(({ place }) => place)).toEqual([0, 3, 2, 1, 4]);
  });
});
