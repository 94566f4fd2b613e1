import { parseArgs } from 'node:util';
import { UsageError } from '../../functions/admin/errors.ts';
import { type Check, checksOf } from './checks.ts';
import { Service } from './service.ts';

/** The deployer's smoke test of a running service: exit code 0 where all holds, 1 where not, 2 for a wrong call. */

const SIMULATOR = 'success@simulator.amazonses.com';
const HELP = `Tries a running service as a client does: makes requests, signs nothing, cancels them.

  SMOKE_API_KEY=KEY npm run --silent smoke -- --base-url URL [--signer ADDRESS]

  --base-url URL      The address of the service (the stack's output BaseUrl, or what npm start prints)
  --api-key KEY       The key of an owner with a subscription. Everybody on the machine sees arguments, and npm
                      prints them: rather give it by the environment variable SMOKE_API_KEY
  --signer ADDRESS    Who is invited (default: ${SIMULATOR}, SES's own)
  --help              Explain the command
`;

function readArguments(argv: string[]): Service | undefined {
  const { 'base-url': baseUrl, 'api-key': given, signer = SIMULATOR, help } = parse(argv);
  if (help) return undefined;
  const apiKey = (given ?? process.env.SMOKE_API_KEY ?? '').trim();
  if (!baseUrl) throw new UsageError('Say which service: --base-url URL.');
  if (!apiKey) throw new UsageError('There is no API key: set SMOKE_API_KEY, or give --api-key KEY.');
  if (!/^esk_(live|test)_[\w-]+$/.test(apiKey))
    throw new UsageError('The API key must be one of this service: esk_live_… or esk_test_….');
  return new Service({ baseUrl: addressOf(baseUrl), apiKey, signer: signer.trim().toLowerCase() });
}

function parse(argv: string[]) {
  const text = { type: 'string' } as const;
  const options = { 'base-url': text, 'api-key': text, signer: text, help: { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
    // Not shown: it may be a key.
    if (positionals.length > 0) throw new Error('Every value follows its option');
    return values;
  } catch (error) {
    const said = error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? '') : String(error);
    throw new UsageError(`${said} (--help lists what there is).`);
  }
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new UsageError('--base-url must be like https://sign.example.com, without a path.');
  if (url.protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
    throw new UsageError('--base-url must be https: only on this machine may a key travel by http.');
  return url.origin;
}

/** Runs the checks and cleans up after them, each a line; true where all hold. */
async function smoke(service: Service): Promise<boolean> {
  const say = (line: string) => console.log(service.withoutSecrets(line));
  const passed = new Set<string>();
  let failed = 0;
  let isStopped = false;

  const tryOut = async ({ name, lookAt, run }: Check): Promise<void> => {
    try {
      const remark = await run(service);
      passed.add(name);
      say(`ok ${name}${typeof remark === 'string' ? ` (${remark})` : ''}`);
    } catch (error) {
      failed++;
      say(`FAILED ${name}: ${error instanceof Error ? error.message : String(error)}; look at ${lookAt}`);
    }
  };
  process.on('SIGINT', () => {
    isStopped = true;
  });

  for (const check of checksOf(service)) {
    if (isStopped || (failed > 0 && passed.size === 0)) break;
    if (check.needs && !passed.has(check.needs)) say(`not tried ${check.name}: needs "${check.needs}"`);
    else await tryOut(check);
  }
  await tryOut({
    name: 'Nothing is left open',
    lookAt: `these requests, and cancel them: POST ${service.baseUrl}/api/v1/signatures/ID/cancel`,
    run: async () => `cancelled at the end: ${await service.cleanUp()}`,
  });
  if (isStopped) say('Stopped before the end.');
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
