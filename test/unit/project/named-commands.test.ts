import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../../admin/run.ts';
import { OPTION_NAMES } from '../../../infra/options.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const PAGES = globSync(
  ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs/**/*.md', '{client,local,mcp,shared}/**/*.md'],
  { cwd: ROOT, exclude: ['**/node_modules/**'] },
);

/** The texts in code type, a line each. */
const codeIn = (page: string) =>
  [...read(page).matchAll(/^```\w*[^\n]*\n([\s\S]*?)^```|`([^`\n]+)`/gm)]
    .flatMap(([, block, span]) => (block ?? span ?? '').replace(/\\\n\s*/g, '').split('\n'))
    .map((line) => line.replace(/\s# .*$/, ''));

const CODE = PAGES.flatMap(codeIn);

it('the pages name only commands and options of the operator that exist', async () => {
  const calls = CODE.flatMap((line) => [
    ...line.matchAll(
      /(?:^|\s)(?:npm run (?:--silent )?admin --|admin) ([a-z][a-z-]*)(?: ([a-z][a-z\d-]*)\b)?(.*)$/g,
    ),
  ]);
  expect(calls.length).toBeGreaterThan(100);
  for (const [line, group = '', name = '', rest = ''] of calls) {
    const help = await run([group, name, '--help'].filter(Boolean));
    const options = rest.match(/--[a-z][a-z\d-]*/g) ?? [];
    expect({ line, unknown: options.filter((option) => !help.includes(`${option} `)) }).toEqual({
      line,
      unknown: [],
    });
  }
});

it('the pages name only scripts of npm that exist', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = CODE.flatMap((line) =>
    [...line.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)(?! -w)(?=\s|$)/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

it('the pages name only commands and options of the CDK that exist', () => {
  interface Cdk {
    globalOptions: object;
    commands: Record<string, { options?: object }>;
  }
  const { globalOptions, commands }: Cdk = JSON.parse(
    read('node_modules/aws-cdk/lib/cli/cli-type-registry.json'),
  );
  const calls = CODE.flatMap((line) => [...line.matchAll(/(?:^|npx )cdk ([a-z]+)(.*)$/g)]);
  expect(calls.length).toBeGreaterThan(5);
  for (const [line, command = '', rest = ''] of calls) {
    const known = { ...globalOptions, ...commands[command]?.options };
    const unknown = [...rest.matchAll(/--([a-z][a-z-]*)/g)].filter(([, option = '']) => !(option in known));
    expect({ line, exists: command in commands, unknown }).toEqual({ line, exists: true, unknown: [] });
  }
});

it('docs/deploy.md explains every option of a deployment, and no other', () => {
  const [, table = ''] = read('docs/deploy.md').split('| Option `-c name=value` |');
  const rows = table.split('\n\n')[0]?.match(/^\| `.*?\|/gm) ?? [];
  const explained = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(explained.sort()).toEqual([...OPTION_NAMES].sort());
});
