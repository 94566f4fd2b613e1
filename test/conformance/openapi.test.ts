import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './judges.ts';

/** Redocly and Spectral read the documents with the rules that they recommend: any finding fails, warnings included. */

const judges = join(root, '.cache/conformance/openapi/node_modules/.bin');
const rules = join(root, 'test/conformance/openapi');
const SECONDS = 120;
// Neither tells its maker about the run, nor looks for a newer version of itself.
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const ask = (judge: string, ...args: string[]) => run(join(judges, judge), args, SECONDS, root, QUIET);

beforeAll(() => {
  if (!existsSync(judges)) throw new Error('Missing: Redocly, Spectral. Run .ci/conformance-setup first.');
});

describe.each(['docs/openapi.json', 'docs/openapi-signing.json', 'docs/openapi-app.json'])('%s', (file) => {
  it(
    'has no finding by Redocly',
    async () => {
      const config = join(rules, 'redocly.yaml');
      const { output } = await ask('redocly', 'lint', '--config', config, '--format', 'json', file);
      const { totals, problems } = JSON.parse(output);
      expect({ totals, problems }).toEqual({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
    },
    SECONDS * 1_000,
  );

  it(
    'has no finding by Spectral',
    async () => {
      const ruleset = join(rules, 'spectral.yaml');
      const judged = await ask('spectral', 'lint', '--ruleset', ruleset, '--fail-severity', 'hint', file);
      expect(judged).toMatchObject({ code: 0, output: expect.stringContaining('No results') });
    },
    SECONDS * 1_000,
  );
});
