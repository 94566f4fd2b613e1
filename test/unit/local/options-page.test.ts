import { readFileSync } from 'node:fs';

const optionsIn = (text: string, line: RegExp) => [...text.matchAll(line)].map(([, option]) => option).sort();

it('the page of the local run has the same options as its --help', () => {
  const [, help = ''] = /const HELP = `([^`]*)`/.exec(readFileSync('local/main.ts', 'utf8')) ?? [];
  const [, page = ''] = /\n## Options\n([\s\S]*?)\n## /.exec(readFileSync('docs/local.md', 'utf8')) ?? [];
  const options = optionsIn(help, /^ {2}(--?[a-z-]+)/gm);
  expect(options).toContain('--port');
  expect(optionsIn(page, /^\| `(--?[a-z-]+)/gm)).toEqual(options);
});

it('the page of the local run names every call of the control port', () => {
  const page = readFileSync('docs/local.md', 'utf8');
  const source = readFileSync('local/control/server.ts', 'utf8');
  const routes = [...source.matchAll(/'((?:GET|POST|DELETE) \/[^']*)'/g)].map(([, route]) => `\`${route}`);
  expect(routes.length).toBeGreaterThan(15);
  expect(routes.filter((route) => !page.includes(route))).toEqual([]);
});

it('the page of the local run lists each AWS call that is imitated', () => {
  const [, listed = ''] = /\n## AWS calls\n([\s\S]*?)\n## /.exec(readFileSync('docs/local.md', 'utf8')) ?? [];
  const source = (file: string) => readFileSync(`local/services/${file}`, 'utf8');
  const json = ['sqs', 'kms', 'secrets', 'wafv2'].map((service) => source(`${service}/service.ts`)).join('');
  const tables = ['dynamodb/service.ts', 'cloudfront/service.ts', 's3/routes.ts'].map(
    (file) => /const (?:OPERATIONS|ROUTES)\b[\s\S]*?\n[\]}]/.exec(source(file))?.[0] ?? '',
  );
  const operations = [
    ...json.matchAll(/^ +([A-Z]\w+): operation\(/gm),
    ...tables.join('').matchAll(/'([A-Z][a-z]\w+)',$/gm),
  ].map(([, name = '']) => name);
  expect(operations.length).toBeGreaterThan(25);
  expect(operations.filter((name) => !new RegExp(`\\b${name}\\b`).test(listed))).toEqual([]);
});
