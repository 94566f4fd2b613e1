import { readdirSync, readFileSync } from 'node:fs';

/** docs/local.md registers what the local cloud imitates; tests name what they rely on: `@behaviour sqs.fair-queues`. */

interface Row {
  id: string;
  behaviour: string;
  source: string;
  status: string;
}

const page = readFileSync('docs/local.md', 'utf8');
const [register = ''] = page.match(/## Register of imitated behaviour[\s\S]*?(?=\n## )/) ?? [];
const rows: Row[] = [...register.matchAll(/^\| `(\S+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, id = '', behaviour = '', source = '', status = '']) => ({ id, behaviour, source, status }),
);

const testsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);

/** The behaviours that a test file names. */
const namedIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\/\*\*\s+@behaviour ([^*]+)\*\//g)].flatMap(([, ids = '']) =>
    ids.trim().split(/\s+/),
  );

const tags = new Map([...testsIn('test/integration'), ...testsIn('test/unit')].map((f) => [f, namedIn(f)]));

describe('the register of imitated behaviour', () => {
  it('every row of the register has a name of its own, a source and one of the three statuses', () => {
    const lines = register.split('\n').filter((line) => /^\| (?!id)/.test(line));
    expect(lines).toHaveLength(rows.length);
    expect(rows.length).toBeGreaterThan(40);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { behaviour, source, status } of rows) {
      expect(['validated', 'documented', 'assumed']).toContain(status);
      expect([behaviour, source.length > 5]).toEqual([behaviour, true]);
    }
  });

  it('every behaviour has a test that names it', () => {
    const named = new Set([...tags.values()].flat());
    expect(rows.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
  });

  it('every name in a test is registered', () => {
    const known = new Set(rows.map(({ id }) => id));
    const unknown = [...tags].map(([file, ids]) => [file, ids.filter((id) => !known.has(id))] as const);
    expect(unknown.filter(([, ids]) => ids.length > 0)).toEqual([]);
  });

  it('every test file of an emulated service names a behaviour', () => {
    /** They test the local cloud itself, which AWS does not have. */
    const own = ['local-services/faults', 'local-services/restart', 'local/control', 'local/process'];
    const emulated = [...testsIn('test/integration/local-services'), ...testsIn('test/integration/local')];
    const untagged = emulated.filter((file) => tags.get(file)?.length === 0);
    expect(untagged.filter((file) => !own.some((name) => file.endsWith(`/${name}.test.ts`)))).toEqual([]);
  });
});
