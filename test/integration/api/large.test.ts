import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { MOST_BYTES } from '../../../functions/ingest/ingest.ts';
import { makePdfOfSize } from '../../support/pdf.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const MB = 1024 * 1024;
const TEN_MB = 10_485_760;
const path = '/api/v1/signatures';

let service: Service;
let client: ApiClient;

beforeAll(async () => {
  service = await Service.start();
  client = await service.client();
}, 60_000);
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

const theIngest = () => {
  const [container] = service.cloud.containers.values();
  if (!container?.pid) throw new Error('The ingest does not run.');
  return { container, pid: container.pid };
};

/** The AWS calls that the ingest makes while `work` runs. */
async function ingestCalls(work: () => Promise<unknown>): Promise<string[]> {
  const { services } = service.cloud;
  services.clearCalls();
  await work();
  const { name } = theIngest().container;
  return services.calls().flatMap((call) => (call.function === name ? [call.operation] : []));
}

/** Sends without a Content-Length, as a client does that does not know how long its body will be. */
function postInChunks(body: string, apiKey = client.apiKey): Promise<{ status: number; body: string }> {
  const options = {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  };
  return new Promise((resolve, reject) => {
    const request = send(`${service.baseUrl}${path}`, options, (response) => {
      let said = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: said }));
    });
    request.on('error', reject);
    for (let at = 0; at < body.length; at += MB) request.write(body.slice(at, at + MB));
    request.end();
  });
}

describe('a body that the gateway cannot take', () => {
  it.each([
    ['4.6 MB', Math.round(4.6 * MB)],
    ['4.8 MB', Math.round(4.8 * MB)],
    ['10 MB exactly', TEN_MB],
  ])('makes a request of a PDF of %s', async (_size, bytes) => {
    const body = await bodyWithPdfOf(bytes);
    const created = await client.post(path, body);
    expect(created.status).toBe(200);
    expect(created.body.status).toBe('sent');
    const { content_base64: sent } = JSON.parse(body).document;
    const shown = await client.get(`${path}/${created.body.id}/document`);
    // Not sealed yet, so there is nothing to fetch; what was stored is what was sent, as its hash tells a signer.
    expect(shown.status).toBe(409);
    const [signer] = created.body.signers;
    const verified = await service.verifiedSigner(signer.access_token, signer.email);
    const { body: view } = await verified.view();
    expect(view.document).toMatchObject({
      size: bytes,
      sha256: createHash('sha256').update(Buffer.from(sent, 'base64')).digest('hex'),
    });
  });

  it('is refused by the service when the PDF has one byte more than 10 MB', async () => {
    const { status, body } = await client.post(path, await bodyWithPdfOf(TEN_MB + 1));
    expect([status, body.error]).toEqual([400, 'document_too_large']);
  });

  it('is refused before it is read when it is longer than any request can be', async () => {
    const { status, body } = await client.post(path, 'x'.repeat(MOST_BYTES + 1));
    expect([status, body.error]).toEqual([413, 'document_too_large']);
  });

  it('is taken without a length, and refused without one where it goes on too long', async () => {
    const taken = await postInChunks(await bodyWithPdfOf(5 * MB));
    expect([taken.status, JSON.parse(taken.body).status]).toEqual([200, 'sent']);
    const refused = await postInChunks('x'.repeat(MOST_BYTES + 1)).catch(() => undefined);
    if (refused)
      expect([refused.status, JSON.parse(refused.body).error]).toEqual([413, 'document_too_large']);
  });

  it('is refused without a good key, and does not stay in the staging bucket', async () => {
    const body = await bodyWithPdfOf(5 * MB);
    for (const key of ['', 'esk_live_unknown']) {
      const calls = await ingestCalls(async () => {
        const { status, body: answer } = await client.post(path, body, { authorization: `Bearer ${key}` });
        expect([status, answer.error]).toEqual([401, 'unauthorized']);
      });
      expect(calls).toEqual(['PutObject', 'Invoke', 'DeleteObject']);
    }
  });

  it('gives the first answer again to the same Idempotency-Key', async () => {
    const body = await bodyWithPdfOf(5 * MB);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await client.post(path, body, headers);
    const second = await client.post(path, body, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is taken after the clock has moved by months', async () => {
    service.advance(90 * 86_400_000);
    expect((await client.post(path, await bodyWithPdfOf(5 * MB))).status).toBe(200);
  });
});

describe('the ingest', () => {
  const memory = (pid: number, line: 'VmHWM' | 'VmRSS') =>
    Number(new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

  it('keeps its memory flat, however many bodies go through it', async () => {
    const { pid } = theIngest();
    const body = await bodyWithPdfOf(TEN_MB);
    await client.post(path, body);
    const before = memory(pid, 'VmRSS');
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([1, 2].map(() => client.post(path, body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
    // Six bodies of 14 MB have gone through; not the size of two of them has stayed.
    expect(memory(pid, 'VmHWM') - before).toBeLessThan(28);
  }, 60_000);

  it('is started again when it is killed in the middle, and leaves no request behind', async () => {
    const { container } = theIngest();
    service.cloud.services.addFault({
      service: 's3',
      operation: 'PutObject',
      function: container.name,
      after: 1,
      effect: 'kill',
    });
    const body = await bodyWithPdfOf(5 * MB);
    const list = async () => (await client.get(path)).body.data?.length;
    const before = await list();
    const calls = await ingestCalls(async () => expect((await client.post(path, body)).status).toBe(502));
    expect(calls).toEqual(['PutObject']);
    expect(await list()).toBe(before);
    await until(
      async () => (await client.post(path, body)).status === 200,
      'the ingest to take a body again',
    );
  });
});
