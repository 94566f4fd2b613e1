import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { first, SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

/** The real process over the local cloud: an assistant sends, a person signs, the assistant downloads and verifies. */

const MAIN = join(import.meta.dirname, '../../../mcp/src/main.ts');

let stage: SigningStage;
let folder: string;
beforeAll(async () => {
  stage = await SigningStage.open();
  folder = mkdtempSync(join(tmpdir(), 'assistant-'));
  writeFileSync(join(folder, 'lease.pdf'), stage.pdf);
}, 60_000);
afterAll(async () => {
  await stage?.close();
  if (folder) rmSync(folder, { recursive: true });
});

async function connect(apiKey: string, ...more: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--no-warnings', MAIN, '--folder', folder, ...more],
    env: { SIGNATURE_REQUESTS_API_KEY: apiKey, SIGNATURE_REQUESTS_URL: stage.service.baseUrl },
    stderr: 'pipe',
  });
  const complaints: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const client = new Client({ name: 'test', version: '1' });
  return { client, complaints, connected: client.connect(transport) };
}

it('an assistant sends a PDF when that was confirmed, and downloads and verifies what people signed', async () => {
  const { apiKey } = await stage.service.client({ test: true });
  const { client, connected } = await connect(apiKey);
  await connected;
  const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: input });
    return first(content as { text: string }[]).text;
  };
  const send = { file: 'lease.pdf', signers: [{ email: 'ann@example.com', name: 'Ann' }] };
  const confirm = /"confirm": "([\da-f]+)"/.exec(await call('send', send))?.[1];
  const { id } = JSON.parse(await call('send', { ...send, confirm }));

  const mail = await stage.untilMail('ann@example.com', /./);
  const token = /\/sign\/([\w-]+)/.exec(mail.text)?.[1] ?? '';
  await (await stage.service.verifiedSigner(token, 'ann@example.com')).sign();
  await until(async () => JSON.parse(await call('status', { id })).status === 'signed', 'the seal');

  await call('download', { id, to: 'signed.pdf' });
  expect(readFileSync(join(folder, 'signed.pdf')).subarray(0, stage.pdf.length).equals(stage.pdf)).toBe(true);
  expect(JSON.parse(await call('verify', { file: 'signed.pdf' }))).toMatchObject({ judgement: 'intact' });
  expect(await call('list', {})).toContain(id);
  await client.close();
}, 60_000);

it('a live key is refused without --live', async () => {
  const { connected, complaints } = await connect(stage.client.apiKey);
  await expect(connected).rejects.toThrow();
  expect(complaints.join('')).toContain('--live');
  expect(complaints.join('')).not.toContain(stage.client.apiKey);
});
