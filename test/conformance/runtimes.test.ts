import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { freePort } from '../../local/listen.ts';
import { makeSecret, signatureHeaders } from '../../shared/webhooks/signature.ts';
import { installPackage } from '../integration/client/package.ts';
import { SigningStage } from '../support/signing-stage.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { root, run } from './judges.ts';

/** The client, as it is published, on other runtimes than Node: a whole request over the local cloud. */

// Of some 130 MB, so only at night.
const atNight = IS_THOROUGH ? describe : describe.skip;

const sources = join(root, 'test/conformance/runtimes');
const cache = join(root, '.cache/conformance/runtimes');
const SECONDS = 120;

const SECRET = makeSecret(Buffer.alloc(32, 7));
const BODY = '{"id":"evt_1","type":"signer.signed","data":{"signer_name":"Zoë"}}';

/** The program of a package that has one for each platform. */
function binary(pattern: string): string {
  const [file] = globSync(pattern, { cwd: join(cache, 'node_modules') });
  if (!file) throw new Error(`No ${pattern} among the packages for this platform.`);
  return join(cache, 'node_modules', file);
}

let stage: SigningStage;
let folder: string;
const children: ChildProcess[] = [];

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: [...stdio] });
  children.push(child);
  return child;
}

const input = () => ({
  baseUrl: stage.client.baseUrl,
  apiKey: stage.client.apiKey,
  webhook: { body: BODY, headers: signatureHeaders(SECRET, 'evt_1', BODY, new Date()), secret: SECRET },
});

/** The lines that a program prints. */
async function* printed(program: string, args: readonly string[]): AsyncGenerator<string> {
  const child = start(program, args, { LIFE: JSON.stringify(input()) });
  const ended = once(child, 'close');
  yield* createInterface(child.stdout as NodeJS.ReadableStream);
  expect(await ended).toEqual([0, null]);
}

/** The lines that a worker answers. */
async function* answered(): AsyncGenerator<string> {
  const port = await freePort();
  start(binary('@cloudflare/workerd-*/bin/workerd'), [
    'serve',
    'workerd.capnp',
    `--socket-addr=http=127.0.0.1:${port}`,
  ]);
  const body = JSON.stringify({ ...input(), pdf: stage.pdf.toString('base64') });
  const ask = () => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body }).catch(() => undefined);
  const response = await until(ask, 'the worker');
  if (response.body) yield* createInterface(Readable.from(response.body));
}

const RUNTIMES: [name: string, lines: () => AsyncGenerator<string>][] = [
  [
    'Deno',
    () =>
      printed(binary('@deno/*/deno'), [
        'run',
        '--quiet',
        '--no-prompt',
        '--node-modules-dir=manual',
        '--allow-net=localhost',
        '--allow-read=.',
        '--allow-env=LIFE',
        'program.mjs',
      ]),
  ],
  ['Bun', () => printed(binary('@oven/bun-*/bin/bun'), ['run', 'program.mjs'])],
  ['workerd', answered],
];

atNight('the published client', () => {
  beforeAll(async () => {
    mkdirSync(cache, { recursive: true });
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(sources, name), join(cache, name));
    // Their scripts only choose the program of the platform, which is found here without them.
    const { code, complaints } = await run('npm', ['ci', '--ignore-scripts', '--silent'], 300, cache);
    if (code !== 0) throw new Error(complaints);
    stage = await SigningStage.open();
    folder = await installPackage();
    cpSync(sources, folder, { recursive: true, filter: (file) => !/package(-lock)?\.json$/.test(file) });
    writeFileSync(join(folder, 'lease.pdf'), stage.pdf);
  }, 600_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await stage?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  it.each(RUNTIMES)(
    'the client sends, waits, downloads, lists, verifies a webhook and tells why a call was refused, on %s',
    async (_, linesOf) => {
      const lines: string[] = [];
      for await (const line of linesOf()) {
        lines.push(line);
        const [, token] = /\/sign\/([\w-]+)$/.exec(line) ?? [];
        if (token) await (await stage.service.verifiedSigner(token, 'ann@example.com')).sign();
      }
      const [, id = ''] = lines[0]?.split(' ') ?? [];
      const sealed = await stage.sealedDocument(id);
      expect(lines.slice(1)).toEqual([
        'status signed',
        `document ${sealed.length}`,
        'listed',
        'webhook signer.signed',
        'webhook webhook_not_genuine',
        'error 409 request_not_cancellable',
      ]);
    },
    SECONDS * 1_000,
  );
});
