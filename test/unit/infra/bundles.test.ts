import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions, bundleIngest, sources } from '../../../infra/bundles.ts';
import { ROWS } from '../../../infra/functions.ts';
import { resources, template } from './template.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
const out = join(folder, 'functions');
bundleFunctions(out);
afterAll(() => rmSync(folder, { recursive: true }));

const code = (name: string) => readFileSync(join(out, name, 'index.mjs'), 'utf8');

describe('the bundles', () => {
  it('are one for each function', () => {
    expect([...sources().keys()].sort()).toEqual(Object.keys(ROWS).sort());
    expect(readdirSync(out).sort()).toEqual(Object.keys(ROWS).sort());
  });

  const SETS_TYPE = ['get-audit-trail', 'seal'];

  it.each(Object.keys(ROWS).filter((name) => !SETS_TYPE.includes(name)))(
    'keep %s within its size',
    (name) => {
      expect(statSync(join(out, name, 'index.mjs')).size).toBeLessThanOrEqual(1024 * 1024);
    },
  );

  it('put the fonts beside what sets type', () => {
    const withFonts = readdirSync(out).filter((name) => readdirSync(join(out, name)).includes('fonts'));
    expect(withFonts.sort()).toEqual(SETS_TYPE);
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
  const environments = new Map(
    Object.values(resources(template({ localWebhooks: 'on' }), 'AWS::Lambda::Function')).map(
      ({ Properties }) => [
        Properties.FunctionName,
        (Properties.Environment as { Variables: object } | undefined)?.Variables ?? {},
      ],
    ),
  );

  it.each(Object.keys(ROWS))('agree on the settings of %s', (name) => {
    const given = Object.keys(environments.get(`signature-requests-${name}`) ?? {});
    const read = code(name).matchAll(/\b(?:s|optionalS)etting\d*\("([A-Z_]+)"\)/g);
    expect(given.sort()).toEqual([...new Set(read.map(([, variable]) => variable))].sort());
  });
});
