import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { extensions, issueDemo, pem } from '../../../admin/demo-keys.ts';

const open: (Server | TcpServer)[] = [];

async function listening(server: Server | TcpServer): Promise<number> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts an HTTP receiver on loopback and returns its port. */
export const httpReceiver = (listener: RequestListener) => listening(createServer(listener));

/** Starts a TCP receiver for anything but well-formed HTTP. */
export const rawReceiver = (onConnection: (socket: Socket) => void) =>
  listening(createTcpServer((socket) => onConnection(socket.on('error', () => {}))));

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
    algorithm: 'ecdsa-p256',
    extensions: [extensions.ca()],
  });
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(certificate) };
}
