import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { integer } from '../../../shared/sealing/der.ts';
import { TimestampUnavailable } from '../../../shared/sealing/errors.ts';
import { extensions, makeDemoCa, pem } from '../../../shared/sealing/keys/demo.ts';
import { oids } from '../../../shared/sealing/oids.ts';
import { type Authority, timestamper } from '../../../shared/sealing/timestamp.ts';
import {
  fetchOf,
  type Misbehaviour,
  makeTestAuthority,
  type TestAuthority,
} from '../../support/timestamp-authority.ts';
import { craft, onePage } from './craft.ts';
import { now, sealIt } from './sealing-kit.ts';

const data = Buffer.from('a signature');
const options = { now: () => now };
const good = makeTestAuthority({ now });

async function faultOf(stamp: Promise<unknown>): Promise<string> {
  const error = await stamp.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TimestampUnavailable);
  expect(error).toMatchObject({ code: 'timestamp_unavailable', permanent: false });
  return error instanceof Error ? error.message : '';
}

const ask = (tsa: TestAuthority, misbehaviour: Misbehaviour = {}, authority: Partial<Authority> = {}) =>
  timestamper([{ ...tsa.authority, ...authority }], { ...options, fetch: fetchOf(tsa, () => misbehaviour) })(
    data,
  );

describe('A good authority', () => {
  it('gives a token over the data, with time, name and serial', async () => {
    const stamp = await ask(good);
    expect(stamp).toMatchObject({
      time: now,
      authority: 'O=Signature Requests Demo, CN=Demo TSA',
      policy: '1.3.6.1.4.1.55555.1.1',
    });
    expect(Buffer.from(stamp.token).includes(createHash('sha256').update(data).digest())).toBe(true);
  });

  it.each([
    ['RSA-PSS', good, { signature: 'pss' as const }],
    ['ECDSA', makeTestAuthority({ now, algorithm: 'ecdsa-p256' }), {}],
    ['a certificate named by SHA-1 (RFC 2634)', good, { signingCertificate: 1 as const }],
    ['"granted with modifications"', good, { status: 1 }],
  ])('may use %s', async (_, tsa, misbehaviour) => {
    await expect(ask(tsa, misbehaviour)).resolves.toMatchObject({ time: now });
  });

  it('may have a CA between it and the pinned root', async () => {
    const root = makeDemoCa(now, 'TSA root');
    const tsa = makeTestAuthority({ now, ca: makeDemoCa(now, 'TSA issuing CA', root) });
    await expect(ask(tsa, {}, { caPem: pem(root.certificate) })).resolves.toMatchObject({ time: now });
  });

  it('may be asked for a policy', async () => {
    await expect(ask(good, { policy: '1.2.3' }, { policyOid: '1.2.3' })).resolves.toMatchObject({
      policy: '1.2.3',
    });
  });
});

describe('A token that must not be embedded', () => {
  const otherHash = createHash('sha256').update('other').digest();
  const signerWith = (...parts: Buffer[]) => makeTestAuthority({ now, signerExtensions: parts });
  const stamping = (critical: boolean, ...more: string[]) =>
    extensions.extendedKeyUsage(critical, oids.timeStamping, ...more);

  it.each([
    ['a refusal', good, { status: 2 }, 'refused (status 2)'],
    ['a wrong imprint', good, { imprint: otherHash }, 'imprint'],
    ['a wrong nonce', good, { nonce: integer(7) }, 'nonce'],
    ['no nonce', good, { nonce: null }, 'nonce'],
    ['a time far from ours', good, { time: new Date(now.getTime() + 600_000) }, 'too far'],
    ['a wrong signature', good, { signature: 'broken' as const }, 'signature is wrong'],
    ['no name of its certificate', good, { signingCertificate: 'none' as const }, 'does not name'],
    [
      'the name of another certificate',
      good,
      { signingCertificate: 'other' as const },
      'another certificate',
    ],
    ['no certificate', good, { certificates: 'none' as const }, "lacks its signer's"],
    ['a key for e-mail too', signerWith(stamping(true, oids.emailProtection)), {}, 'timestamps alone'],
    ['an extended key usage that is not critical', signerWith(stamping(false)), {}, 'timestamps alone'],
    ['no extended key usage', signerWith(extensions.keyUsage('digitalSignature')), {}, 'timestamps alone'],
    [
      'a key that may not sign',
      signerWith(extensions.keyUsage('keyCertSign'), stamping(true)),
      {},
      'may not sign',
    ],
    [
      'an expired certificate',
      makeTestAuthority({ now: new Date(now.getTime() - 5 * 86_400_000), years: 0 }),
      { time: now },
      'not valid now',
    ],
  ])('is one with %s', async (_, tsa, misbehaviour, told) => {
    expect(await faultOf(ask(tsa, misbehaviour))).toContain(told);
  });

  it('is one that leads to no pinned root', async () => {
    const stranger = makeTestAuthority({ now });
    expect(await faultOf(ask(stranger, {}, { caPem: good.authority.caPem }))).toContain('pinned root');
    expect(await faultOf(ask(stranger, {}, { caPem: '' }))).toContain('pinned root');
  });

  it('is one under another policy than the one asked for', async () => {
    expect(await faultOf(ask(good, { policy: '1.2.4' }, { policyOid: '1.2.3' }))).toContain('policy 1.2.4');
  });

  it('is one that was given out before', async () => {
    let first: Buffer | undefined;
    const replay: typeof fetch = async (_url, init) => {
      if (init?.body instanceof Uint8Array) first ??= good.answer(init.body);
      return new Response(new Uint8Array(first ?? []));
    };
    const stamp = timestamper([good.authority], { ...options, fetch: replay });
    await expect(stamp(data)).resolves.toMatchObject({ time: now });
    expect(await faultOf(stamp(data))).toContain('nonce');
    expect(await faultOf(stamp(Buffer.from('other')))).toContain('imprint');
  });

  it.each([
    ['the time and imprint', () => 130],
    ['the signed attributes', (length: number) => length - 300],
    ['the signature', (length: number) => length - 20],
  ])('is one with a bit changed in %s', async (_, place) => {
    const flip: typeof fetch = async (url, init) => {
      const answer = new Uint8Array(await (await fetchOf(good)(url, init)).arrayBuffer());
      const at = place(answer.length);
      answer[at] = (answer[at] ?? 0) ^ 1;
      return new Response(answer);
    };
    await faultOf(timestamper([good.authority], { ...options, fetch: flip })(data));
  });
});

describe('An authority that does not answer as it should', () => {
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
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const address = listening.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return { ...good.authority, url: `http://127.0.0.1:${address.port}/tsr` };
  }
  const askAt = (authority: Authority) =>
    faultOf(timestamper([authority], { ...options, timeoutMs: 200 })(data));

  it('is down', async () => {
    expect(await askAt({ ...good.authority, url: 'http://127.0.0.1:1/' })).toMatch(/127\.0\.0\.1:1: failed/);
  });

  it('is silent', async () => {
    expect(await askAt(await listen(() => undefined))).toContain('no answer in time');
  });

  it('begins its answer and never ends it', async () => {
    const authority = await listen((_, response) => void response.writeHead(200).write('0'));
    expect(await askAt(authority)).toContain('no answer in time');
  });

  it.each([
    ['HTTP 500', 500, 'oops', 'HTTP 500'],
    ['HTML', 200, '<html>Please log in</html>', 'no timestamp'],
    ['garbage', 200, '\x30\x82\xff\xff garbage', 'no timestamp'],
    ['nothing', 200, '', 'no timestamp'],
    ['an endless answer', 200, '0'.repeat(200_000), 'too long'],
  ])('answers with %s', async (_, status, body, told) => {
    expect(
      await askAt(await listen((_request, response) => void response.writeHead(status).end(body))),
    ).toContain(told);
  });

  it('sends us elsewhere', async () => {
    expect(
      await askAt(
        await listen(
          (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
        ),
      ),
    ).toContain('HTTP 302');
  });
});

describe('Several authorities', () => {
  const other = makeTestAuthority({ now, name: 'Second TSA' });
  const authorities = [
    { ...good.authority, url: 'http://user:secret@first.test/', username: 'ann', password: 'hidden' },
    { ...other.authority, url: 'http://second.test/' },
  ];
  const route =
    (first: () => Misbehaviour): typeof fetch =>
    (url, init) =>
      (String(url).includes('first') ? fetchOf(good, first) : fetchOf(other))(url, init);

  it('are asked in their order, until one gives a token that holds', async () => {
    const stamp = timestamper(authorities, { ...options, fetch: route(() => ({ signature: 'broken' })) });
    await expect(stamp(data)).resolves.toMatchObject({
      authority: 'O=Signature Requests Demo, CN=Second TSA',
    });
    const first = timestamper(authorities, { ...options, fetch: route(() => ({})) });
    await expect(first(data)).resolves.toMatchObject({ authority: 'O=Signature Requests Demo, CN=Demo TSA' });
  });

  it('are all named when none helps, but no password is', async () => {
    const refuse: typeof fetch = async () => new Response('no', { status: 503 });
    const told = await faultOf(timestamper(authorities, { ...options, fetch: refuse })(data));
    expect(told).toBe('timestamp_unavailable: first.test: HTTP 503; second.test: HTTP 503');
  });

  it('are given their own credentials', async () => {
    const seen: (string | null)[] = [];
    const record: typeof fetch = async (url, init) => {
      seen.push(new Headers(init?.headers).get('authorization'));
      return route(() => ({ status: 2 }))(url, init);
    };
    await timestamper(authorities, { ...options, fetch: record })(data);
    expect(seen).toEqual([`Basic ${Buffer.from('ann:hidden').toString('base64')}`, null]);
  });

  it('must be more than none', async () => {
    expect(await faultOf(timestamper([], options)(data))).toContain('no authority is configured');
  });
});

describe('A seal', () => {
  it('is not made at all without a timestamp', async () => {
    const timestamp = timestamper([good.authority], {
      ...options,
      fetch: fetchOf(good, () => ({ status: 2 })),
    });
    await expect(sealIt(craft({ objects: onePage }), { timestamp })).rejects.toBeInstanceOf(
      TimestampUnavailable,
    );
  });
});
