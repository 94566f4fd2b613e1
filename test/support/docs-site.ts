import { renderedSite } from '../../docs/site/site.tsx';

/** The documentation as HTML, without a build. */
export const SITE = renderedSite({
  script: '/docs/assets/search.js',
  style: '/docs/assets/docs.css',
  icon: '/docs/assets/mark.svg',
});

export const addressOf = (path: string): string => `/docs${path && `/${path}`}`;

/** A page's HTML by its path below `/docs`. */
export function pageAt(path: string): string {
  const page = SITE.pages.find((each) => each.path === path);
  if (!page) throw new Error(`There is no page /docs/${path}.`);
  return page.html;
}

/** The anchors of a page, each as often as it is there. */
export const anchorsOf = (html: string): string[] =>
  [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
