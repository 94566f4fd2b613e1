import {
  endMarkedContent,
  type PDFContext,
  type PDFFont,
  PDFHexString,
  PDFName,
  PDFOperator,
  PDFOperatorNames,
  setFontAndSize,
  setTextRise,
  showText,
} from 'pdf-lib';
import type { GlyphFont } from './glyph-font.ts';
import type { Line, PlainRun, ShapedRun } from './line.ts';

/** A face as a page knows it. */
interface NamedFont {
  readonly key: PDFName;
  readonly font: PDFFont;
}

interface LineFonts {
  plain(run: PlainRun): NamedFont;
  shaped(run: ShapedRun): GlyphFont;
}

/** State that the lines of a paragraph share. */
export interface Pen {
  readonly context: PDFContext;
  readonly fonts: LineFonts;
  readonly size: number;
  /** True if each run gets its own exact text where readers need one; false if the paragraph has one. */
  readonly reads: boolean;
  selected: PDFName | null;
}

/** Shows a line at the place where the text matrix stands. */
export function showLine(pen: Pen, line: Line): PDFOperator[] {
  return line.runs.flatMap((run) => {
    if ('face' in run) {
      const { key, font } = pen.fonts.plain(run);
      const operators = [...select(pen, key), showText(font.encodeText(run.drawn))];
      return pen.reads && run.drawn !== run.text ? readAs(run.text, operators) : operators;
    }
    const font = pen.fonts.shaped(run);
    const { operators, readable } = showGlyphs(pen, run, font);
    const all = [...select(pen, font.key), ...operators];
    return pen.reads && needsExact(run, readable) ? readAs(run.text, all) : all;
  });
}

function select(pen: Pen, key: PDFName): PDFOperator[] {
  if (pen.selected === key) return [];
  pen.selected = key;
  return [setFontAndSize(key, pen.size)];
}

/**
 * True if readers would extract another text from the glyphs: they order glyphs by position, and a mark may stand before its
 * letter. In right-to-left runs they expect an exact text reversed, so there it is the last resort.
 */
function needsExact({ glyphs, direction, text }: ShapedRun, readable: string): boolean {
  const marks = new Set(glyphs.map(({ cluster }) => cluster)).size < glyphs.length;
  return (direction === 'ltr' && marks) || readable.normalize('NFKC') !== text.normalize('NFKC');
}

/** Moves each glyph from where its width would put it to where shaping wants it. */
function showGlyphs(
  { context, size }: Pen,
  run: ShapedRun,
  font: GlyphFont,
): { operators: PDFOperator[]; readable: string } {
  const operators: PDFOperator[] = [];
  const reading: string[] = [];
  const texts = textsOf(run);
  let shown: (PDFHexString | number)[] = [];
  let rise = 0;
  let wanted = 0;
  let reached = 0;
  const flush = () => {
    if (shown.length > 0)
      operators.push(PDFOperator.of(PDFOperatorNames.ShowTextAdjusted, [context.obj(shown)]));
    shown = [];
  };
  const moveTo = (place: number) => {
    const gap = Math.round((reached - place) * 1000) / 1000;
    if (gap !== 0) shown.push(gap);
    reached = place;
  };
  for (const [index, glyph] of run.glyphs.entries()) {
    if (glyph.y !== rise) {
      flush();
      rise = glyph.y;
      operators.push(setTextRise((font.scaled(rise) * size) / 1000));
    }
    const { code, width, text } = font.add(glyph.id, texts[index] ?? '');
    moveTo(wanted + font.scaled(glyph.x));
    shown.push(PDFHexString.of(code));
    reading.push(text);
    reached += width;
    wanted += font.scaled(glyph.advance);
  }
  moveTo(wanted);
  flush();
  if (rise !== 0) operators.push(setTextRise(0));
  if (run.direction === 'rtl') reading.reverse();
  return { operators, readable: reading.join('') };
}

/** The text of each glyph: its own character, or for the first glyph of a cluster without one, the cluster's remaining characters. */
function textsOf({ font, glyphs, text, direction }: ShapedRun): string[] {
  const texts = glyphs.map(() => '');
  const characterOf = (index: number) => font.characterOf(glyphs[index]?.id ?? 0);
  for (const [cluster, members] of clustersIn(glyphs, text.length)) {
    const left = [...text.slice(cluster.start, cluster.end)];
    const unread: number[] = [];
    for (const index of direction === 'rtl' ? members.toReversed() : members) {
      // A joined form of an Arabic letter is that letter.
      const own = characterOf(index)?.normalize('NFKC');
      const place = own === undefined ? -1 : left.indexOf(own);
      if (place < 0) unread.push(index);
      else texts[index] = left.splice(place, 1).join('');
    }
    const [first] = unread;
    if (first !== undefined) texts[first] = remainingText(left, direction, characterOf(first));
  }
  return texts;
}

/** Readers expect one character for a right-to-left ligature, so it gets its presentation form: \ufefb. */
function remainingText(characters: string[], direction: ShapedRun['direction'], form?: string): string {
  const text = characters.join('');
  const isForm = direction === 'rtl' && characters.length > 1 && form?.normalize('NFKC') === text;
  return isForm ? form : text;
}

interface Cluster {
  readonly start: number;
  readonly end: number;
}

/** The clusters of a run with the places of their glyphs. */
function clustersIn(glyphs: ShapedRun['glyphs'], length: number): [Cluster, number[]][] {
  const members = Map.groupBy(glyphs.keys(), (index) => glyphs[index]?.cluster ?? 0);
  const starts = [...members.keys()].sort((a, b) => a - b);
  return starts.map((start, place) => [
    { start, end: starts[place + 1] ?? length },
    members.get(start) ?? [],
  ]);
}

/** Makes readers copy, search and speak this text instead of the drawn one (ISO 32000-1, 14.9.4). */
export function readAs(exact: string, operators: readonly PDFOperator[]): PDFOperator[] {
  const properties = `<</ActualText ${PDFHexString.fromText(exact)}>>`;
  return [
    PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of('Span'), properties]),
    ...operators,
    endMarkedContent(),
  ];
}
