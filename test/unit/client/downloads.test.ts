import { createHash } from 'node:crypto';
import { failure, fakeService, json, outcome, refusal, result } from './fake-service.ts';

const PDF = new Uint8Array(300_000).map((_, index) => index % 253);
const HASH = createHash('sha256').update(PDF).digest('hex');
const sealed = (hash: string | null = HASH) => json({ id: 'r', document_hash: hash });

/** A body in pieces; `end` says how it ends. */
const inPieces = (end: (controller: ReadableStreamDefaultController) => void) => () => {
  let sent = 0;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (sent === PDF.length) return end(controller);
        controller.enqueue(PDF.slice(sent, sent + 100_000));
        sent += 100_000;
      },
    }),
  );
};
const whole = inPieces((controller) => controller.close());

describe('a download', () => {
  it('gives the bytes whose hash the request has', async () => {
    const { client, calls } = fakeService(whole, sealed());
    const { bytes } = await result(client.signatureRequests.download('r'));
    expect(Buffer.from(await result(bytes())).equals(PDF)).toBe(true);
    expect(calls.map(({ path }) => path)).toEqual(['/api/v1/signatures/r/document', '/api/v1/signatures/r']);
  });

  it('needs no second call with the hash of a webhook', async () => {
    const { client, calls } = fakeService(whole);
    const { bytes } = await result(client.signatureRequests.download('r', { expectedHash: HASH }));
    expect(await result(bytes())).toHaveLength(PDF.length);
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['matches', HASH, 'is given'],
    ['does not match', '0'.repeat(64), 'ends with an error'],
  ])('of the archival form that %s the hash of its answer %s', async (_, hash) => {
    const { client, calls } = fakeService(() => new Response(PDF, { headers: { etag: `"${hash}"` } }));
    const { bytes } = await result(client.signatureRequests.download('r', { form: 'archival' }));
    if (hash === HASH) expect(await result(bytes())).toHaveLength(PDF.length);
    else expect(await failure(bytes())).toMatchObject({ code: 'document_altered' });
    expect(calls.map(({ path }) => path)).toEqual(['/api/v1/signatures/r/document?form=archival']);
  });

  it('comes in pieces, as they arrive', async () => {
    const { client } = fakeService(whole, sealed());
    const { stream } = await result(client.signatureRequests.download('r'));
    const sizes: number[] = [];
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) sizes.push(chunk.length);
    expect(sizes).toEqual([100_000, 100_000, 100_000]);
  });

  it('reports progress if the length is known', async () => {
    for (const [headers, told] of [
      [{ 'content-length': `${PDF.length}` }, [1 / 3, 2 / 3, 1]],
      [{ 'x-amzn-remapped-content-length': `${PDF.length}` }, [1 / 3, 2 / 3, 1]],
      [{ 'content-length': '1000', 'content-encoding': 'gzip' }, []],
      [{}, []],
    ] as const) {
      const { client } = fakeService(() => new Response(whole().body, { headers }), sealed());
      const { bytes } = await result(client.signatureRequests.download('r'));
      const parts: number[] = [];
      await result(bytes((part) => parts.push(part)));
      expect(parts).toEqual(told);
    }
  });

  it.each([
    ['another hash', sealed('0'.repeat(64))],
    ['no hash', sealed(null)],
  ])('ends with an error if the request has %s', async (_, request) => {
    const { client } = fakeService(whole, request);
    const { bytes } = await result(client.signatureRequests.download('r'));
    expect(await failure(bytes())).toMatchObject({ code: 'document_altered' });
  });

  it('ends with an error if its body breaks off', async () => {
    const { client } = fakeService(
      inPieces((controller) => controller.error(new TypeError('terminated'))),
      sealed(),
    );
    const { bytes } = await result(client.signatureRequests.download('r'));
    expect(await failure(bytes())).toMatchObject({ code: 'connection_failed' });
  });

  it.each(['downloadEvidence', 'downloadAuditTrail'] as const)(
    'ends with an error if fewer bytes arrive than were stated, since %s has no hash to compare',
    async (call) => {
      const headers = { 'x-amzn-remapped-content-length': String(PDF.length + 1) };
      const { client } = fakeService(() => new Response(whole().body, { headers }));
      const { bytes } = await result(client.signatureRequests[call]('r'));
      expect(await failure(bytes())).toMatchObject({ code: 'connection_failed' });
    },
  );

  it('ends with an error if its body stands still', async () => {
    const { client } = fakeService(
      inPieces(() => undefined),
      sealed(),
    );
    const { bytes } = await result(client.signatureRequests.download('r', { timeoutMs: 5_000 }));
    expect(await failure(bytes())).toMatchObject({ code: 'no_answer' });
  });

  it('ends with the reason of a signal that aborts', async () => {
    const { client } = fakeService(
      inPieces(() => undefined),
      sealed(),
    );
    const controller = new AbortController();
    const { bytes } = await result(client.signatureRequests.download('r', { signal: controller.signal }));
    const reading = outcome(bytes(), 10);
    const reason = new Error('Enough.');
    controller.abort(reason);
    expect(await reading).toMatchObject({ status: 'rejected', reason });
  });

  it('is an error of the service if there is no document yet', async () => {
    const { client } = fakeService(refusal(409, 'not_yet_signed'));
    expect(await failure(client.signatureRequests.download('r'))).toMatchObject({ code: 'not_yet_signed' });
  });
});
