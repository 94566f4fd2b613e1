import { hash } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Delay } from '../../../web/parts/delay.ts';
import { ApiError, ConnectionLost, type Network, SignerApi } from '../../../web/signing/api.ts';

type Reply = Response | Promise<Response> | 'lost';

/** An API over a fake network: planned replies, pauses that pass at once, and a record of what happened. */
function apiOver(replies: Reply[], isOnline = () => true) {
  const sent: { url: string; init: RequestInit }[] = [];
  const pauses: number[] = [];
  const delays: (Delay | null)[] = [];
  const network: Network = {
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init ?? {} });
      const reply = replies.shift();
      if (!reply || reply === 'lost') throw new TypeError('Failed to fetch');
      return reply;
    },
    isOnline,
    pause: async (ms) => void pauses.push(ms),
    onDelay: (delay) => void delays.push(delay),
    onServerTime: () => {},
  };
  return { api: new SignerApi({ 'X-Signing-Token': 'the-token' }, network), sent, pauses, delays };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const idempotent = { idempotent: true };

it('the token is sent in a header only', async () => {
  const { api, sent } = apiOver([json(200, {})]);
  await api.json('POST', '/verify', { idempotent: false, body: { code: '123456' } });
  expect(sent[0]?.url).toBe('/api/signing/v1/verify');
  expect(sent[0]?.init.headers).toMatchObject({ 'X-Signing-Token': 'the-token' });
  expect(sent[0]?.init.body).toBe('{"code":"123456"}');
});

describe('connection', () => {
  it('a lost connection is reported at once, retried with growing pauses, and over when a response arrives', async () => {
    const { api, pauses, delays } = apiOver(['lost', 'lost', 'lost', json(200, { fine: true })]);
    await expect(api.json('POST', '/sign', idempotent)).resolves.toEqual({ fine: true });
    expect(pauses).toEqual([1000, 2000, 4000]);
    expect(delays).toEqual(['lost', null]);
  });

  it('a lost connection is retried at least every 15 seconds', async () => {
    const { api, pauses } = apiOver([...Array<Reply>(9).fill('lost'), json(200, {})]);
    await api.json('GET', '/request', idempotent);
    expect(Math.max(...pauses)).toBe(15_000);
  });

  it('a call that may have arrived is repeated only if it is idempotent', async () => {
    const { api, sent, delays } = apiOver(['lost', json(200, {})]);
    await expect(api.json('POST', '/verify', { idempotent: false })).rejects.toBeInstanceOf(ConnectionLost);
    expect(sent).toHaveLength(1);
    expect(delays).toEqual(['lost', null]);
  });

  it('every call made while the browser is offline is repeated', async () => {
    const { api, sent } = apiOver(['lost', json(200, {})], () => false);
    await api.json('POST', '/verify', { idempotent: false });
    expect(sent).toHaveLength(2);
  });
});

it('a call during which the browser goes offline may have arrived, so it is not repeated', async () => {
  const replies: Reply[] = ['lost', json(200, {})];
  const { api, sent } = apiOver(replies, () => replies.length === 2);
  await expect(api.json('POST', '/code', { idempotent: false })).rejects.toBeInstanceOf(ConnectionLost);
  expect(sent).toHaveLength(1);
});

it.each([
  [30, 'without a body', undefined],
  [110, 'with the largest image of a signature', 'x'.repeat(400_000)],
])('a call is given up after %d seconds %s, which a slow line may take', async (seconds, _call, body) => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  const { api, sent } = apiOver([new Promise(() => {})]);
  void api.json('POST', '/sign', { idempotent: true, body });
  const { signal } = sent[0]?.init ?? {};
  await jest.advanceTimersByTimeAsync(seconds * 1_000 - 1);
  expect(signal?.aborted).toBe(false);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(signal?.aborted).toBe(true);
  jest.useRealTimers();
});

describe('errors', () => {
  it('an error response is thrown with its code and the fields that the page shows', async () => {
    const { api } = apiOver([
      json(429, { error: 'locked', locked_until: 'later' }, { 'retry-after': '900' }),
    ]);
    await expect(api.json('POST', '/verify', { idempotent: false })).rejects.toMatchObject({
      code: 'locked',
      lockedUntil: 'later',
      retryAfterSeconds: 900,
    });
  });

  it('an error response that is not the service’s has the code `fault`', async () => {
    const { api } = apiOver([new Response('<html>Bad gateway</html>', { status: 502 })]);
    await expect(api.json('POST', '/code', { idempotent: false })).rejects.toMatchObject({ code: 'fault' });
  });

  it('a transient error is retried at most twice, after the pause that the service asks for', async () => {
    const busy = () => json(503, { error: 'service_unavailable' }, { 'retry-after': '2' });
    const recovering = apiOver([busy(), json(200, { fine: true })]);
    await expect(recovering.api.json('POST', '/sign', idempotent)).resolves.toEqual({ fine: true });
    expect(recovering.pauses).toEqual([2000]);
    const failing = apiOver([busy(), busy(), busy(), json(200, {})]);
    await expect(failing.api.json('POST', '/sign', idempotent)).rejects.toBeInstanceOf(ApiError);
    expect(failing.delays).toEqual([]);
  });

  it('a long pause that a busy service asks for is told until there is an answer, a short one is not', async () => {
    const busy = (seconds: string) => json(429, { error: 'too_many_requests' }, { 'retry-after': seconds });
    const { api, pauses, delays } = apiOver([busy('1'), busy('60'), json(200, { fine: true })]);
    await expect(api.json('POST', '/sign', idempotent)).resolves.toEqual({ fine: true });
    expect([pauses, delays]).toEqual([
      [1_000, 60_000],
      ['busy', null],
    ]);
  });

  it('the connection lost during a long pause is told instead of it', async () => {
    const busy = json(503, { error: 'service_unavailable' }, { 'retry-after': '60' });
    const { api, delays } = apiOver([busy, 'lost', json(200, {})]);
    await api.json('POST', '/sign', idempotent);
    expect(delays).toEqual(['busy', 'lost', null]);
  });

  it('a call is not made again if the service asks for more than a minute', async () => {
    const busy = json(429, { error: 'too_many_requests' }, { 'retry-after': '61' });
    const { api, sent, delays } = apiOver([busy, json(200, {})]);
    await expect(api.json('POST', '/sign', idempotent)).rejects.toMatchObject({ code: 'too_many_requests' });
    expect([sent.length, delays]).toEqual([1, []]);
  });

  it.each([
    [409, 'conflict'],
    [429, 'too_many_requests'],
    [500, 'internal_error'],
    [503, 'service_unavailable'],
    [504, 'timed_out'],
  ])('after %d %s an idempotent call is made again, another is not', async (status, error) => {
    const failure = () => json(status, { error });
    const { api } = apiOver([failure(), json(200, { fine: true })]);
    await expect(api.json('POST', '/sign', idempotent)).resolves.toEqual({ fine: true });
    const { api: once, sent } = apiOver([failure(), json(200, {})]);
    await expect(once.json('POST', '/code', { idempotent: false })).rejects.toMatchObject({ code: error });
    expect(sent).toHaveLength(1);
  });

  it('a proxy’s 5xx error page is transient, and its 4xx error page is not', async () => {
    const proxy = () => new Response('<html>Bad gateway</html>', { status: 502 });
    const { api, sent } = apiOver([proxy(), json(200, { fine: true })]);
    await expect(api.json('POST', '/sign', idempotent)).resolves.toEqual({ fine: true });
    const refused = apiOver([new Response('<html>Forbidden</html>', { status: 403 }), json(200, {})]);
    await expect(refused.api.json('POST', '/sign', idempotent)).rejects.toMatchObject({ code: 'fault' });
    expect([sent.length, refused.sent.length]).toEqual([2, 1]);
  });
});

describe('downloads', () => {
  it('a download returns all bytes and reports its progress', async () => {
    const progress: number[] = [];
    const { api } = apiOver([new Response('%PDF', { headers: { 'content-length': '4' } })]);
    const bytes = await api.bytes('/document', (fraction) => void progress.push(fraction));
    expect(new TextDecoder().decode(bytes)).toBe('%PDF');
    expect(progress.at(-1)).toBe(1);
  });

  it.each(['content-length', 'x-amzn-remapped-content-length'])(
    'a download that was cut short by its %s is repeated',
    async (name) => {
      const { api } = apiOver(['%P', '%PDF'].map((body) => new Response(body, { headers: { [name]: '4' } })));
      expect(await api.bytes('/document')).toHaveLength(4);
    },
  );

  describe('a broken one', () => {
    const FILE = new TextEncoder().encode('0123456789');
    const ETAG = `"${hash('sha256', FILE)}"`;
    const OTHER = `"${'0'.repeat(64)}"`;
    /** The file from a byte on, of which `sent` bytes arrive before the line breaks. */
    const part = (start: number, sent: number, headers: Record<string, string> = {}) =>
      new Response(broken(FILE.subarray(start, start + sent), start + sent < FILE.length), {
        status: start > 0 ? 206 : 200,
        headers: {
          'content-length': String(FILE.length - start),
          etag: ETAG,
          ...(start > 0 && { 'content-range': `bytes ${start}-9/10` }),
          ...headers,
        },
      });
    const asked = (sent: ReturnType<typeof apiOver>['sent']) =>
      sent.map(({ init }) => new Headers(init.headers).get('range'));

    it('it resumes where it broke, and so does its progress', async () => {
      const { api, sent, pauses, delays } = apiOver([part(0, 4), part(4, 5), part(9, 1)]);
      const progress: number[] = [];
      const bytes = await api.bytes('/document', (fraction) => void progress.push(fraction));
      expect(new TextDecoder().decode(bytes)).toBe('0123456789');
      expect(asked(sent)).toEqual([null, 'bytes=4-', 'bytes=9-']);
      expect(new Headers(sent[1]?.init.headers).get('if-range')).toBe(ETAG);
      expect(progress).toEqual([0.4, 0.9, 1]);
      expect([pauses, delays]).toEqual([[1000, 1000], []]);
    });

    it('after an error response, such as for an ended session, the next download of the file resumes', async () => {
      const ended = json(401, { error: 'verification_required' });
      const { api, sent } = apiOver([part(0, 4), ended, part(0, 10), part(4, 6), part(0, 10)]);
      await expect(api.bytes('/document')).rejects.toBeInstanceOf(ApiError);
      await api.bytes('/evidence');
      expect(new TextDecoder().decode(await api.bytes('/document'))).toBe('0123456789');
      expect(asked(sent)).toEqual([null, 'bytes=4-', null, 'bytes=4-']);
    });

    it('the notice of a lost connection disappears with the first byte, not the last', async () => {
      const { api, delays } = apiOver(['lost', part(0, 4), part(4, 6)]);
      const seen: (Delay | null)[][] = [];
      await api.bytes('/document', () => void seen.push([...delays]));
      expect(seen[0]).toEqual(['lost', null]);
    });

    it('from a server without ranges it starts again, and so does its progress', async () => {
      const { api } = apiOver([part(0, 4), part(0, 10)]);
      const progress: number[] = [];
      const bytes = await api.bytes('/document', (fraction) => void progress.push(fraction));
      expect([new TextDecoder().decode(bytes), progress]).toEqual(['0123456789', [0.4, 1]]);
    });

    it.each([
      ['another file', { etag: OTHER }],
      ['another byte', { 'content-range': 'bytes 5-9/10' }],
      ['a file of another length', { 'content-range': 'bytes 4-10/11' }],
      ['nobody knows what', { 'content-range': '' }],
    ])('a rest of %s is not joined to it', async (_what, headers) => {
      const { api, sent } = apiOver([part(0, 4), part(4, 6, headers), part(0, 10)]);
      expect(new TextDecoder().decode(await api.bytes('/document'))).toBe('0123456789');
      expect(asked(sent)).toEqual([null, 'bytes=4-', null]);
    });

    it('without an ETag, it starts again', async () => {
      const { api, sent } = apiOver([part(0, 4, { etag: '' }), part(0, 10)]);
      await api.bytes('/document');
      expect(asked(sent)).toEqual([null, null]);
    });

    it('a file with a wrong hash is downloaded once more, and then reported as failed', async () => {
      const damaged = () => part(0, 10, { etag: OTHER });
      const mended = apiOver([damaged(), part(0, 10)]);
      expect(new TextDecoder().decode(await mended.api.bytes('/document'))).toBe('0123456789');
      expect(asked(mended.sent)).toEqual([null, null]);
      const { api, sent, delays } = apiOver([damaged(), damaged(), part(0, 10)]);
      await expect(api.bytes('/document')).rejects.toThrow('differs');
      expect([sent.length, delays]).toEqual([2, []]);
    });

    it('once joined parts had a wrong hash, each break starts again', async () => {
      // As if a rest had come for the whole.
      const rest = new Response('456789', { headers: { 'content-length': '6', etag: ETAG } });
      const { api, sent } = apiOver([part(0, 4), rest, part(0, 4), part(0, 10)]);
      expect(new TextDecoder().decode(await api.bytes('/document'))).toBe('0123456789');
      expect(asked(sent)).toEqual([null, 'bytes=4-', null, null]);
    });

    it('the count of busy responses is reset after each part that arrives', async () => {
      const busy = () => json(503, { error: 'service_unavailable' });
      const { api } = apiOver([busy(), busy(), part(0, 4), busy(), busy(), part(4, 6)]);
      expect(await api.bytes('/document')).toHaveLength(10);
    });

    describe('over a slow line', () => {
      beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
      afterEach(() => void jest.useRealTimers());

      it('it may take any time while bytes arrive, and breaks after 30 seconds without a byte', async () => {
        const slow = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
        const body = new ReadableStream<Uint8Array>({ start: slow.resolve });
        const headers = { 'content-length': '10', etag: ETAG };
        const { api, sent } = apiOver([new Response(body, { headers }), part(9, 1)]);
        const done = api.bytes('/document');
        const line = await slow.promise;
        const { signal } = sent[0]?.init ?? {};
        signal?.addEventListener('abort', () => line.error(signal.reason));
        for (let at = 0; at < 9; at++) {
          line.enqueue(FILE.subarray(at, at + 1));
          await jest.advanceTimersByTimeAsync(29_000);
          expect(signal?.aborted).toBe(false);
        }
        await jest.advanceTimersByTimeAsync(1_000);
        expect(signal?.aborted).toBe(true);
        expect(new TextDecoder().decode(await done)).toBe('0123456789');
        expect(asked(sent)).toEqual([null, 'bytes=9-']);
      });
    });
  });
});

/** Gives the bytes, and ends as a broken line does. */
const broken = (bytes: Uint8Array<ArrayBuffer>, breaks: boolean) => {
  let given = false;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(line) {
      if (!given) line.enqueue(bytes);
      else if (breaks) line.error(new TypeError('network error'));
      else line.close();
      given = true;
    },
  });
};
