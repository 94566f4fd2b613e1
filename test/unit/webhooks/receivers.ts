import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { extensions, issueDemo, pem } from '../../support/demo-keys.ts';
import { listenHere } from '../../support/loopback.ts';

const open: (Server | TcpServer)[] = [];

async function listening(server: Server | TcpServer): Promise<number> {
  open.push(server);
  return listenHere(server);
}

/** Starts an HTTP receiver on loopback and returns its port. */
export const httpReceiver = (listener: RequestListener) => listening(createServer(listener));

/** Starts a TCP receiver for anything but well-formed HTTP. */
export const rawReceiver = (onConnection: (socket: Socket) => void) =>
  listening(createTcpServer((socket) => onConnection(socket.on('error', () => {}))));

/** Listens in a thread that accepts nothing until it is told, with room for two connections. */
const DEAF = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:http').createServer((request, response) => response.end());
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });
`;

/**
 * Starts an HTTP receiver whose queue of connections is full: the system drops the first packet of a further one, and the
 * client's sends it again after a second.
 */
export async function busyReceiver() {
  const told = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(DEAF, { eval: true, workerData: told });
  const [port] = (await once(worker, 'message')) as [number];
  const waiting = await Promise.all(
    [1, 2].map(async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      return socket;
    }),
  );
  return {
    port,
    accept: () => {
      Atomics.store(told, 0, 1);
      Atomics.notify(told, 0);
    },
    close: async () => {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    },
  };
}

/** Starts an HTTPS receiver with a self-signed certificate for `name`. */
export async function httpsReceiver(name: string, listener: RequestListener) {
  const pair = pairs.get(name) ?? selfSigned(name);
  pairs.set(name, pair);
  return { port: await listening(createSecureServer(pair, listener)), certificate: pair.cert };
}

export function closeReceivers(): void {
  for (const server of open.splice(0)) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
}

/** Cached for each name, so that a test can trust a certificate before it connects. */
const pairs = new Map<string, { key: string; cert: string }>();

function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, certificate } = issueDemo({
    commonName: name,
    now: new Date(),
    years: 1,
    extensions: [extensions.ca()],
  });
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(certificate) };
}
