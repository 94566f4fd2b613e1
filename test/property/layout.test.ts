import fc from 'fast-check';
import { visible } from '../../shared/runtime/visible.ts';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { loadFaces } from '../../shared/typesetting/fonts.ts';
import { type Fonts, setParagraph } from '../../shared/typesetting/paragraph.ts';
import { ScriptFonts, scriptFamilies } from '../../shared/typesetting/script-fonts.ts';
import { coversAll, printable } from '../../shared/typesetting/scripts.ts';
import { TYPE } from '../../shared/typesetting/style.ts';
import { hostileText } from '../support/hostile-text.ts';
import { always } from '../support/property.ts';
import { pageInput, signer } from '../support/signature-input.ts';

let fonts: Fonts;
let uses = 0;
beforeAll(async () => {
  fonts = { faces: await loadFaces(), scripts: new ScriptFonts() };
});

/** Fonts remember what they shaped as long as one document needs; some hundred texts are more than one has. */
function set(text: string, width: number, options = {}) {
  uses += 1;
  if (uses % 500 === 0) fonts = { ...fonts, scripts: new ScriptFonts() };
  return setParagraph(fonts, text, TYPE.body, width, options);
}

/** Narrower than any column with a text of people, wider than the widest glyph there is: \ufdfd. */
const MIN_WIDTH = 80;

const words = (text: string) => text.replace(/\s/gu, '');
/** The text as it is printed: characters that no font has are spelled. */
const printedOf = (text: string) =>
  printable(text, fonts.faces.sans.covers, scriptFamilies)
    .pieces.map((piece) => piece.text)
    .join('');

const lacksGlyph = (run: ReturnType<typeof set>['lines'][number]['runs'][number]): boolean =>
  'face' in run ? !coversAll(run.face.covers, run.drawn) : run.glyphs.some(({ id }) => id === 0);

describe('a paragraph of any text', () => {
  it('has lines that fit, begin with whole characters, lose none and lack no glyph', async () => {
    await always(
      fc.property(hostileText(300), fc.integer({ min: MIN_WIDTH, max: 400 }), (text, width) => {
        const { lines } = set(text, width);
        const printed = printedOf(text);
        expect(words(lines.map((line) => line.text).join(''))).toBe(words(printed));
        const starts = startsOf(printed);
        let at = 0;
        for (const line of lines) {
          expect((line.width * TYPE.body.size) / 1000).toBeLessThanOrEqual(width);
          const start = printed.indexOf(line.text, at);
          if (line.text !== '' && printed[start - 1] !== ' ') expect(starts).toContain(start);
          at = start + line.text.length;
        }
        expect(lines.flatMap(({ runs }) => runs).filter(lacksGlyph)).toEqual([]);
      }),
    );
  });

  it('is cut to its lines by an ellipsis after a whole character', async () => {
    await always(
      fc.property(hostileText(300), fc.integer({ min: MIN_WIDTH, max: 200 }), (text, width) => {
        const { lines } = set(text, width, { maxLines: 2 });
        expect(lines.length).toBeLessThanOrEqual(2);
        for (const line of lines) expect((line.width * TYPE.body.size) / 1000).toBeLessThanOrEqual(width);
        const last = lines[1]?.text ?? '';
        if (!last.endsWith('…')) return;
        const printed = printedOf(text);
        const from = printed.indexOf(last.slice(0, -1), lines[0]?.text.length);
        const end = from + last.length - 1;
        if (printed[end] !== ' ') expect(startsOf(printed)).toContain(end);
      }),
      0.3,
    );
  });
});

describe('a signature page of any texts', () => {
  it('is made, of bounded length', async () => {
    const [title, sender, filename] = fc.sample(hostileText(200), { numRuns: 3, seed: 1 });
    const names = fc.sample(
      hostileText(200).filter((name) => visible(name) !== ''),
      {
        numRuns: 20,
        seed: 2,
      },
    );
    const page = await makeSignaturePage(
      pageInput({
        title: title ?? '',
        sender: sender ?? '',
        document: { filename: filename ?? '', sha256: pageInput().document.sha256 },
        signers: names.map((name) => signer(name, { representing: { name, role: name, entityId: name } })),
      }),
    );
    expect(page.length).toBeLessThan(5_000_000);
  });
});

const segmenter = new Intl.Segmenter();

/** Allowed beginnings of a line: a character, or inside one that has no end and is wider than a line. */
function startsOf(text: string): Set<number> {
  const starts = new Set([text.length]);
  for (const { index, segment } of segmenter.segment(text)) {
    starts.add(index);
    if (segment.length > 12) for (const { index: at } of segment.matchAll(/./gsu)) starts.add(index + at);
  }
  return starts;
}
