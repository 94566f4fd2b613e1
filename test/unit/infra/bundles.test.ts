import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions, bundleIngest, ROOT, sources } from '../../../infra/bundles.ts';
import { ROWS } from '../../../infra/functions.ts';
import { resources, template } from './template.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
const out = join(folder, 'functions');
bundleFunctions(out);
afterAll(() => rmSync(folder, { recursive: true }));

const code = (name: string) => readFileSync(join(out, name, 'index.mjs'), 'utf8');

const environments = new Map(
  Object.values(resources(template({ localWebhooks: 'on' }), 'AWS::Lambda::Function')).map(
    ({ Properties }) => [
      Properties.FunctionName,
      (Properties.Environment as { Variables: object } | undefined)?.Variables ?? {},
    ],
  ),
);

describe('the bundles', () => {
  it('are one for each function', () => {
    expect([...sources().keys()].sort()).toEqual(Object.keys(ROWS).sort());
    expect(readdirSync(out).sort()).toEqual(Object.keys(ROWS).sort());
  });

  const SETS_TYPE = ['get-audit-trail', 'seal'];

  it.each(Object.keys(ROWS).filter((name) => !SETS_TYPE.includes(name)))(
    'keep %s within its size',
    (name) => {
      const most = name === 'seal' ? 1.5 : 1;
      expect(statSync(join(out, name, 'index.mjs')).size).toBeLessThanOrEqual(most * 1024 * 1024);
    },
  );

  it('load on the runtime, each of them, with the settings that the stack gives', () => {
    const load = `
      globalThis.awslambda = { streamifyResponse: (handler) => handler };
      for (const name of ${JSON.stringify(Object.keys(ROWS))}) {
        const { handler } = await import(${JSON.stringify(out)} + '/' + name + '/index.mjs');
        if (typeof handler !== 'function') throw new Error(name + ' has no handler');
      }`;
    const variables = new Set([...environments.values()].flatMap(Object.keys));
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', load], {
      env: { AWS_REGION: 'eu-north-1', ...Object.fromEntries([...variables].map((name) => [name, 'set'])) },
      encoding: 'utf8',
    });
    expect(run).toMatchObject({ status: 0, stderr: '' });
  });

  it('hold no AWS client that only the administrator’s command uses', () => {
    const own = (name: string) => new RegExp(`\\b${name}\\.amazonaws\\.com|"${name}"`, 'i');
    for (const name of Object.keys(ROWS))
      for (const client of ['cloudfront', 'cloudformation']) expect(code(name)).not.toMatch(own(client));
    expect(code('create-signature')).toMatch(/"dynamodb"/i);
  });

  it('keep the names of functions, for stack traces', () => {
    expect(code('create-signature')).toMatch(/\(\w+,"createRequest"\)/);
  });

  it('put the fonts beside what sets type', () => {
    const withFonts = readdirSync(out).filter((name) => readdirSync(join(out, name)).includes('fonts'));
    expect(withFonts.sort()).toEqual(['get-audit-trail', 'seal']);
    expect(readdirSync(join(out, 'seal', 'fonts'))).toContain('sans.ttf');
  });

  it('let the ingest ask its container for credentials, and functions their environment alone', () => {
    bundleIngest(join(folder, 'ingest'));
    const ingest = readFileSync(join(folder, 'ingest', 'index.mjs'), 'utf8');
    expect(ingest).toContain('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
    expect(code('create-signature')).not.toContain('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
  });

  it('are left alone where nothing changed', () => {
    const before = statSync(join(out, 'health', 'index.mjs')).mtimeMs;
    bundleFunctions(out);
    expect(statSync(join(out, 'health', 'index.mjs')).mtimeMs).toBe(before);
  });
});

describe('the stack and the code', () => {
  interface Metafile {
    outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
  }
  const { outputs } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')) as Metafile;

  /** The sources of which a bundle holds something. */
  const sourcesOf = (name: string): string[] => {
    const output = Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.mjs`));
    return Object.entries(output?.[1].inputs ?? {})
      .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && !path.includes('node_modules'))
      .map(([path]) => readFileSync(join(ROOT, path), 'utf8'));
  };

  it.each(Object.keys(ROWS))('agree on the settings of %s', (name) => {
    const given = Object.keys(environments.get(`signature-requests-${name}`) ?? {});
    const read = sourcesOf(name).flatMap((source) =>
      [...source.matchAll(/\b(?:s|optionalS)etting\('([A-Z_]+)'\)/g)].map(([, variable]) => variable),
    );
    expect(given.sort()).toEqual([...new Set(read)].sort());
  });
});
