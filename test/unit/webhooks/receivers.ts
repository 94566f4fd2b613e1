import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import forge from 'node-forge';

const open: (Server | TcpServer)[] = [];

async function listening(server: Server | TcpServer): Promise<number> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** An HTTP receiver on loopback; gives its port. */
export const httpReceiver = (listener: RequestListener) => listening(createServer(listener));

/** Whatever speaks on a bare connection. */
export const rawReceiver = (onConnection: (socket: Socket) => void) =>
  listening(createTcpServer((socket) => onConnection(socket.on('error', () => {}))));

/** An HTTPS receiver whose certificate names `name`, signed by itself. */
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

/** Made once for each name: it takes a while. */
const pairs = new Map<string, { key: string; cert: string }>();

function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  const subject = [{ name: 'commonName', value: name }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) };
}
