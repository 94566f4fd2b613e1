import { readFileSync } from 'node:fs';

const optionsIn = (text: string, line: RegExp) => [...text.matchAll(line)].map(([, option]) => option).sort();

it('the page of the local run has the same options as its --help', () => {
  const [, help = ''] = /const HELP = `([^`]*)`/.exec(readFileSync('local/main.ts', 'utf8')) ?? [];
  const [, page = ''] = /\n## Options\n([\s\S]*?)\n## /.exec(readFileSync('docs/local.md', 'utf8')) ?? [];
  const options = optionsIn(help, /^ {2}(--?[a-z-]+)/gm);
  expect(options).toContain('--port');
  expect(optionsIn(page, /^\| `(--?[a-z-]+)/gm)).toEqual(options);
});
