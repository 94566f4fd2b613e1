import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { type CreateOptions, SignatureRequests } from '../../../client/src/index.ts';
import { failure, fakeService, json, refusal, result, type SeenCall } from './fake-service.ts';

const SMALL = new Uint8Array(100_000).map((_, index) => index % 251);
const LARGE = new Uint8Array(4_000_001);
const UPLOAD = {
  upload_id: 'upload-1',
  url: 'https://storage.example.com/',
  fields: { key: 'k', policy: 'p' },
  max_bytes: 10_485_760,
};
const NEW = { title: 'Lease', signers: [{ email: 'ann@example.com' }] };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-'));
  await writeFile(join(folder, 'lease.pdf'), SMALL);
});
afterAll(() => rm(folder, { recursive: true }));
const documentOf = (call?: SeenCall) =>
  (call?.body as { document?: Record<string, string> } | undefined)?.document ?? {};

/** Counts the attempts of a create to send a large file in this time, to a service that does not answer it. */
async function attemptsIn(milliseconds: number, options: CreateOptions, ...before: Response[]) {
  const { client, calls } = fakeService(...before, 'stalls');
  const controller = new AbortController();
  const all = { ...options, signal: controller.signal };
  const ended = Promise.allSettled([client.signatureRequests.create({ ...NEW, file: LARGE }, all)]);
  // The file is read in real turns of the event loop.
  while (calls.length <= before.length) await setImmediate();
  await jest.advanceTimersByTimeAsync(milliseconds);
  const attempts = calls.length - before.length;
  controller.abort();
  await ended;
  return attempts;
}

describe('the file of a request', () => {
  it.each([
    ['bytes', SMALL, undefined],
    ['a buffer', SMALL.buffer, undefined],
    ['a part of a buffer', new Uint8Array([9, ...SMALL, 9]).subarray(1, -1), undefined],
    ['a Blob', new Blob([SMALL]), undefined],
    ['a File', new File([SMALL], 'named.pdf'), 'named.pdf'],
  ])('is sent in the body if it is small, from %s', async (_, file, filename) => {
    const { client, calls } = fakeService(json({ id: 'r' }));
    await result(client.signatureRequests.create({ ...NEW, file }));
    expect(calls).toHaveLength(1);
    const document = documentOf(calls[0]);
    expect(document.filename).toBe(filename);
    expect(Buffer.from(document.content_base64 ?? '', 'base64').equals(SMALL)).toBe(true);
  });

  it('is read from a path, and has its name unless you give another', async () => {
    const { client, calls } = fakeService(json({ id: 'r' }));
    jest.useRealTimers();
    const file = { path: join(folder, 'lease.pdf') };
    await client.signatureRequests.create({ ...NEW, file });
    await client.signatureRequests.create({ ...NEW, file, filename: 'other.pdf' });
    expect(calls.map((call) => documentOf(call).filename)).toEqual(['lease.pdf', 'other.pdf']);
    expect(Buffer.from(documentOf(calls[0]).content_base64 ?? '', 'base64').equals(SMALL)).toBe(true);
  });

  it('cannot be a path where there are no files', async () => {
    const client = new SignatureRequests({ apiKey: 'k', baseUrl: 'https://sign.example.com' });
    await expect(client.signatureRequests.create({ ...NEW, file: { path: 'a.pdf' } })).rejects.toMatchObject({
      code: 'path_unsupported',
    });
  });

  it.each([
    ['a stream', () => new Blob([SMALL]).stream()],
    ['a stream of Node', () => Readable.from([SMALL])],
    ['an answer of fetch', () => new Response(SMALL)],
    ['text', () => '%PDF-1.7'],
    ['a path as a URL', () => ({ path: new URL('file:///lease.pdf') })],
    ['nothing', () => undefined],
  ])('is refused without a call if it is %s, which would be sent as its name', async (_, make) => {
    const { client, calls } = fakeService(json({ id: 'r' }));
    const file = make() as unknown as Blob;
    const error = await failure(client.signatureRequests.create({ ...NEW, file }));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('`file` must be');
    expect(calls).toEqual([]);
  });

  it('is uploaded if it is large, without the API key', async () => {
    const { client, calls } = fakeService(
      json(UPLOAD, 201),
      new Response(null, { status: 204 }),
      json({ id: 'r' }),
    );
    await result(client.signatureRequests.create({ ...NEW, file: LARGE }));
    expect(calls.map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/api/v1/uploads'],
      ['POST', '/'],
      ['POST', '/api/v1/signatures'],
    ]);
    // `fetch` of another library, such as undici's with a proxy, does not know this platform's FormData.
    const { headers = new Headers(), body } = calls[1] ?? {};
    expect(body).toBeInstanceOf(ArrayBuffer);
    const form = await new Response(body as ArrayBuffer, { headers }).formData();
    expect([...form.keys()]).toEqual(['key', 'policy', 'file']);
    expect((form.get('file') as File).size).toBe(LARGE.length);
    expect(headers.get('authorization')).toBeNull();
    expect(documentOf(calls[2])).toEqual({ upload_id: 'upload-1' });
  });

  it('is uploaded once, however often the create is tried', async () => {
    const { client, calls } = fakeService(
      json(UPLOAD, 201),
      new Response(null, { status: 204 }),
      refusal(503, 'service_unavailable'),
      json({ id: 'r' }),
    );
    const created = client.signatureRequests.create({ ...NEW, file: LARGE });
    // The form is encoded in real turns of the event loop, before the virtual time of the pause.
    while (calls.length < 3) await setImmediate();
    await result(created);
    expect(calls.map(({ path }) => path)).toEqual([
      '/api/v1/uploads',
      '/',
      '/api/v1/signatures',
      '/api/v1/signatures',
    ]);
  });

  it('has a second for each 32 KB to be sent, since a slow connection takes long for it', async () => {
    expect(await attemptsIn(124_000, {}, json(UPLOAD, 201))).toBe(1);
    expect(await attemptsIn(124_000, { idempotencyKey: 'order-7' })).toBe(1);
  });

  it('has no longer than a time limit of your own', async () => {
    expect(await attemptsIn(6_000, { idempotencyKey: 'order-7', timeoutMs: 5_000 })).toBe(2);
  });

  it('is sent in the body with a key of your own, since the body must be the same another time', async () => {
    const { client, calls } = fakeService(json({ id: 'r' }));
    await result(client.signatureRequests.create({ ...NEW, file: LARGE }, { idempotencyKey: 'order-7' }));
    expect(calls.map(({ path, headers }) => [path, headers.get('idempotency-key')])).toEqual([
      ['/api/v1/signatures', 'order-7'],
    ]);
  });

  it('can be uploaded first, and is then the same in every repetition with a key of your own', async () => {
    const { client, calls } = fakeService(
      json(UPLOAD, 201),
      new Response(null, { status: 204 }),
      json({ id: 'r' }),
    );
    const { signatureRequests } = client;
    const file = await result(signatureRequests.upload(new File([LARGE], 'plans.pdf')));
    for (const _ of [1, 2])
      await result(signatureRequests.create({ ...NEW, file }, { idempotencyKey: 'order-7' }));
    const [first, second] = calls.slice(2).map(({ body }) => body);
    expect(calls).toHaveLength(4);
    expect(documentOf(calls[2])).toEqual({ filename: 'plans.pdf', upload_id: 'upload-1' });
    expect(second).toEqual(first);
  });

  it('is refused before the upload if it is too large', async () => {
    const { client, calls } = fakeService(json({ ...UPLOAD, max_bytes: 4_000_000 }, 201));
    expect(await failure(client.signatureRequests.create({ ...NEW, file: LARGE }))).toMatchObject({
      code: 'document_too_large',
    });
    expect(calls).toHaveLength(1);
  });

  it('is not part of a request if storage refuses it', async () => {
    const { client, calls } = fakeService(json(UPLOAD, 201), new Response('<Error/>', { status: 403 }));
    expect(await failure(client.signatureRequests.create({ ...NEW, file: LARGE }))).toMatchObject({
      code: 'upload_failed',
      status: 403,
    });
    expect(calls).toHaveLength(2);
  });

  const fromStorage = (status: number, code: string) => () =>
    new Response(`<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`, {
      status,
    });

  it('is refused by storage for a reason that the error names', async () => {
    const { client } = fakeService(json(UPLOAD, 201), fromStorage(400, 'ExpiredToken'));
    expect(await failure(client.signatureRequests.upload(LARGE))).toMatchObject({
      code: 'upload_failed',
      message: 'The upload was answered 400 (ExpiredToken).',
    });
  });

  it('is uploaded again if it stood still on the way, which storage answers with a status of its own', async () => {
    const stoodStill = fromStorage(400, 'RequestTimeout');
    const { client, calls } = fakeService(json(UPLOAD, 201), stoodStill, new Response(null, { status: 204 }));
    const uploaded = client.signatureRequests.upload(LARGE);
    // The form is encoded in real turns of the event loop, before the virtual time of the pause.
    while (calls.length < 2) await setImmediate();
    await result(uploaded);
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
  });
});
