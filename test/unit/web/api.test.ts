import { ApiError, ConnectionLost, type Network, SignerApi } from '../../../web/signing/api.ts';

type Reply = Response | 'lost';

/** An API over a fake network: planned replies, pauses that pass at once, and a record of what happened. */
function apiOver(replies: Reply[], isOnline = () => true) {
  const sent: { url: string; init: RequestInit }[] = [];
  const pauses: number[] = [];
  const connection: boolean[] = [];
  const network: Network = {
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init ?? {} });
      const reply = replies.shift();
      if (!reply || reply === 'lost') throw new TypeError('Failed to fetch');
      return reply;
    },
    isOnline,
    pause: async (ms) => void pauses.push(ms),
    onConnection: (lost) => void connection.push(lost),
    onServerTime: () => {},
  };
  return { api: new SignerApi({ 'X-Signing-Token': 'the-token' }, network), sent, pauses, connection };
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
  it('a lost connection is reported at once, retried with growing pauses, and over when an answer arrives', async () => {
    const { api, pauses, connection } = apiOver(['lost', 'lost', 'lost', json(200, { fine: true })]);
    await expect(api.json('POST', '/sign', idempotent)).resolves.toEqual({ fine: true });
    expect(pauses).toEqual([1000, 2000, 4000]);
    expect(connection).toEqual([true, false]);
  });

  it('a lost connection is retried at least every 15 seconds', async () => {
    const { api, pauses } = apiOver([...Array<Reply>(9).fill('lost'), json(200, {})]);
    await api.json('GET', '/request', idempotent);
    expect(Math.max(...pauses)).toBe(15_000);
  });

  it('a call that may have arrived is repeated only if it is idempotent', async () => {
    const { api, sent, connection } = apiOver(['lost', json(200, {})]);
    await expect(api.json('POST', '/verify', { idempotent: false })).rejects.toBeInstanceOf(ConnectionLost);
    expect(sent).toHaveLength(1);
    expect(connection).toEqual([true, false]);
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

describe('errors', () => {
  it('an error answer is thrown with its code and the fields that the page shows', async () => {
    const { api } = apiOver([
      json(429, { error: 'locked', locked_until: 'later' }, { 'retry-after': '900' }),
    ]);
    await expect(api.json('POST', '/verify', { idempotent: false })).rejects.toMatchObject({
      code: 'locked',
      lockedUntil: 'later',
      retryAfterSeconds: 900,
    });
  });

  it('an error answer that is not ours has the code `fault`', async () => {
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
    expect(failing.connection).toEqual([]);
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

  it('an error page of a proxy is as transient, a refusal that is not ours is not', async () => {
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

  it('a download that was cut short is repeated', async () => {
    const { api } = apiOver([
      new Response('%P', { headers: { 'content-length': '4' } }),
      new Response('%PDF', { headers: { 'content-length': '4' } }),
    ]);
    expect(await api.bytes('/document')).toHaveLength(4);
  });
});
