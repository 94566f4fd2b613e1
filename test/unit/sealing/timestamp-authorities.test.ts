import { createServer, type RequestListener, type Server } from 'node:http';
import { SealError, TimestampUnavailable } from '../../../shared/sealing/errors.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { type Authority, timestamper } from '../../../shared/sealing/timestamp.ts';
import { cpuTimeOfAsync } from '../../support/cpu-time.ts';
import { extensions, issueDemo } from '../../support/demo-keys.ts';
import { listenHere, originOf } from '../../support/loopback.ts';
import { fetchOf, type Misbehaviour, makeTestAuthority } from '../../support/timestamp-authority.ts';
import { craft, ONE_PAGE } from './craft.ts';
import { now, sealIt } from './sealing-kit.ts';
import { data, faultOf, good, options } from './timestamped.ts';
import { twinsOf } from './twins.ts';

describe('faulty authorities', () => {
  let server: Server | undefined;
  afterEach(() => server?.closeAllConnections());
  afterEach((done) => {
    if (server) server.close(() => done());
    else done();
    server = undefined;
  });

  async function listen(listener: RequestListener): Promise<Authority> {
    const listening = createServer(listener);
    server = listening;
    await listenHere(listening);
    return { ...good.authority, url: `${originOf(listening)}/tsr` };
  }
  const askAt = (authority: Authority, timeoutMs = 20_000) =>
    faultOf(timestamper([authority], { ...options, timeoutMs })(data));

  it('an authority that hangs up is named with the code of its fault', async () => {
    const authority = await listen((request) => void request.socket.destroy());
    const { host } = new URL(authority.url);
    expect(await askAt(authority)).toMatch(new RegExp(`${host}: failed \\((UND_ERR_SOCKET|ECONNRESET)\\)`));
  });

  it.each([undefined, null])('a call that failed is told by its name if its cause is %p', async (cause) => {
    const fail: typeof fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const told = await faultOf(timestamper([good.authority], { ...options, fetch: fail })(data));
    expect(told).toContain('tsa.test: failed (TypeError)');
  });

  it('a silent authority times out', async () => {
    expect(await askAt(await listen(() => undefined), 100)).toContain('no answer in time');
  });

  it('an answer that never ends times out', async () => {
    const authority = await listen((_, response) => void response.writeHead(200).write('0'));
    expect(await askAt(authority, 100)).toContain('no answer in time');
  });

  it.each([
    ['HTTP 500', 500, 'oops', 'HTTP 500'],
    ['HTML', 200, '<html>Please log in</html>', 'no timestamp'],
    ['garbage', 200, '\x30\x82\xff\xff garbage', 'no timestamp'],
    ['nothing', 200, '', 'no timestamp'],
    ['HTTP 204', 204, '', 'HTTP 204'],
    ['an endless answer', 200, '0'.repeat(200_000), 'too long'],
  ])('%s instead of a token is refused', async (_, status, body, told) => {
    expect(
      await askAt(await listen((_request, response) => void response.writeHead(status).end(body))),
    ).toContain(told);
  });

  it('a redirect is not followed', async () => {
    expect(
      await askAt(
        await listen(
          (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
        ),
      ),
    ).toContain('HTTP 302');
  });
});

describe('several authorities', () => {
  const other = makeTestAuthority({ now, name: 'Second TSA' });
  const authorities = [
    { ...good.authority, url: 'http://user:secret@first.test/', username: 'ann', password: 'hidden' },
    { ...other.authority, url: 'http://second.test/' },
  ];
  const route =
    (first: () => Misbehaviour): typeof fetch =>
    (url, init) =>
      (String(url).includes('first') ? fetchOf(good, first) : fetchOf(other))(url, init);

  it('authorities are asked in order until one gives a valid token', async () => {
    const stamp = timestamper(authorities, { ...options, fetch: route(() => ({ signature: 'broken' })) });
    await expect(stamp(data)).resolves.toMatchObject({
      authority: 'O=Signature Requests Demo, CN=Second TSA',
    });
    const first = timestamper(authorities, { ...options, fetch: route(() => ({})) });
    await expect(first(data)).resolves.toMatchObject({ authority: 'O=Signature Requests Demo, CN=Demo TSA' });
  });

  it('an authority that gave no answer in time is asked last by the timestamps that follow', async () => {
    const asked: string[] = [];
    const hanging: typeof fetch = (url, init) => {
      const { host } = new URL(String(url));
      asked.push(host);
      if (host === 'second.test') return fetchOf(other)(url, init);
      return Promise.reject(new DOMException('The operation timed out.', 'TimeoutError'));
    };
    const stamp = timestamper(authorities, { ...options, fetch: hanging });
    for (let count = 0; count < 3; count += 1) await stamp(data);
    expect(asked).toEqual(['first.test', 'second.test', 'second.test', 'second.test']);
  });

  it('an authority that cannot be proved is passed over, and asked last by the timestamps that follow', async () => {
    const asked: string[] = [];
    const proved: string[] = [];
    const stamp = timestamper(authorities, {
      ...options,
      fetch: (url, init) => {
        asked.push(new URL(String(url)).host);
        return route(() => ({}))(url, init);
      },
      prove: async ({ certificates: [own] }) => {
        proved.push(own?.x509.subject ?? '');
        if (proved.length === 1) throw new SealError('certificate_revoked', 'revoked since noon');
      },
    });
    for (let count = 0; count < 2; count += 1)
      expect(await stamp(data)).toMatchObject({ authority: 'O=Signature Requests Demo, CN=Second TSA' });
    expect(asked).toEqual(['first.test', 'second.test', 'second.test']);
    expect(proved[0]).toContain('CN=Demo TSA');
  });

  it('an error says of each authority why it cannot be proved, and none hides a fault of the storage', async () => {
    const fetch = route(() => ({}));
    const unproved = async () => Promise.reject(new SealError('revocation_unavailable', 'no answer'));
    const told = await faultOf(timestamper(authorities, { ...options, fetch, prove: unproved })(data));
    expect(told).toBe('timestamp_unavailable: first.test: no answer; second.test: no answer');
    const broken = async () => Promise.reject(new Error('The table is gone.'));
    await expect(timestamper(authorities, { ...options, fetch, prove: broken })(data)).rejects.toThrow(
      'gone',
    );
  });

  it('an authority that refused is asked first again', async () => {
    let isRefusing = true;
    const stamp = timestamper(authorities, {
      ...options,
      fetch: route(() => (isRefusing ? { status: 2 } : {})),
    });
    await stamp(data);
    isRefusing = false;
    await expect(stamp(data)).resolves.toMatchObject({ authority: 'O=Signature Requests Demo, CN=Demo TSA' });
  });

  it('an error names every authority, and no password', async () => {
    const refuse: typeof fetch = async () => new Response('no', { status: 503 });
    const told = await faultOf(timestamper(authorities, { ...options, fetch: refuse })(data));
    expect(told).toBe('timestamp_unavailable: first.test: HTTP 503; second.test: HTTP 503');
  });

  it('each authority gets a timestamp query with its own credentials only', async () => {
    const seen: object[] = [];
    const record: typeof fetch = async (_url, init) => {
      seen.push(Object.fromEntries(new Headers(init?.headers)));
      return new Response(null);
    };
    const third = { ...good.authority, username: 'bob' };
    const stamp = timestamper([...authorities, third], { ...options, fetch: record });
    expect(await faultOf(stamp(data))).not.toContain('failed');
    const kinds = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' };
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    expect(seen).toEqual([
      { ...kinds, authorization: basic('ann:hidden') },
      kinds,
      { ...kinds, authorization: basic('bob:') },
    ]);
  });

  it('an authority whose pinned certificate cannot be read does not shut out the next one', async () => {
    const caPem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const both = [{ ...good.authority, caPem }, other.authority];
    const stamp = timestamper(both, { ...options, fetch: fetchOf(other) });
    await expect(stamp(data)).resolves.toMatchObject({
      authority: 'O=Signature Requests Demo, CN=Second TSA',
    });
  });

  it('the next authority is asked if a token does not fit into the space for it', async () => {
    const large = makeTestAuthority({ now, name: 'A'.repeat(3000) });
    const both: typeof fetch = (url, init) =>
      (String(url).includes('first') ? fetchOf(large) : fetchOf(other))(url, init);
    const [first, second] = [
      { ...large.authority, url: 'http://first.test/' },
      { ...other.authority, url: 'http://second.test/' },
    ];
    const stamp = timestamper([first, second], { ...options, fetch: both });
    await expect(stamp(data, 6000)).resolves.toMatchObject({
      authority: 'O=Signature Requests Demo, CN=Second TSA',
    });
    const told = await faultOf(timestamper([first], { ...options, fetch: both })(data, 6000));
    expect(told).toMatch(/the token takes \d+ bytes, of 6000 reserved/);
  });

  it('without a given limit a token may be as large as a typical chain leaves room for', async () => {
    const tokenOf = (length: number) => {
      const long = makeTestAuthority({ now, name: 'A'.repeat(length) });
      return timestamper([long.authority], { ...options, fetch: fetchOf(long) })(data);
    };
    await expect(tokenOf(2_000)).resolves.toBeDefined();
    expect(await faultOf(tokenOf(2_600))).toMatch(/the token takes 1[2-9]\d{3} bytes, of 12288 reserved/);
  });

  it('the next authority is asked soon after an answer whose certificates lead in circles', async () => {
    const algorithm = 'ecdsa-p256';
    const purposes = [
      extensions.keyUsage('digitalSignature'),
      extensions.extendedKeyUsage(true, OIDS.timeStamping),
    ];
    const ca = issueDemo({ commonName: 'Twins', now, years: 5, algorithm, extensions: [extensions.ca()] });
    const leaf = issueDemo({
      commonName: 'Leaf',
      now,
      years: 5,
      algorithm,
      issuer: ca,
      extensions: purposes,
    });
    const signer = { ...leaf, issuers: twinsOf(ca, 10).map(({ certificate }) => certificate) };
    const circling = makeTestAuthority({ now, signer });
    const both: typeof fetch = (url, init) =>
      fetchOf(String(url).includes('first') ? circling : other)(url, init);
    const stamp = timestamper(authorities, { ...options, fetch: both });
    const spent = await cpuTimeOfAsync(async () => {
      await expect(stamp(data)).resolves.toMatchObject({
        authority: 'O=Signature Requests Demo, CN=Second TSA',
      });
    });
    expect(spent).toBeLessThan(1_000);
  });

  it('an empty list of authorities is an error', async () => {
    expect(await faultOf(timestamper([], options)(data))).toContain('no authority is configured');
  });
});

describe('a seal without a timestamp', () => {
  it('is never made', async () => {
    const timestamp = timestamper([good.authority], {
      ...options,
      fetch: fetchOf(good, () => ({ status: 2 })),
    });
    await expect(sealIt(craft({ objects: ONE_PAGE }), { timestamp })).rejects.toBeInstanceOf(
      TimestampUnavailable,
    );
  });
});
