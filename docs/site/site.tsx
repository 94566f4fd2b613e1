import { renderToString } from 'preact-render-to-string';
import { htmlText } from './html-text.ts';
import { type Assets, Frame, type Heading } from './layout.tsx';
import type { Page } from './page.ts';
import { GROUPS } from './pages.tsx';
import { type Entry, entriesOf } from './search-index.ts';

interface Rendered {
  readonly path: string;
  readonly html: string;
}

const headingsOf = (body: string): Heading[] =>
  [...body.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gs)].map(([, id = '', inner = '']) => ({
    id,
    words: htmlText(inner),
  }));

function rendered(page: Page, body: string, assets: Assets): Rendered {
  const frame = <Frame page={page} groups={GROUPS} assets={assets} headings={headingsOf(body)} body={body} />;
  return { path: page.path, html: `<!doctype html>${renderToString(frame)}\n` };
}

/** Every page as HTML, and what the search looks through. */
export function renderedSite(assets: Assets): { pages: Rendered[]; index: Entry[] } {
  const bodies = GROUPS.flatMap(({ pages }) => pages).map((page) => ({ page, body: page.body() }));
  return {
    pages: bodies.map(({ page, body }) => rendered(page, body, assets)),
    // The home page only lists the others.
    index: bodies.filter(({ page }) => page.path !== '').flatMap(({ page, body }) => entriesOf(page, body)),
  };
}
