import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on the loopback address. */
export interface LoopbackServer {
  port: number;
  stop(): Promise<void>;
}

export class PortInUse extends Error {
  override name = 'PortInUse';
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Port 0 takes any free port. */
export async function listen(listener: Listener, port: number): Promise<LoopbackServer> {
  // Time-outs and header limits are those of API Gateway and CloudFront, so none apply here.
  const server: Server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 60_000, maxHeaderSize: 64 * 1024 },
    async (request, response) => {
      try {
        await listener(request, response);
      } catch (error) {
        // A failing request must not stop the whole local cloud.
        console.error(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      }
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new PortInUse(`Port ${port} is in use. Choose another with --port.`)
          : error,
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    stop: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** A free port for another process. */
export async function freePort(): Promise<number> {
  const { port, stop } = await listen(() => undefined, 0);
  await stop();
  return port;
}
