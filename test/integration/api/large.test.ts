/** @behaviour api-gateway.gateway-responses s3.form-uploads cloudfront.vpc-origin */

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { MAX_BYTES } from '../../../functions/ingest/ingest.ts';
import { newApiKey } from '../../../shared/accounts/api-key.ts';
import { makePdfOfSize } from '../../support/pdf.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const MB = 1024 * 1024;
const TEN_MB = 10_485_760;
const PATH = '/api/v1/signatures';

let service: Service;
let client: ApiClient;

beforeAll(async () => {
  service = await Service.start();
  client = await service.client();
});
afterAll(() => service.stop());

async function bodyWithPdfOf(bytes: number): Promise<string> {
  const pdf = await makePdfOfSize(bytes);
  expect(pdf).toHaveLength(bytes);
  return JSON.stringify({
    title: 'A large one',
    signers: [{ email: `ann-${randomUUID()}@example.com`, name: 'Ann' }],
    document: { filename: 'large.pdf', content_base64: pdf.toString('base64') },
  });
}

const ingestContainer = () => {
  const [container] = service.cloud.containers.values();
  if (!container?.pid) throw new Error('The ingest is not running.');
  return { container, pid: container.pid };
};

/** Returns the AWS calls that the ingest makes while `work` runs. */
async function ingestCalls(work: () => Promise<unknown>): Promise<string[]> {
  const { services } = service.cloud;
  services.clearCalls();
  await work();
  const { name } = ingestContainer().container.plan;
  return services.calls().flatMap((call) => (call.function === name ? [call.operation] : []));
}

/** Sends a chunked body, without a Content-Length. */
function postInChunks(body: string, apiKey = client.apiKey): Promise<{ status: number; body: string }> {
  const options = {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  };
  return new Promise((resolve, reject) => {
    const request = send(`${service.baseUrl}${PATH}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    request.on('error', reject);
    for (let at = 0; at < body.length; at += MB) request.write(body.slice(at, at + MB));
    request.end();
  });
}

describe('bodies beyond the gateway’s limit', () => {
  it.each([
    ['4.6 MB', Math.round(4.6 * MB)],
    ['4.8 MB', Math.round(4.8 * MB)],
    ['10 MB exactly', TEN_MB],
  ])('a request can be created with a PDF of %s', async (_size, bytes) => {
    const body = await bodyWithPdfOf(bytes);
    const created = await client.post(PATH, body);
    expect(created.status).toBe(200);
    expect(created.body.status).toBe('sent');
    const { content_base64: sent } = JSON.parse(body).document;
    const shown = await client.get(`${PATH}/${created.body.id}/document`);
    // The document is not sealed yet, so the signer's view proves that the original is stored unchanged.
    expect(shown.status).toBe(409);
    const [signer] = created.body.signers;
    const verified = await service.verifiedSigner(signer.access_token, signer.email);
    const { body: view } = await verified.view();
    expect(view.document).toMatchObject({
      size: bytes,
      sha256: createHash('sha256').update(Buffer.from(sent, 'base64')).digest('hex'),
    });
  });

  it('a PDF one byte over 10 MB is refused by the service', async () => {
    const { status, body } = await client.post(PATH, await bodyWithPdfOf(TEN_MB + 1));
    expect([status, body.error]).toEqual([400, 'document_too_large']);
  });

  it('a body longer than any valid request is refused before it is read', async () => {
    const { status, body } = await client.post(PATH, 'x'.repeat(MAX_BYTES + 1));
    expect([status, body.error]).toEqual([413, 'document_too_large']);
  });

  it('a body without Content-Length is accepted, and refused if it gets too long', async () => {
    const taken = await postInChunks(await bodyWithPdfOf(5 * MB));
    expect([taken.status, JSON.parse(taken.body).status]).toEqual([200, 'sent']);
    const refused = await postInChunks('x'.repeat(MAX_BYTES + 1)).catch(() => undefined);
    if (refused)
      expect([refused.status, JSON.parse(refused.body).error]).toEqual([413, 'document_too_large']);
  });

  it.each<[string, string, string[]]>([
    ['no key', '', []],
    ['a malformed key', 'esk_live_unknown', []],
    ['an unknown key', newApiKey('live'), ['GetItem']],
  ])('a large body with %s is refused, and never stored', async (_what, key, expected) => {
    const body = await bodyWithPdfOf(5 * MB);
    const calls = await ingestCalls(async () => {
      const { status, body: answer } = await client.post(PATH, body, { authorization: `Bearer ${key}` });
      expect([status, answer.error]).toEqual([401, 'unauthorized']);
    });
    expect(calls).toEqual(expected);
  });

  it('a large body with a session is refused with a hint at the uploads, and never stored', async () => {
    const calls = await ingestCalls(async () => {
      const { status, body } = await client.post(PATH, await bodyWithPdfOf(5 * MB), {
        authorization: '',
        cookie: '__Host-app=session',
        'x-owner': 'user',
        'x-requested-with': 'app',
      });
      expect([status, body.message]).toEqual([413, expect.stringContaining('/api/v1/uploads')]);
    });
    expect(calls).toEqual([]);
  });

  it('a large body with a repeated Idempotency-Key gets the first response', async () => {
    const body = await bodyWithPdfOf(5 * MB);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await client.post(PATH, body, headers);
    const second = await client.post(PATH, body, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('a large body is accepted after the clock advances by months', async () => {
    service.advance(90 * 86_400_000);
    expect((await client.post(PATH, await bodyWithPdfOf(5 * MB))).status).toBe(200);
  });
});

describe('the ingest', () => {
  const memory = (pid: number, line: 'VmHWM' | 'VmRSS') =>
    Number(new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

  it('the ingest’s memory does not grow with the number of bodies', async () => {
    const { pid } = ingestContainer();
    const body = await bodyWithPdfOf(TEN_MB);
    await client.post(PATH, body);
    const before = memory(pid, 'VmRSS');
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([1, 2].map(() => client.post(PATH, body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
    // After six bodies of 14 MB, the growth is less than three of them: the garbage of one may wait for that of another.
    expect(memory(pid, 'VmHWM') - before).toBeLessThan(42);
  });

  it('the ingest restarts after a crash, and the interrupted call creates no request', async () => {
    const { container } = ingestContainer();
    service.cloud.services.addFault({
      service: 's3',
      operation: 'PutObject',
      function: container.plan.name,
      after: 1,
      effect: 'kill',
    });
    const body = await bodyWithPdfOf(5 * MB);
    const list = async () => (await client.get(PATH)).body.data?.length;
    const before = await list();
    const calls = await ingestCalls(async () => expect((await client.post(PATH, body)).status).toBe(502));
    expect(calls).toEqual(['GetItem', 'PutObject']);
    expect(await list()).toBe(before);
    await until(
      async () => (await client.post(PATH, body)).status === 200,
      'the ingest to take a body again',
    );
  });
});
