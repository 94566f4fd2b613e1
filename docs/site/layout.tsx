import { Logo } from '../../web/parts/icons.tsx';
import type { MenuGroup, Page } from './page.ts';

/** The frame around each page. It needs no script: the search appears where there is one. */

export interface Assets {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
}

export interface Heading {
  readonly id: string;
  readonly words: string;
}

const addressOf = ({ path }: Page) => `/docs${path ? `/${path}` : ''}`;

const Menu = ({ groups, current }: { groups: readonly MenuGroup[]; current: Page }) => (
  <>
    {groups.map(({ title, pages }) => (
      <>
        <p class="menu-title">{title}</p>
        <ul>
          {pages.map((page) => (
            <li>
              <a href={addressOf(page)} aria-current={page === current ? 'page' : undefined}>
                {page.title}
              </a>
            </li>
          ))}
        </ul>
      </>
    ))}
  </>
);

const Head = ({ page, assets }: { page: Page; assets: Assets }) => (
  <head>
    <meta charset="utf-8" />
    <title>{`${page.title} – Signature requests`}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="description" content={page.summary} />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#f3f6f3" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#101615" media="(prefers-color-scheme: dark)" />
    <link rel="icon" href={assets.icon} type="image/svg+xml" />
    <link rel="stylesheet" href={assets.style} />
    <script type="module" src={assets.script} />
  </head>
);

const Search = () => (
  <search class="search" id="search" hidden>
    <label class="visually-hidden" for="search-words">
      Search the documentation
    </label>
    <input
      id="search-words"
      type="search"
      placeholder="Search"
      autocomplete="off"
      spellcheck={false}
      aria-describedby="search-hint"
    />
    <p class="visually-hidden" id="search-hint">
      Type to search, then press the down arrow for the results. The slash key leads here.
    </p>
    <p class="search-count visually-hidden" id="search-count" role="status" />
    <ul class="results" id="search-results" hidden />
  </search>
);

const Neighbour = ({ page, words, rel }: { page: Page | undefined; words: string; rel: string }) =>
  page ? (
    <a href={addressOf(page)} rel={rel} class={rel}>
      <span class="small-label">{words}</span>
      {page.title}
    </a>
  ) : null;

interface FrameProps {
  page: Page;
  groups: readonly MenuGroup[];
  assets: Assets;
  headings: readonly Heading[];
  /** The page's own HTML. */
  body: string;
}

export function Frame({ page, groups, assets, headings, body }: FrameProps) {
  const pages = groups.flatMap((group) => group.pages);
  const place = pages.indexOf(page);
  return (
    <html lang="en">
      <Head page={page} assets={assets} />
      <body>
        <a class="skip" href="#main">
          Skip to the page
        </a>
        <header class="head">
          <a class="wordmark" href="/docs">
            <Logo />
            <span>Signature requests</span>
          </a>
          <Search />
        </header>
        <details class="menu menu-phone">
          <summary>All pages</summary>
          <nav aria-label="All pages">
            <Menu groups={groups} current={page} />
          </nav>
        </details>
        <div class="columns">
          <nav class="menu menu-side" aria-label="Pages">
            <Menu groups={groups} current={page} />
          </nav>
          <main id="main" tabindex={-1}>
            <h1>{page.title}</h1>
            <article dangerouslySetInnerHTML={{ __html: body }} />
            <nav class="neighbours" aria-label="Neighbouring pages">
              <Neighbour page={pages[place - 1]} words="Before" rel="prev" />
              <Neighbour page={pages[place + 1]} words="Next" rel="next" />
            </nav>
          </main>
          {headings.length > 1 && (
            <nav class="contents" aria-label="On this page">
              <p class="menu-title">On this page</p>
              <ul>
                {headings.map(({ id, words }) => (
                  <li>
                    <a href={`#${id}`}>{words}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </div>
      </body>
    </html>
  );
}
