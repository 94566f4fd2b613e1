import { once } from 'node:events';
import { type Socket, Server as TcpServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { jest } from '@jest/globals';
import { resolveWith } from '../../../shared/webhooks/addresses.ts';
import { connectTo } from '../../../shared/webhooks/connection.ts';
import { makePost } from '../../../shared/webhooks/post.ts';
import { dnsServer } from './dns-server.ts';
import { HOSTILE_URLS } from './hostile-urls.ts';
import { closeReceivers, httpReceiver, httpsReceiver, rawReceiver } from './receivers.ts';

const HEADERS = { 'Content-Type': 'application/json', 'X-Test': 'yes' };
const noNames = async () => [];

/** The product's own client, with a shorter patience where a test waits for its end. */
const post = (timeLimit = 5_000) => makePost({ development: true, resolve: noNames, timeLimit });
const to = (port: number, path = '/') => `http://127.0.0.1:${port}${path}`;

afterEach(closeReceivers);

describe('one attempt', () => {
  it('posts the body as it is and takes 200 for an acknowledgement', async () => {
    const seen: unknown[] = [];
    const port = await httpReceiver(async (request, response) => {
      const chunks = await Array.fromAsync(request);
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.end('thanks');
    });
    const body = '{"title":"Größe 合同"}';

    const result = await post()(to(port, '/hook?a=b'), HEADERS, body);

    expect(result).toEqual({ status: 200, error: null, durationMs: expect.any(Number) });
    expect(seen).toEqual([
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

  it('sends a long body whole', async () => {
    const received: Buffer[] = [];
    const port = await httpReceiver(async (request, response) => {
      received.push(Buffer.concat(await Array.fromAsync(request)));
      response.end();
    });
    const body = 'ä'.repeat(200_000);
    expect(await post()(to(port), HEADERS, body)).toMatchObject({ status: 200 });
    expect(received.map((bytes) => bytes.equals(Buffer.from(body)))).toEqual([true]);
  });

  it.each([201, 202, 204, 400, 404, 410, 429, 500, 503])('takes %d for a failure', async (status) => {
    const port = await httpReceiver((_request, response) => response.writeHead(status).end());
    expect(await post()(to(port), HEADERS, '{}')).toMatchObject({ status, error: 'unexpected_status' });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %d', async (status) => {
    let calls = 0;
    const port = await httpReceiver((_request, response) => {
      calls += 1;
      response.writeHead(status, { Location: '/elsewhere' }).end();
    });
    expect(await post()(to(port), HEADERS, '{}')).toMatchObject({ status, error: 'unexpected_status' });
    expect(calls).toBe(1);
  });

  it('reaches localhost by its name', async () => {
    const port = await httpReceiver((_request, response) => response.end());
    expect(await post()(`http://localhost:${port}/`, HEADERS, '{}')).toMatchObject({ status: 200 });
  });

  it('takes the time for all of it', async () => {
    const port = await httpReceiver((_request, response) => setTimeout(() => response.end(), 120));
    const { durationMs } = await post()(to(port), HEADERS, '{}');
    expect(durationMs).toBeGreaterThanOrEqual(119);
    expect(durationMs).toBeLessThan(2_000);
  });
});

describe('a receiver that misbehaves', () => {
  const hangs: [string, (socket: Socket) => void][] = [
    ['never answers', () => {}],
    ['never ends its headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')],
    [
      'drips its headers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('X-A: b\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ];

  it.each(hangs)('that %s is given up when the time is over', async (_what, onConnection) => {
    const port = await rawReceiver(onConnection);
    const result = await post(300)(to(port), HEADERS, '{}');
    expect(result).toMatchObject({ status: null, error: 'timed_out' });
    expect(result.durationMs).toBeLessThan(1_000);
  });

  it('that drips its body is given up when the time is over, with the status it gave', async () => {
    const port = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const timer = setInterval(() => socket.write('1\r\na\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await post(300)(to(port), HEADERS, '{}')).toMatchObject({ status: 200, error: 'timed_out' });
  });

  it('that sends without end is read up to 64 KB', async () => {
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
    ['closes without a word', '', null, 'connection_closed'],
    ['stops in its headers', 'HTTP/1.1 200 OK\r\nA: b', null, 'connection_closed'],
    ['stops in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal', 200, 'connection_closed'],
    ['speaks something else', 'SSH-2.0-OpenSSH_9.9\r\n', null, 'invalid_answer'],
    ['has endless headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(9_000)}\r\n`, null, 'invalid_answer'],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      null,
      'connection_closed',
    ],
  ])('that %s has failed', async (_what, answer, status, error) => {
    const port = await rawReceiver((socket) => {
      socket.once('data', () => {
        if (answer === 'RESET') socket.resetAndDestroy();
        else socket.end(answer);
      });
    });
    expect(await post()(to(port), HEADERS, '{}')).toMatchObject({ status, error });
  });

  it('that is not there has failed', async () => {
    const server = new TcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    expect(await post()(to(port), HEADERS, '{}')).toMatchObject({ status: null, error: 'connection_failed' });
  });
});

describe('TLS', () => {
  /** https on a port of the test, through a name that leads to loopback: the rules for addresses are set aside. */
  const connect = (port: number, name = 'hooks.example.com') =>
    connectTo(
      new URL(`https://${name}:${port}/`),
      { resolve: async () => ['127.0.0.1'], isAllowed: () => true },
      AbortSignal.timeout(2_000),
    );

  it('is agreed on with a certificate that is valid for the name', async () => {
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

  it('fails for a certificate that nobody vouches for', async () => {
    const { port } = await httpsReceiver('hooks.example.com', (_request, response) => response.end());
    await expect(connect(port)).rejects.toMatchObject({ failure: 'tls_failed' });
  });

  it('fails for a receiver that does not speak it', async () => {
    const port = await rawReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(connect(port)).rejects.toMatchObject({ failure: 'tls_failed' });
  });

  it('fails for a receiver that resets the handshake', async () => {
    const port = await rawReceiver((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await expect(connect(port)).rejects.toMatchObject({ failure: 'tls_failed' });
  });
});

describe('where a name leads', () => {
  const connections = jest.fn();
  beforeEach(() => connections.mockClear());
  const receiver = () => rawReceiver((socket) => socket.destroy(connections() as undefined));

  /** The product's resolver and rules, asking the name server of the test. */
  const byName = (server: string, timeLimit = 2_000) =>
    makePost({ development: true, resolve: resolveWith([server]), timeLimit });

  it.each<[string, string[], string[]]>([
    ['loopback', ['127.0.0.1'], []],
    ['a private address', ['10.1.2.3'], []],
    ['the metadata service', ['169.254.169.254'], []],
    ['both kinds', ['93.184.216.34', '127.0.0.1'], []],
    ['a public IPv4 and a private IPv6 address', ['93.184.216.34'], ['::1']],
    ['an IPv4-mapped address', [], ['::ffff:7f00:1']],
    ['a NAT64 address', [], ['64:ff9b::7f00:1']],
  ])('is refused when it is %s', async (_what, v4, v6) => {
    const dns = await dnsServer((_name, type) => (type === 'A' ? v4 : v6));
    const result = await byName(dns.address)('https://hooks.example.com/', HEADERS, '{}');
    dns.close();
    expect(result).toMatchObject({ status: null, error: 'address_not_allowed' });
  });

  it('is a failure when it is nowhere', async () => {
    const dns = await dnsServer(() => []);
    const result = await byName(dns.address)('https://hooks.example.com/', HEADERS, '{}');
    dns.close();
    expect(result).toMatchObject({ status: null, error: 'dns_failed' });
  });

  it('is a failure when the name server does not answer in time', async () => {
    const dns = await dnsServer(() => undefined);
    const result = await byName(dns.address, 300)('https://hooks.example.com/', HEADERS, '{}');
    dns.close();
    expect(result).toMatchObject({ status: null, error: 'timed_out' });
    expect(result.durationMs).toBeLessThan(1_000);
  });

  it('cannot change between the check and the connection', async () => {
    const port = await receiver();
    // The name is public when it is first asked for, and this machine ever after.
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

    expect(dns.asked.filter((question) => question.startsWith('A '))).toEqual(['A rebind.example.com']);
    dns.close();
    expect(connections).not.toHaveBeenCalled();
  });

  it('is looked at once more on the connected socket, before a byte is sent', async () => {
    const received = jest.fn();
    const port = await rawReceiver((socket) => socket.on('data', received).on('end', () => socket.end()));
    // Says yes when the address is checked and no when the connection is.
    const isAllowed = jest.fn(() => false).mockReturnValueOnce(true);
    const network = { resolve: async () => ['127.0.0.1'], isAllowed };
    const url = new URL(`http://hooks.example.com:${port}/`);
    await expect(connectTo(url, network, AbortSignal.timeout(1_000))).rejects.toMatchObject({
      failure: 'address_not_allowed',
    });
    expect(isAllowed).toHaveBeenCalledTimes(2);
    expect(received).not.toHaveBeenCalled();
  });

  it.each(HOSTILE_URLS)('$shown is not called at delivery either: $why', async ({ url }) => {
    const resolve = jest.fn(async () => ['127.0.0.1']);
    const result = await makePost({ development: true, resolve })(url, HEADERS, '{}');
    expect(result).toMatchObject({ status: null, error: 'invalid_url' });
    expect(resolve).not.toHaveBeenCalled();
  });

  it('is not this machine outside development', async () => {
    const port = await receiver();
    const result = await makePost({ development: false, resolve: noNames })(to(port), HEADERS, '{}');
    expect(result).toMatchObject({ status: null, error: 'invalid_url' });
    expect(connections).not.toHaveBeenCalled();
  });

  it('is asked of a name server that may be slow for one name and quick for another', async () => {
    const dns = await dnsServer((name) => (name.startsWith('slow') ? undefined : ['127.0.0.1']));
    const call = byName(dns.address, 1_000);
    const slow = Array.from({ length: 25 }, (_, n) => call(`https://slow${n}.example.com/`, HEADERS, '{}'));
    const { durationMs, error } = await call('https://quick.example.com/', HEADERS, '{}');
    expect(error).toBe('address_not_allowed');
    expect(durationMs).toBeLessThan(500);
    for (const result of await Promise.all(slow)) expect(result.error).toBe('timed_out');
    dns.close();
  });
});
