import { ConnectionLost, Refusal, SignerApi, type Surroundings } from '../../../web/api.ts';

type Reply = Response | 'lost';

/** An API whose network answers as planned, whose pauses pass at once, and which tells what it did. */
function apiOver(replies: Reply[], online = true) {
  const sent: { url: string; init: RequestInit }[] = [];
  const pauses: number[] = [];
  const connection: boolean[] = [];
  const around: Surroundings = {
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init ?? {} });
      const reply = replies.shift();
      if (!reply || reply === 'lost') throw new TypeError('Failed to fetch');
      return reply;
    },
    isOnline: () => online,
    pause: async (ms) => void pauses.push(ms),
    onConnection: (lost) => void connection.push(lost),
    onServerTime: () => {},
  };
  return { api: new SignerApi('the-token', around), sent, pauses, connection };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const repeatable = { repeatable: true };

it('sends the token in a header and nowhere else', async () => {
  const { api, sent } = apiOver([json(200, {})]);
  await api.json('POST', '/verify', { repeatable: false, body: { code: '123456' } });
  expect(sent[0]?.url).toBe('/api/signing/v1/verify');
  expect(sent[0]?.init.headers).toMatchObject({ 'X-Signing-Token': 'the-token' });
  expect(sent[0]?.init.body).toBe('{"code":"123456"}');
});

describe('a lost connection', () => {
  it('is said at once, tried again with growing pauses, and over with the answer', async () => {
    const { api, pauses, connection } = apiOver(['lost', 'lost', 'lost', json(200, { fine: true })]);
    await expect(api.json('POST', '/sign', repeatable)).resolves.toEqual({ fine: true });
    expect(pauses).toEqual([1000, 2000, 4000]);
    expect(connection).toEqual([true, false]);
  });

  it('never waits longer than a quarter of a minute', async () => {
    const { api, pauses } = apiOver([...Array<Reply>(9).fill('lost'), json(200, {})]);
    await api.json('GET', '/request', repeatable);
    expect(Math.max(...pauses)).toBe(15_000);
  });

  it('does not repeat a call that may have arrived', async () => {
    const { api, sent, connection } = apiOver(['lost', json(200, {})]);
    await expect(api.json('POST', '/verify', { repeatable: false })).rejects.toBeInstanceOf(ConnectionLost);
    expect(sent).toHaveLength(1);
    expect(connection).toEqual([true, false]);
  });

  it('keeps a call that never left the device until it can', async () => {
    const { api, sent } = apiOver(['lost', json(200, {})], false);
    await api.json('POST', '/verify', { repeatable: false });
    expect(sent).toHaveLength(2);
  });
});

describe('a refusal', () => {
  it('carries what the page needs of it', async () => {
    const { api } = apiOver([
      json(429, { error: 'locked', locked_until: 'later' }, { 'retry-after': '900' }),
    ]);
    await expect(api.json('POST', '/verify', { repeatable: false })).rejects.toMatchObject({
      code: 'locked',
      lockedUntil: 'later',
      retryAfterSeconds: 900,
    });
  });

  it('is a fault where the answer is none of ours', async () => {
    const { api } = apiOver([new Response('<html>Bad gateway</html>', { status: 502 })]);
    await expect(api.json('POST', '/code', { repeatable: false })).rejects.toMatchObject({ code: 'fault' });
  });

  it('is waited out when it passes by itself, and no more than three times', async () => {
    const busy = () => json(503, { error: 'service_unavailable' }, { 'retry-after': '2' });
    const soon = apiOver([busy(), json(200, { fine: true })]);
    await expect(soon.api.json('POST', '/sign', repeatable)).resolves.toEqual({ fine: true });
    expect(soon.pauses).toEqual([2000]);
    const never = apiOver([busy(), busy(), busy(), json(200, {})]);
    await expect(never.api.json('POST', '/sign', repeatable)).rejects.toBeInstanceOf(Refusal);
    expect(never.connection).toEqual([]);
  });
});

describe('bytes', () => {
  it('come whole, with word of how far they are', async () => {
    const shares: number[] = [];
    const { api } = apiOver([new Response('%PDF', { headers: { 'content-length': '4' } })]);
    const bytes = await api.bytes('/document', (share) => void shares.push(share));
    expect(new TextDecoder().decode(bytes)).toBe('%PDF');
    expect(shares.at(-1)).toBe(1);
  });

  it('that were cut short are fetched again', async () => {
    const { api } = apiOver([
      new Response('%P', { headers: { 'content-length': '4' } }),
      new Response('%PDF', { headers: { 'content-length': '4' } }),
    ]);
    expect(await api.bytes('/document')).toHaveLength(4);
  });
});
