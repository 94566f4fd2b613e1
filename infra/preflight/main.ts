/**
 * Checks an account, and the stack if there is one, before a deployment: `npm run preflight -- --region REGION -c name=value`, with
 * the options of the deployment; those in `cdk.json` count, too. Exit code 0: deploy; 1: something is in the way, or could not be checked; 2: wrong usage.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RootConstruct } from 'constructs';
import { OptionError, readOptions } from '../options.ts';
import { type Plan, USUAL_QUALIFIER } from './check.ts';
import { preflight } from './preflight.ts';

const USAGE =
  'Usage: npm run preflight -- --region REGION [-c name=value …], with the options of the deployment.';
const TIME_LIMITS = {
  connectionTimeout: 5_000,
  requestTimeout: 20_000,
  throwOnRequestTimeout: true,
} as const;

const readJson = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** The context of the files that the CDK reads; the later ones prevail, and `-c` over all. */
const contextOfFiles = (): Record<string, unknown> => ({
  ...readJson(join(homedir(), '.cdk.json')).context,
  ...readJson('cdk.context.json'),
  ...readJson('cdk.json').context,
});

/** Null for `--help`. */
function readArguments(args: string[]): Pick<Plan, 'options' | 'region' | 'qualifier'> | null {
  const { values } = parseArgs({
    args,
    options: {
      region: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
      context: { type: 'string', short: 'c', multiple: true, default: [] },
    },
  });
  if (values.help) return null;
  const region = values.region ?? process.env.AWS_REGION;
  if (!region) throw new OptionError('Name the region.');
  const { node } = new RootConstruct();
  for (const [name, value] of Object.entries(contextOfFiles())) node.setContext(name, value);
  for (const pair of values.context) {
    const [name = '', ...rest] = pair.split('=');
    if (rest.length === 0) throw new OptionError(`-c ${pair} has no value.`);
    node.setContext(name, rest.join('='));
  }
  const qualifier = node.tryGetContext('@aws-cdk/core:bootstrapQualifier') ?? USUAL_QUALIFIER;
  return { options: readOptions(node), region, qualifier };
}

const isWrongUsage = (error: unknown): error is Error =>
  error instanceof OptionError ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

try {
  const given = readArguments(process.argv.slice(2));
  if (given === null) {
    console.log(USAGE);
  } else {
    const settings = (other?: string) => ({ region: other ?? given.region, requestHandler: TIME_LIMITS });
    const { lines, ready } = await preflight({ ...given, settings });
    console.log(lines.join('\n'));
    process.exitCode = ready ? 0 : 1;
  }
} catch (error) {
  if (!isWrongUsage(error)) throw error;
  console.error(`${error.message}\n${USAGE}`);
  process.exitCode = 2;
}
