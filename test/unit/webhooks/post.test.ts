import { once } from 'node:events';
import { type Socket, Server as TcpServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { jest } from '@jest/globals';
import { resolveWith } from '../../../shared/webhooks/addresses.ts';
import { connectTo } from '../../../shared/webhooks/connection.ts';
import { makePost } from '../../../shared/webhooks/post.ts';
import { HOSTILE_URLS } from '../../support/hostile-urls.ts';
import { listenHere } from '../../support/loopback.ts';
import { dnsServer } from './dns-server.ts';
import { busyReceiver, closeReceivers, httpReceiver, httpsReceiver, rawReceiver } from './receivers.ts';

const HEADERS = { 'Content-Type': 'application/json', 'X-Test': 'yes' };
const noNames = async () => [];

/** The product's client. Tests of its time limit end the time themselves. */
const post = (options: { deadline?: () => AbortSignal; clock?: () => number } = {}) =>
  makePost({ development: true, resolve: noNames, ...options });
const to = (port: number, path = '/') => `http://127.0.0.1:${port}${path}`;

afterEach(closeReceivers);

describe('one delivery attempt', () => {
  it('an attempt keeps the first 1,024 bytes of the answer, without a character that is cut in half', async () => {
    const port = await httpReceiver((_, response) => response.writeHead(500).end(`x${'é'.repeat(40_000)}`));
    const { status, answer } = await post()(to(port), HEADERS, '{}');
    expect([status, answer]).toEqual([500, `x${'é'.repeat(511)}`]);
  });

  it('an attempt posts the body unchanged and succeeds with status 200', async () => {
    const received: unknown[] = [];
    const port = await httpReceiver(async (request, response) => {
      const chunks = await Array.fromAsync(request);
      const { method, url, headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.end('thanks');
    });
    const body = '{"title":"Größe 合同"}';

    const result = await post()(to(port, '/hook?a=b'), HEADERS, body);

    expect(result.durationMs).toBeGreaterThanOrEqual(0);
    expect(result).toEqual({
      status: 200,
      error: null,
      durationMs: expect.any(Number),
      answer: 'thanks',
    });
    expect(received).toEqual([
      {
        method: 'POST',
        url: '/hook?a=b',
        body,
        headers: {
          host: `127.0.0.1:${port}`,
          'content-type': 'application/json',
          'x-test': 'yes',
          'content-length': String(Buffer.byteLength(body)),
          connection: 'close',
        },
      },
    ]);
  });

  it('an attempt sends a long body completely', async () => {
    const received: Buffer[] = [];
    const port = await httpReceiver(async (request, response) => {
      received.push(Buffer.concat(await Array.fromAsync(request)));
      response.end();
    });
    const body = 'ä'.repeat(200_000);
    expect(await post()(to(port), HEADERS, body)).toMatchObject({ status: 200 });
    expect(received.map((bytes) => bytes.equals(Buffer.from(body)))).toEqual([true]);
  });

  it.each([201, 202, 204, 400, 404, 410, 429, 500, 503])(
    'an attempt fails with status %d',
    async (status) => {
      const port = await httpReceiver((_request, response) => response.writeHead(status).end());
      expect(await post()(to(port), HEADERS, '{}')).toMatchObject({ status, error: 'unexpected_status' });
    },
  );

  it.each([301, 302, 303, 307, 308])('an attempt does not follow a %d redirect', async (status) => {
    let calls = 0;
    const port = await httpReceiver((_request, response) => {
      calls += 1;
      response.writeHead(status, { Location: '/elsewhere' }).end();
    });
    expect(await post()(to(port), HEADERS, '{}')).toMatchObject({ status, error: 'unexpected_status' });
    expect(calls).toBe(1);
  });

  it('an attempt in development reaches localhost by name', async () => {
    const port = await httpReceiver((_request, response) => response.end());
    expect(await post()(`http://localhost:${port}/`, HEADERS, '{}')).toMatchObject({ status: 200 });
  });

  it('an attempt measures its total duration', async () => {
    let time = 5_000;
    const port = await httpReceiver((_request, response) => {
      time += 120.4;
      response.end();
    });
    expect(await post({ clock: () => time })(to(port), HEADERS, '{}')).toMatchObject({ durationMs: 120 });
  });

  it('an attempt may take five seconds', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    const port = await httpReceiver((_request, response) => response.end());
    await post()(to(port), HEADERS, '{}');
    expect(timeout.mock.calls).toEqual([[5_000]]);
    timeout.mockRestore();
  });
});

describe('a misbehaving receiver', () => {
  /** The time limit of an attempt, which is over when the test says so. */
  let timeLimit: AbortController;
  beforeEach(() => {
    timeLimit = new AbortController();
  });
  const deadline = () => timeLimit.signal;

  /** Sends a piece again and again, and ends the time when the client has had the chance to read many. */
  const drip = (socket: Socket, piece: string) => {
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      if (count === 10) timeLimit.abort();
      else socket.write(piece);
    }, 5);
    socket.on('close', () => clearInterval(timer));
  };

  const hangs: [string, (socket: Socket) => void][] = [
    ['never answers', (socket) => socket.on('data', () => timeLimit.abort())],
    [
      'never ends its headers',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nX-Slow: ', () => timeLimit.abort()),
    ],
    [
      'sends its headers too slowly',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'X-A: b\r\n');
      },
    ],
  ];

  it.each(hangs)('an attempt times out if the receiver %s', async (_what, onConnection) => {
    const port = await rawReceiver(onConnection);
    expect(await post({ deadline })(to(port), HEADERS, '{}')).toMatchObject({
      status: null,
      error: 'timed_out',
    });
  });

  it('an attempt times out, with the status, if the receiver sends its body too slowly', async () => {
    const port = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      drip(socket, '1\r\na\r\n');
    });
    expect(await post({ deadline })(to(port), HEADERS, '{}')).toMatchObject({
      status: 200,
      error: 'timed_out',
    });
  });

  it('an attempt times out, with the status, if only the end of the connection would end the body', async () => {
    const port = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nworking', () => setTimeout(() => timeLimit.abort(), 50));
    });
    expect(await post({ deadline })(to(port), HEADERS, '{}')).toMatchObject({
      status: 200,
      error: 'timed_out',
    });
  });

  it('an attempt stops reading an endless body after 64 KB', async () => {
    let sent = 0;
    const port = await httpReceiver((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      };
      response.on('drain', more);
      more();
    });
    const result = await post()(to(port), HEADERS, '{}');
    expect(result).toMatchObject({ status: 200, error: null });
    expect(sent).toBeLessThan(20_000_000);
  });

  it.each<[string, string, number | null, string]>([
    ['resets the connection', 'RESET', null, 'connection_closed'],
    ['closes without sending anything', '', null, 'connection_closed'],
    ['stops in its headers', 'HTTP/1.1 200 OK\r\nA: b', null, 'connection_closed'],
    ['stops in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal', 200, 'connection_closed'],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', null, 'invalid_answer'],
    ['sends endless headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(9_000)}\r\n`, null, 'invalid_answer'],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      null,
      'connection_closed',
    ],
  ])('an attempt fails if the receiver %s', async (_what, answer, status, error) => {
    const port = await rawReceiver((socket) => {
      socket.once('data', () => {
        if (answer === 'RESET') socket.resetAndDestroy();
        else socket.end(answer);
      });
    });
    expect(await post()(to(port), HEADERS, '{}')).toMatchObject({ status, error });
  });

  it('an attempt fails if nothing listens on the port', async () => {
    const server = new TcpServer();
    const port = await listenHere(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await post()(to(port), HEADERS, '{}')).toMatchObject({
      status: null,
      error: 'connection_failed',
      answer: null,
    });
  });
});

describe('TLS', () => {
  /** Connects to a loopback port by name, without the address rules. */
  const connect = (port: number, name = 'hooks.example.com') =>
    connectTo(
      new URL(`https://${name}:${port}/`),
      { resolve: async () => ['127.0.0.1'], isAllowed: () => true },
      AbortSignal.timeout(2_000),
    );

  it('a TLS connection requires a certificate that is valid for the name', async () => {
    const { port, certificate } = await httpsReceiver('hooks.example.com', (_request, response) =>
      response.end(),
    );
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate]);
    try {
      const socket = await connect(port);
      expect(socket.remoteAddress).toBe('127.0.0.1');
      socket.destroy();
      await expect(connect(port, 'other.example.com')).rejects.toMatchObject({ failure: 'tls_failed' });
    } finally {
      setDefaultCACertificates(before);
    }
  });

  it('a TLS connection names its host, so that a receiver of several can choose the certificate', async () => {
    const asked: unknown[] = [];
    const { port, certificate } = await httpsReceiver('hooks.example.com', ({ socket }, response) => {
      asked.push((socket as TLSSocket).servername);
      response.end();
    });
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate]);
    try {
      const socket = await connect(port);
      socket.end('GET / HTTP/1.1\r\nHost: hooks.example.com\r\nConnection: close\r\n\r\n').resume();
      await once(socket, 'close');
      expect(asked).toEqual(['hooks.example.com']);
    } finally {
      setDefaultCACertificates(before);
    }
  });

  it('a connection whose handshake is not finished in time is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const port = await rawReceiver((socket) => {
      socket.once('data', () => begun.resolve()).once('close', () => closed.resolve());
    });
    const limit = new AbortController();
    const network = { resolve: async () => ['127.0.0.1'], isAllowed: () => true };
    const connecting = connectTo(new URL(`https://hooks.example.com:${port}/`), network, limit.signal);
    await begun.promise;
    limit.abort();
    await expect(connecting).rejects.toMatchObject({ failure: 'tls_failed' });
    await closed.promise;
  });

  it('a connection that led to another address than the one that was checked is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await rawReceiver((socket) => {
      socket.resume().once('close', () => closed.resolve());
    });
    const answers = [true, false];
    const network = { resolve: async () => ['127.0.0.1'], isAllowed: () => answers.shift() ?? false };
    await expect(
      connectTo(new URL(`http://hooks.example.com:${port}/`), network, AbortSignal.timeout(2_000)),
    ).rejects.toMatchObject({ failure: 'address_not_allowed' });
    await closed.promise;
  });

  it('a TLS connection fails if the certificate is not trusted', async () => {
    const { port } = await httpsReceiver('hooks.example.com', (_request, response) => response.end());
    await expect(connect(port)).rejects.toMatchObject({ failure: 'tls_failed' });
  });

  it('a TLS connection fails if the receiver does not speak TLS', async () => {
    const port = await rawReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(connect(port)).rejects.toMatchObject({ failure: 'tls_failed' });
  });

  it('a TLS connection fails if the receiver resets the handshake', async () => {
    const port = await rawReceiver((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await expect(connect(port)).rejects.toMatchObject({ failure: 'tls_failed' });
  });
});

describe('name resolution', () => {
  const connections = jest.fn();
  beforeEach(() => connections.mockClear());
  const receiver = () => rawReceiver((socket) => socket.destroy(connections() as undefined));

  /** The product's resolver and rules, with the test's name server. */
  const byName = (server: string, options: { deadline?: () => AbortSignal } = {}) =>
    makePost({ development: true, resolve: resolveWith([server]), ...options });

  it.each<[string, string[], string[]]>([
    ['loopback', ['127.0.0.1'], []],
    ['a private address', ['10.1.2.3'], []],
    ['the metadata service', ['169.254.169.254'], []],
    ['a public and a private IPv4 address', ['93.184.216.34', '127.0.0.1'], []],
    ['a public IPv4 and a private IPv6 address', ['93.184.216.34'], ['::1']],
    ['an IPv4-mapped address', [], ['::ffff:7f00:1']],
    ['a NAT64 address', [], ['64:ff9b::7f00:1']],
  ])('an attempt is refused if the name resolves to %s', async (_what, v4, v6) => {
    const dns = await dnsServer((_name, type) => (type === 'A' ? v4 : v6));
    const result = await byName(dns.address)('https://hooks.example.com/', HEADERS, '{}');
    dns.close();
    expect(result).toMatchObject({ status: null, error: 'address_not_allowed' });
  });

  it('an attempt fails if the name has no address', async () => {
    const dns = await dnsServer(() => []);
    const result = await byName(dns.address)('https://hooks.example.com/', HEADERS, '{}');
    dns.close();
    expect(result).toMatchObject({ status: null, error: 'dns_failed' });
  });

  it('an attempt times out if the name server does not answer', async () => {
    const timeLimit = new AbortController();
    const dns = await dnsServer(() => void timeLimit.abort());
    const call = byName(dns.address, { deadline: () => timeLimit.signal });
    const result = await call('https://hooks.example.com/', HEADERS, '{}');
    dns.close();
    expect(result).toMatchObject({ status: null, error: 'timed_out' });
  });

  it('an attempt connects to the address it checked, without a second look-up', async () => {
    const port = await receiver();
    // DNS rebinding: the first answer is public, every later one is loopback.
    let questions = 0;
    const dns = await dnsServer((_name, type) => {
      if (type === 'AAAA') return [];
      questions += 1;
      return questions === 1 ? ['203.0.113.1'] : ['127.0.0.1'];
    });
    const network = {
      resolve: resolveWith([dns.address]),
      isAllowed: (address: string) => address === '203.0.113.1',
    };
    const url = new URL(`http://rebind.example.com:${port}/`);

    await expect(connectTo(url, network, AbortSignal.timeout(300))).rejects.toThrow();

    expect(dns.questions.filter((question) => question.startsWith('A '))).toEqual(['A rebind.example.com']);
    dns.close();
    expect(connections).not.toHaveBeenCalled();
  });

  it('a receiver whose first packet is lost is reached, also if its name has an address that is not', async () => {
    const receiver = await busyReceiver();
    const network = { resolve: async () => ['127.0.0.1', '::1'], isAllowed: () => true };
    const url = new URL(`http://hooks.example.com:${receiver.port}/`);
    const connecting = connectTo(url, network, AbortSignal.timeout(5_000));
    await setImmediate();
    receiver.accept();
    const socket = await connecting.finally(receiver.close);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  }, 15_000);

  it('the address of the connected socket is checked before anything is sent', async () => {
    const received = jest.fn();
    const port = await rawReceiver((socket) => socket.on('data', received).on('end', () => socket.end()));
    // Allows the resolved address, then refuses the connected one.
    const isAllowed = jest.fn(() => false).mockReturnValueOnce(true);
    const network = { resolve: async () => ['127.0.0.1'], isAllowed };
    const url = new URL(`http://hooks.example.com:${port}/`);
    await expect(connectTo(url, network, AbortSignal.timeout(1_000))).rejects.toMatchObject({
      failure: 'address_not_allowed',
    });
    expect(isAllowed).toHaveBeenCalledTimes(2);
    expect(received).not.toHaveBeenCalled();
  });

  it.each(HOSTILE_URLS)('a delivery to $shown is refused: $why', async ({ url }) => {
    const resolve = jest.fn(async () => ['127.0.0.1']);
    const result = await makePost({ development: true, resolve })(url, HEADERS, '{}');
    expect(result).toMatchObject({ status: null, error: 'invalid_url' });
    expect(resolve).not.toHaveBeenCalled();
  });

  it('a delivery to loopback is refused outside development', async () => {
    const port = await receiver();
    const result = await makePost({ development: false, resolve: noNames })(to(port), HEADERS, '{}');
    expect(result).toMatchObject({ status: null, error: 'invalid_url' });
    expect(connections).not.toHaveBeenCalled();
  });

  it('a name that resolves slowly does not delay the others', async () => {
    const timeLimit = new AbortController();
    const dns = await dnsServer((name) => (name.startsWith('slow') ? undefined : ['127.0.0.1']));
    const call = byName(dns.address, { deadline: () => timeLimit.signal });
    const finished: string[] = [];
    const slow = Array.from({ length: 25 }, async (_, n) => {
      const result = await call(`https://slow${n}.example.com/`, HEADERS, '{}');
      finished.push('slow');
      return result;
    });
    const { error } = await call('https://quick.example.com/', HEADERS, '{}');
    finished.push('quick');
    expect(error).toBe('address_not_allowed');
    timeLimit.abort();
    for (const result of await Promise.all(slow)) expect(result.error).toBe('timed_out');
    expect(finished[0]).toBe('quick');
    dns.close();
  });
});
