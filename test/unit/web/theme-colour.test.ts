import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

it.each(['web/page.html', 'docs/site/layout.tsx'])(
  'the bars of the browser have the background colours of the page, in %s',
  (path) => {
    const backgrounds = [...read('web/parts/style/base.css').matchAll(/--background: (#\w+)/g)];
    const bars = [...read(path).matchAll(/name="theme-color" content="(#\w+)"/g)];
    expect(bars.map(([, colour]) => colour)).toEqual(backgrounds.map(([, colour]) => colour));
  },
);
