import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SigningStage } from '../support/signing-stage.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { askPdfsig, pythonTool, requirePythonTools, root, run } from './judges.ts';

/**
 * Clients that others generate from docs/openapi.json: made, and used by the programs that docs/clients.md shows.
 */

const programs = join(root, 'test/conformance/generated');
const cache = join(root, '.cache/conformance/generated');
/** Maven fetches its plugins at first. */
const SECONDS = 240;

let stage: SigningStage;
beforeAll(async () => {
  requirePythonTools('openapi-python-client');
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

async function must(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, output, complaints } = await run(program, args, SECONDS, cwd);
  if (code !== 0) throw new Error(`${program} ended with ${code}.\n${output}${complaints}`);
}

interface Language {
  /** Generates the client in the folder, and returns the command that runs the program with it. */
  make: (folder: string) => Promise<[program: string, ...args: string[]]>;
}

const openapi = join(root, 'docs/openapi.json');

const LANGUAGES: Record<string, Language> = {
  typescript: {
    make: async (folder) => {
      if (!existsSync(join(folder, 'node_modules'))) throw new Error('Run .ci/conformance-setup first.');
      const tool = (path: string) => join(folder, 'node_modules', path);
      cpSync(join(programs, 'typescript/usage.ts'), join(folder, 'usage.ts'));
      const generator = [tool('openapi-typescript/bin/cli.js'), openapi, '-o', 'signature-requests.d.ts'];
      await must(process.execPath, generator, folder);
      // Of its own packages alone: the folders above have others.
      const types = ['--types', 'node', '--skipLibCheck'];
      const strict = [
        '--strict',
        '--noEmit',
        '--allowImportingTsExtensions',
        '--module',
        'nodenext',
        ...types,
      ];
      await must(process.execPath, [tool('typescript/bin/tsc'), ...strict, 'usage.ts'], folder);
      return [process.execPath, join(folder, 'usage.ts')];
    },
  },
  python: {
    make: async (folder) => {
      const config = join(programs, 'python/config.yml');
      const where = ['--output-path', 'signature_requests', '--meta', 'none', '--overwrite'];
      const args = ['generate', '--path', openapi, '--config', config, '--fail-on-warning', ...where];
      await must(pythonTool('openapi-python-client'), args, folder);
      // Python finds modules beside the program that it runs.
      cpSync(join(programs, 'python/usage.py'), join(folder, 'usage.py'));
      return [pythonTool('python'), join(folder, 'usage.py')];
    },
  },
};

// Maven and its plugins would take half a minute of every run in CI.
if (IS_THOROUGH)
  LANGUAGES.java = {
    make: async (folder) => {
      const sources = join(folder, 'src/main/java');
      mkdirSync(sources, { recursive: true });
      cpSync(join(programs, 'java/pom.xml'), join(folder, 'pom.xml'));
      cpSync(join(programs, 'java/Usage.java'), join(sources, 'Usage.java'));
      const classpath = ['dependency:build-classpath', '-Dmdep.outputFile=target/classpath'];
      await must('mvn', ['-q', '-B', '-ntp', `-Dopenapi=${openapi}`, 'compile', ...classpath], folder);
      const packages = readFileSync(join(folder, 'target/classpath'), 'utf8').trim();
      return ['java', '-cp', `target/classes:${packages}`, 'Usage'];
    },
  };

/** The invitation fails, as it may for a moment: the request is pending until the signer opens the link that the program got. */
const failInvitation = () =>
  stage.service.fault({
    service: 'ses',
    operation: 'SendEmail',
    function: 'create-signature',
    after: 1,
    effect: 'error',
    error_code: 'MessageRejected',
  });

async function signPending(token: string): Promise<void> {
  const signer = stage.service.signer(token);
  await signer.sendCode();
  await signer.open();
  await signer.verify(stage.service.code('ann@example.com'));
  await signer.sign();
}

/** Runs a program in a folder with a PDF; signs when it prints the link. */
async function use(folder: string, [program, ...args]: [string, ...string[]]): Promise<string[]> {
  writeFileSync(join(folder, 'lease.pdf'), stage.pdf);
  rmSync(join(folder, 'lease-signed.pdf'), { force: true });
  failInvitation();
  const { baseUrl, apiKey } = stage.client;
  const child: ChildProcess = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, SIGNATURES_URL: baseUrl, SIGNATURES_API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout as NodeJS.ReadableStream)) {
    lines.push(line);
    const [, token] = /\/sign\/([\w-]+)$/.exec(line) ?? [];
    if (token) await signPending(token);
  }
  const [code] = await ended;
  expect(code).toBe(0);
  return lines;
}

it.each(Object.entries(LANGUAGES))(
  'a client generated for %s sends, waits, downloads, and tells why a call was refused',
  async (name, { make }) => {
    const folder = join(cache, name);
    mkdirSync(folder, { recursive: true });
    const lines = await use(folder, await make(folder));
    expect(lines.at(-1)).toMatch(/^409 request_not_cancellable .+ [\w-]{36}$/);
    expect(await askPdfsig(join(folder, 'lease-signed.pdf'))).toMatchObject({ valid: true });
    expect(
      readFileSync(join(folder, 'lease-signed.pdf')).subarray(0, stage.pdf.length).equals(stage.pdf),
    ).toBe(true);
  },
  SECONDS * 1_000,
);
