import { hasPoint, isName, isPointed, PdfArray, type PdfDict, type Resolve } from './pdf/values.ts';

/**
 * Poppler or MuPDF takes no number with a point for these, as in 8.0, and draws something else. Nor does Poppler for the default
 * width of letters (/DW), but Chrome writes that with a fraction.
 */
const NUMBERS = [
  'BitsPerComponent BitsPerCoordinate BitsPerFlag BitsPerSample FirstChar FunctionType Height LC LJ LastChar',
  'PaintType PatternType ShadingType VerticesPerRow Width',
].flatMap((keys) => keys.split(' '));

/** Lists of such numbers. */
const LISTS = ['Differences', 'Mask', 'Size'];

/** Lists of letters with their widths or heights, and how many numbers stand for all letters between two. */
const OF_LETTERS: ReadonlyMap<string, number> = new Map([
  ['W', 1],
  ['W2', 3],
]);

/** The first key with such a number. */
export function pointedIn(dict: PdfDict, resolve: Resolve): string | undefined {
  const has = (key: string, isFound: (list: PdfArray) => boolean): boolean => {
    const list = resolve(dict.get(key));
    return list instanceof PdfArray && isFound(list);
  };
  return (
    NUMBERS.find((key) => hasPoint(dict, key)) ??
    LISTS.find((key) => has(key, ({ source, items }) => items.some((item) => isPointed(source, item)))) ??
    [...OF_LETTERS].find(([key, numbers]) => has(key, (list) => isLetterPointed(list, numbers, resolve)))?.[0]
  );
}

/** A letter stands before a list of numbers, or the first and the last letter before the numbers of all. */
function isLetterPointed({ source, items }: PdfArray, numbers: number, resolve: Resolve): boolean {
  for (let at = 0; at < items.length; ) {
    const letters = resolve(items[at + 1]?.value ?? null) instanceof PdfArray ? 1 : 2;
    if (items.slice(at, at + letters).some((letter) => isPointed(source, letter))) return true;
    at += letters + (letters === 1 ? 1 : numbers);
  }
  return false;
}

/** True for a table of colours whose last number has a point. */
export function isPointedTable({ source, items }: PdfArray, resolve: Resolve): boolean {
  const [kind, , last] = items;
  return last !== undefined && isPointed(source, last) && isName(resolve(kind?.value ?? null), 'Indexed');
}
