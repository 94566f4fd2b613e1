import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen on a free port of this machine, and returns the port. */
export async function listenHere(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return portOf(server);
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** The address of a web server that listens, without a slash at the end. */
export const originOf = (server: Server): string => `http://127.0.0.1:${portOf(server)}`;
