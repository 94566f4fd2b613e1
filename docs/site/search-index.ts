import { htmlText } from './html-text.ts';

/** A place that the search can lead to: a page, or a section of one. */
export interface Entry {
  /** Its address below `/docs`. */
  readonly to: string;
  readonly page: string;
  /** The section; empty for the page itself. */
  readonly section: string;
  readonly text: string;
}

/** A long section is found by how it begins: the index is to stay small. */
const MOST_TEXT = 600;

const SECTION = /<h[23] id="([^"]+)">(.*?)<\/h[23]>/gs;

/** The parts of an endpoint's section, which have the same names in all of them. */
const isPart = (id: string) => /-(parameters|body|answer|examples|errors)$/.test(id);

/** The entries of a page: one for itself, one for each of its sections. */
export function entriesOf({ path, title }: { path: string; title: string }, body: string): Entry[] {
  const starts = [
    { id: '', section: '', at: 0 },
    ...[...body.matchAll(SECTION)]
      .filter(([, id = '']) => !isPart(id))
      .map(({ 1: id = '', 2: inner = '', index, 0: { length } }) => ({
        id,
        section: htmlText(inner),
        at: index + length,
      })),
  ];
  return starts.map(({ id, section, at }, place) => ({
    to: `${path}${id && `#${id}`}`,
    page: title,
    section,
    text: htmlText(withoutCode(body.slice(at, starts[place + 1]?.at))).slice(0, MOST_TEXT),
  }));
}

const withoutCode = (html: string) => html.replace(/<pre.*?<\/pre>|<h[23][^>]*>.*?<\/h[23]>/gs, '');
