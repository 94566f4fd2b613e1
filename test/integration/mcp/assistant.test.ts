import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { first, SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

/** The server over the local cloud: an assistant sends, a person signs, the assistant downloads and verifies. */

const MCP = join(import.meta.dirname, '../../../mcp');
const BUILT = join(MCP, 'dist/main.js');
const SOURCE = join(MCP, 'src/main.ts');

let stage: SigningStage;
let folder: string;
beforeAll(async () => {
  rmSync(BUILT, { force: true });
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: MCP });
  stage = await SigningStage.open();
  folder = mkdtempSync(join(tmpdir(), 'assistant-'));
  writeFileSync(join(folder, 'lease.pdf'), stage.pdf);
});
afterAll(async () => {
  await stage?.close();
  if (folder) rmSync(folder, { recursive: true });
});

async function connect(main: string, apiKey: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--no-warnings', main, '--folder', folder],
    env: { SIGNATURE_REQUESTS_API_KEY: apiKey, SIGNATURE_REQUESTS_URL: stage.service.baseUrl },
    stderr: 'pipe',
  });
  const complaints: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const client = new Client({ name: 'test', version: '1' });
  return { client, complaints, connected: client.connect(transport) };
}

it('the built server needs the packages alone that its own package names', () => {
  const imported = [...readFileSync(BUILT, 'utf8').matchAll(/^import .*? from "([^".][^"]*)";$/gms)].map(
    ([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0],
  );
  const packages = imported.filter((name) => name && !isBuiltin(name));
  const { dependencies } = JSON.parse(readFileSync(join(MCP, 'package.json'), 'utf8'));
  expect([...new Set(packages)].toSorted()).toEqual(Object.keys(dependencies).toSorted());
});

it('the server tells its options without a key', () => {
  const told = execFileSync(process.execPath, [BUILT, '--help'], { env: {} }).toString();
  for (const option of ['--folder PATH', '--live', 'SIGNATURE_REQUESTS_API_KEY'])
    expect(told).toContain(option);
});

it('over the built server an assistant sends a PDF when that was confirmed, and downloads and verifies what people signed', async () => {
  const { apiKey } = await stage.service.client({ test: true });
  const { client, connected } = await connect(BUILT, apiKey);
  await connected;
  const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: input });
    return first(content as { text: string }[]).text;
  };
  const send = { file: 'lease.pdf', signers: [{ email: 'ann@example.com', name: 'Ann' }] };
  const confirm = /"confirm": "([^"]+)"/.exec(await call('send', send))?.[1];
  const { id } = JSON.parse(await call('send', { ...send, confirm }));

  const mail = await stage.untilMail('ann@example.com', /./);
  const token = /\/sign\/([\w-]+)/.exec(mail.text)?.[1] ?? '';
  await (await stage.service.verifiedSigner(token, 'ann@example.com')).sign();
  await until(async () => JSON.parse(await call('status', { id })).status === 'signed', 'the seal');

  await call('download', { id, to: 'signed.pdf' });
  expect(readFileSync(join(folder, 'signed.pdf')).subarray(0, stage.pdf.length).equals(stage.pdf)).toBe(true);
  await call('download', { id, to: 'evidence.pdf', kind: 'evidence' });
  const intact = JSON.parse(await call('verify', { file: 'signed.pdf', evidence: 'evidence.pdf' }));
  expect(intact).toMatchObject({ judgement: 'intact', evidence: { signers: [{ name: 'Ann' }] } });
  const [{ signer, timestamp }] = intact.document.signatures;
  writeFileSync(join(folder, 'trust.txt'), `${signer.fingerprint}\n${timestamp.authority.fingerprint}\n`);
  expect(JSON.parse(await call('verify', { file: 'signed.pdf', trust: 'trust.txt' }))).toMatchObject({
    judgement: 'green',
  });
  expect(await call('list', {})).toContain(id);
  await client.close();
});

it.each([
  ['the built server', BUILT],
  ['the one of the sources', SOURCE],
])('%s refuses a live key without --live', async (_, main) => {
  const { connected, complaints } = await connect(main, stage.client.apiKey);
  await expect(connected).rejects.toThrow();
  expect(complaints.join('')).toContain('--live');
  expect(complaints.join('')).not.toContain(stage.client.apiKey);
});

describe('the end of the input', () => {
  /** A server that was asked to call a tool, as a script does that writes the protocol itself. */
  async function asked(apiKey: string, capabilities: object, tool: object) {
    const server = spawn(process.execPath, ['--no-warnings', BUILT, '--folder', folder], {
      env: { SIGNATURE_REQUESTS_API_KEY: apiKey, SIGNATURE_REQUESTS_URL: stage.service.baseUrl },
    });
    const say = (message: object) =>
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities, clientInfo } });
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/call', params: tool });
    return { server, ended: once(server, 'exit'), lines: createInterface(server.stdout) };
  }
  async function answerOf(lines: AsyncIterable<string>, whenAsked = () => {}) {
    for await (const line of lines) {
      const { id, method, result } = JSON.parse(line);
      if (method === 'elicitation/create') whenAsked();
      else if (id === 2) return result;
    }
  }

  it('a script that writes its calls and ends its input gets their answers', async () => {
    const { apiKey } = await stage.service.client({ test: true });
    const { server, ended, lines } = await asked(apiKey, {}, { name: 'list', arguments: {} });
    server.stdin.end();
    const { content } = await answerOf(lines);
    expect(JSON.parse(content[0].text)).toEqual({ requests: [], has_more: false });
    expect(await ended).toEqual([0, null]);
  });

  const send = { file: 'lease.pdf', signers: [{ email: 'ann@example.com' }] };
  const tool = { name: 'send', arguments: send };

  it('the server does not wait for the person’s answer, and does nothing', async () => {
    const { server, ended, lines } = await asked('esk_test_1', { elicitation: {} }, tool);
    const { content } = await answerOf(lines, () => server.stdin.end());
    expect(content[0].text).toContain('nothing was done');
    expect(await ended).toEqual([0, null]);
  });

  it('the server ends without a complaint when the program ends that was to ask the person', async () => {
    const { server, ended, lines } = await asked('esk_test_1', { elicitation: {} }, tool);
    const complaints = text(server.stderr);
    for await (const line of lines) if (line.includes('elicitation/create')) break;
    server.stdout.destroy();
    server.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(await complaints).toBe('');
  });
});
