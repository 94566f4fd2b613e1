import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { EngineClient } from '../../../local/services/dynamodb/engine-client.ts';
import { listenHere } from '../../support/loopback.ts';

let server: Server;
let client: EngineClient;
let sockets: Socket[];
/** The reaction of the engine to a complete request. */
let onRequest: (socket: Socket, request: string) => unknown;

beforeEach(async () => {
  sockets = [];
  server = createServer((socket) => {
    sockets.push(socket);
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk;
      const [head = '', body] = received.split('\r\n\r\n');
      if (body === undefined || Buffer.byteLength(body) < Number(/content-length: (\d+)/.exec(head)?.[1]))
        return;
      const request = received;
      received = '';
      onRequest(socket, request);
    });
  });
  client = new EngineClient(await listenHere(server));
});
afterEach(async () => {
  client.close();
  server.close();
  await once(server, 'close');
});

const answer = (body: string, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\ndate: now\r\n\r\n${body}`;
const send = async (body = '{}') => {
  const { status, body: answered } = await client.send({ 'x-amz-target': 'Get' }, body);
  return [status, answered.toString()];
};

it('a request has its headers and its body, and one connection serves one call after another', async () => {
  const requests: string[] = [];
  onRequest = (socket, request) => {
    requests.push(request);
    socket.write(answer(`${requests.length}`, '400 Bad Request'));
  };
  expect(await send('"ä"')).toEqual([400, '1']);
  expect(await send()).toEqual([400, '2']);
  expect(requests[0]).toBe(
    'POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 4\r\nx-amz-target: Get\r\n\r\n"ä"',
  );
  expect(sockets).toHaveLength(1);
});

it('an answer that arrives in pieces is read whole', async () => {
  const whole = Buffer.from(answer('sm\u00e4ll\r\n\r\nand not the end'));
  onRequest = async (socket) => {
    for (const byte of whole) {
      socket.write(Uint8Array.of(byte));
      await wait(1);
    }
  };
  expect(await send()).toEqual([200, 'sm\u00e4ll\r\n\r\nand not the end']);
  const large = 'x'.repeat(3_000_000);
  onRequest = (socket) => socket.write(answer(large));
  expect(await send()).toEqual([200, large]);
  onRequest = (socket) => socket.write(answer(''));
  expect(await send()).toEqual([200, '']);
});

it('concurrent calls get the answers to their own requests', async () => {
  onRequest = async (socket, request) => {
    const body = request.split('\r\n\r\n')[1] ?? '';
    await wait(Number(body));
    socket.write(answer(body));
  };
  const answers = await Promise.all(['30', '10', '20'].map(send));
  expect(answers).toEqual([
    [200, '30'],
    [200, '10'],
    [200, '20'],
  ]);
  expect(sockets).toHaveLength(3);
});

it.each([
  ['before its answer', ''],
  ['within its head', 'HTTP/1.1 200 OK\r\ncontent-'],
  ['within its body', answer('whole').slice(0, -1)],
])('a connection that is lost %s fails the call, and the next call has a new one', async (_, part) => {
  onRequest = (socket) => socket.end(part);
  await expect(send()).rejects.toThrow('the connection was closed');
  onRequest = (socket) => socket.write(answer('again'));
  expect(await send()).toEqual([200, 'again']);
});

it('a connection that is lost between calls is not used again', async () => {
  onRequest = (socket) => socket.write(answer('fine'));
  await send();
  sockets[0]?.destroy();
  await wait(20);
  expect(await send()).toEqual([200, 'fine']);
  expect(sockets).toHaveLength(2);
});

it.each([
  ['without a length', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['longer than its length', `${answer('one')}more`],
  ['that is not HTTP', 'pardon?\r\n\r\n'],
])('an answer %s fails the call', async (_, text) => {
  onRequest = (socket) => socket.write(text);
  await expect(send()).rejects.toThrow('the answer is malformed');
});

it('closing a client fails its running calls', async () => {
  onRequest = () => client.close();
  await expect(send()).rejects.toThrow('the connection was closed');
});
