import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stop } from 'esbuild';
import { BUNDLES, bundleIngest, INGEST_BUNDLE, ROOT, sources } from '../../../infra/bundles.ts';
import { FUNCTIONS } from '../../../infra/functions.ts';
import { assemblyFolder } from '../../support/run-folder.ts';

// The global setup has just synthesized the stack, bundles included.
const ingest = join(INGEST_BUNDLE, 'index.mjs');
afterAll(stop);

const code = (name: string) => readFileSync(join(BUNDLES, name, 'index.mjs'), 'utf8');

interface FunctionResource {
  Type: string;
  Properties: { FunctionName?: string; Environment?: { Variables: object } };
}
interface Template {
  Resources: Record<string, FunctionResource>;
}

const { Resources } = JSON.parse(
  readFileSync(join(assemblyFolder(), 'SignatureRequests.template.json'), 'utf8'),
) as Template;
const environments = new Map(
  Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => [Properties.FunctionName, Properties.Environment?.Variables ?? {}]),
);

interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}
const { outputs } = JSON.parse(readFileSync(join(dirname(BUNDLES), 'meta.json'), 'utf8')) as Metafile;

describe('the bundles', () => {
  it('there is one bundle for each function', () => {
    expect([...sources().keys()].sort()).toEqual(Object.keys(FUNCTIONS).sort());
    expect(readdirSync(BUNDLES).sort()).toEqual(Object.keys(FUNCTIONS).sort());
  });

  /** In KB: a little above today's sizes. */
  const LIMITS: Record<string, number> = {
    seal: 1_270,
    'gather-revocation': 890,
    'get-audit-trail': 765,
    'create-signature': 670,
  };
  const LIMIT = 570;

  it.each(Object.keys(FUNCTIONS))('the bundle of %s is within its size limit', (name) => {
    const { size } = statSync(join(BUNDLES, name, 'index.mjs'));
    expect(size / 1024).toBeLessThanOrEqual(LIMITS[name] ?? LIMIT);
  });

  /** Imports every bundle in one process that has the environment variables of the stack. */
  function loadAll(before: string) {
    const load = `
      globalThis.awslambda = { streamifyResponse: (handler) => handler };
      ${before}
      for (const name of ${JSON.stringify(Object.keys(FUNCTIONS))}) {
        const { handler } = await import(${JSON.stringify(BUNDLES)} + '/' + name + '/index.mjs');
        if (typeof handler !== 'function') throw new Error(name + ' has no handler');
      }`;
    const variables = new Set([...environments.values()].flatMap(Object.keys));
    return spawnSync(process.execPath, ['--input-type=module', '--eval', load], {
      env: {
        AWS_REGION: 'eu-north-1',
        ...Object.fromEntries([...variables].map((name) => [name, 'set'])),
        SEAL_LEVEL: 'B-LTA',
      },
      encoding: 'utf8',
    });
  }

  it('every bundle loads in Node with the environment variables that the stack sets', () => {
    expect(loadAll('')).toMatchObject({ status: 0, stderr: '' });
  });

  it('no bundle formats by a locale while it loads: its first use takes a quarter of a cold start', () => {
    const refuse = `
      const refuse = (name) => function () { throw new Error('Loading a bundle calls ' + name); };
      for (const { prototype } of [Number, BigInt, Date, Array])
        for (const name of Object.getOwnPropertyNames(prototype))
          if (name.startsWith('toLocale')) prototype[name] = refuse(name);
      String.prototype.localeCompare = refuse('localeCompare');
      globalThis.Intl = new Proxy(Intl, { get: (_, name) => refuse('Intl.' + String(name))() });`;
    expect(loadAll(refuse)).toMatchObject({ status: 0, stderr: '' });
  });

  it('bundles contain no AWS client that only the admin command uses', () => {
    const hostOf = (name: string) => new RegExp(`\\b${name}\\.amazonaws\\.com|"${name}"`, 'i');
    for (const name of Object.keys(FUNCTIONS))
      for (const client of ['cloudfront', 'cloudformation']) expect(code(name)).not.toMatch(hostOf(client));
    expect(code('create-signature')).toMatch(/"dynamodb"/i);
  });

  it('bundles get built-in modules by a call, since an import reads each of their exports', () => {
    for (const name of Object.keys(FUNCTIONS))
      expect([name, code(name).match(/\b(?:from|import) ?"(?:node:)?[a-z_/]+"/)]).toEqual([name, null]);
    expect(code('create-signature')).toContain('process.getBuiltinModule("node:crypto")');
  });

  it('bundles leave out what the SDK, zod and pdf-lib load for features that are not used', () => {
    const kept = Object.entries(outputs).flatMap(([path, { inputs }]) =>
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([input]) => `${path}: ${input}`),
    );
    expect(kept.length).toBeGreaterThan(5_000);
    const unused =
      /event-streams\/eventstream-codec|to-json-schema|zod\/v4\/core\/doc\.js|shared-ini-file-loader\/parse|pdf-lib\/es\/(?:api\/form|core\/acroform\/PDF)/;
    expect(kept.filter((each) => unused.test(each))).toEqual([]);
  });

  it('a function has the schemas of its own endpoints alone, and loads no web streams', () => {
    expect(code('create-signature')).toContain('must be a whole number from 1 to');
    expect(code('get-signature')).not.toContain('must be a whole number from 1 to');
    expect(code('get-document')).toContain('node:stream/promises');
    for (const name of Object.keys(FUNCTIONS))
      expect([name, code(name).includes('node:stream/web')]).toEqual([name, false]);
  });

  it('bundles keep function names for stack traces', () => {
    expect(code('create-signature').includes(`,"createRequest")`)).toBe(true);
  });

  it('bundles that typeset have the fonts next to them', () => {
    const withFonts = readdirSync(BUNDLES).filter((name) =>
      readdirSync(join(BUNDLES, name)).includes('fonts'),
    );
    expect(withFonts.sort()).toEqual(['get-audit-trail', 'seal']);
    expect(readdirSync(join(BUNDLES, 'seal', 'fonts'))).toContain('sans.ttf');
    expect(readdirSync(join(BUNDLES, 'seal', 'fonts/scripts'))).toContain('arabic.woff');
    expect(readdirSync(join(BUNDLES, 'seal', 'node_modules/harfbuzzjs/dist'))).toEqual(['harfbuzz.wasm']);
  });

  it('the ingest reads credentials from its container, functions only from the environment', () => {
    expect(readFileSync(ingest, 'utf8')).toContain('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
    expect(code('create-signature')).not.toContain('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
  });

  it('no bundle contains the words of the contract, which only the documents need', () => {
    for (const [path, { inputs }] of Object.entries(outputs))
      expect([
        path,
        Object.keys(inputs).filter((input) => input.startsWith('shared/contract/words/')),
      ]).toEqual([path, []]);
  });

  it('unchanged bundles are not rewritten', async () => {
    const before = statSync(ingest).mtimeMs;
    await bundleIngest();
    expect(statSync(ingest).mtimeMs).toBe(before);
  });
});

describe('the stack and the code', () => {
  /** The sources that contribute code to a bundle. */
  const sourcesOf = (name: string): string[] => {
    const output = Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.mjs`));
    return Object.entries(output?.[1].inputs ?? {})
      .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && /^(?:functions|shared|infra)\//.test(path))
      .map(([path]) => readFileSync(join(ROOT, path), 'utf8'));
  };

  it.each(Object.keys(FUNCTIONS))(
    'the stack sets exactly the environment variables that %s reads',
    (name) => {
      const given = Object.keys(environments.get(`signature-requests-${name}`) ?? {});
      // This stack has no domain of its own.
      if (FUNCTIONS[name]?.looksAtDomain) given.push('CUSTOM_DOMAIN');
      const read = sourcesOf(name).flatMap((source) =>
        [...source.matchAll(/\b(?:s|optionalS)etting\('([A-Z_]+)'\)/g)].map(([, variable]) => variable),
      );
      expect(given.sort()).toEqual([...new Set(read)].sort());
    },
  );
});
