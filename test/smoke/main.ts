import { parseArgs } from 'node:util';
import { UsageError } from '../../admin/errors.ts';
import { type Check, checksOf } from './checks.ts';
import { Service } from './service.ts';

/** Smoke test of a running service. Exit code 0: all checks passed, 1: a check failed, 2: wrong usage. */

const SIMULATOR = 'success@simulator.amazonses.com';
const HELP = `Tests a running service as a client: creates requests, signs nothing, cancels them.

  SMOKE_API_KEY=KEY npm run --silent smoke -- --base-url URL [--signer ADDRESS]

  --base-url URL      The URL of the service (the stack output BaseUrl, or what npm start prints)
  --api-key KEY       The key of an owner with a subscription. Prefer the environment variable SMOKE_API_KEY:
                      arguments are visible to other users of the machine, and npm prints them
  --signer ADDRESS    The invited address (default: ${SIMULATOR}, the SES simulator)
  -h, --help          Show this help
`;

function readArguments(argv: string[]): Service | undefined {
  const { 'base-url': baseUrl, 'api-key': given, signer = SIMULATOR, help } = parse(argv);
  if (help) return undefined;
  const apiKey = (given ?? process.env.SMOKE_API_KEY ?? '').trim();
  if (!baseUrl) throw new UsageError('Name the service: --base-url URL.');
  if (!apiKey) throw new UsageError('There is no API key: set SMOKE_API_KEY, or give --api-key KEY.');
  if (!/^esk_(live|test)_[\w-]+$/.test(apiKey))
    throw new UsageError('The API key must look like esk_live_… or esk_test_….');
  return new Service({ baseUrl: addressOf(baseUrl), apiKey, signer: signer.trim().toLowerCase() });
}

function parse(argv: string[]) {
  const text = { type: 'string' } as const;
  const options = {
    'base-url': text,
    'api-key': text,
    signer: text,
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
    // The value is not shown, since it may be a key.
    if (positionals.length > 0) throw new Error('Every value must follow its option');
    return values;
  } catch (error) {
    const problem = error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? '') : String(error);
    throw new UsageError(`${problem} (--help lists the options).`);
  }
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new UsageError('--base-url must look like https://sign.example.com, without a path.');
  if (url.protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
    throw new UsageError('--base-url must be https, except on this machine: http would expose the key.');
  return url.origin;
}

/** Runs the checks and the clean-up, and prints a line for each. Returns whether all passed. */
async function smoke(service: Service): Promise<boolean> {
  const print = (line: string) => console.log(service.withoutSecrets(line));
  const passed = new Set<string>();
  let failed = 0;
  let isStopped = false;

  const runCheck = async ({ name, lookAt, run }: Check): Promise<void> => {
    try {
      const remark = await run(service);
      passed.add(name);
      print(`ok ${name}${typeof remark === 'string' ? ` (${remark})` : ''}`);
    } catch (error) {
      failed++;
      print(`FAILED ${name}: ${error instanceof Error ? error.message : String(error)}; check ${lookAt}`);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isStopped = true;
    });

  for (const check of checksOf(service)) {
    if (isStopped || (failed > 0 && passed.size === 0)) break;
    if (check.needs && !passed.has(check.needs)) print(`skipped ${check.name}: needs "${check.needs}"`);
    else await runCheck(check);
  }
  await runCheck({
    name: 'No request is left open',
    lookAt: `these requests and cancel them: POST ${service.baseUrl}/api/v1/signatures/ID/cancel`,
    run: async () => `cancelled at the end: ${await service.cleanUp()}`,
  });
  if (isStopped) print('Stopped early.');
  return failed === 0 && !isStopped;
}

try {
  const service = readArguments(process.argv.slice(2));
  if (!service) process.stdout.write(HELP);
  else if (!(await smoke(service))) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
