import type { Match } from './search.ts';

/** Browsers without highlights show the page of a match, unmarked. */
const marks = typeof Highlight === 'undefined' ? null : { found: new Highlight(), current: new Highlight() };
if (marks) {
  CSS.highlights.set('found', marks.found);
  CSS.highlights.set('current-match', marks.current);
}

/** Marks the matches in the text layer of their page, and scrolls to the current one. Returns how to undo it. */
export function mark(layer: HTMLElement, matches: readonly Match[], current: Match | null): () => void {
  const rangeOf = rangesIn(layer);
  const ranges = matches.map(rangeOf);
  const chosen = current && rangeOf(current);
  for (const range of ranges) marks?.found.add(range);
  if (chosen) {
    marks?.current.add(chosen);
    chosen.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }
  return () => {
    for (const range of ranges) marks?.found.delete(range);
    if (chosen) marks?.current.delete(chosen);
  };
}

/** Turns places in a page's text into ranges. The layer has an element for each piece of text, and `br` for line ends. */
function rangesIn(layer: HTMLElement): (match: Match) => Range {
  const pieces: { node: Text; start: number }[] = [];
  let length = 0;
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof HTMLBRElement) length += 1;
    if (!(node instanceof Text)) continue;
    pieces.push({ node, start: length });
    length += node.length;
  }
  const set = (place: number, boundary: (node: Text, offset: number) => void) => {
    const piece = pieces.findLast(({ start }) => start <= place);
    if (piece) boundary(piece.node, Math.min(place - piece.start, piece.node.length));
  };
  return ({ start, end }) => {
    const range = new Range();
    set(start, (node, offset) => range.setStart(node, offset));
    // The end is after the last character, which may be the last of its piece.
    set(end - 1, (node, offset) => range.setEnd(node, Math.min(offset + 1, node.length)));
    return range;
  };
}
