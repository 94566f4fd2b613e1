/**
 * Whole characters as people see them (UAX 29): a letter with its marks, a family of emoji. Text is cut and wrapped only
 * between them, so that no half of a surrogate pair reaches an encoder and no emoji falls apart.
 */

let segmenter: Intl.Segmenter | undefined;

/** No writing needs more. A chain of joiners can go on for ever; a longer one is cut into its code points. */
const LONGEST = 32;
const SINGLE_UNITS = /^[\x20-\x7e]*$/;

export function graphemesOf(text: string): string[] {
  if (SINGLE_UNITS.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  const graphemes: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    if (segment.length <= LONGEST) graphemes.push(segment);
    else graphemes.push(...segment);
  }
  return graphemes;
}

/** As many whole characters from the beginning as fit into so many UTF-16 units. */
export function wholeStart(text: string, units: number): string {
  if (text.length <= units) return text;
  let end = 0;
  // The text after the cut does not change where the character at the cut begins.
  for (const grapheme of graphemesOf(text.slice(0, units + LONGEST))) {
    if (end + grapheme.length > units) break;
    end += grapheme.length;
  }
  return text.slice(0, end);
}
