import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from './cannot-start.ts';

export interface LoopbackServer {
  port: number;
  stop(): Promise<void>;
}

export class PortInUse extends CannotStart {
  override name = 'PortInUse';
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Port 0 takes any free port. */
export async function listen(
  listener: Listener,
  port: number,
  { keepAliveTimeout = 60_000 } = {},
): Promise<LoopbackServer> {
  // Time-outs and header limits are those of API Gateway and CloudFront, so none apply here.
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout, maxHeaderSize: 64 * 1024 },
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

/**
 * Undefined if the body is larger. Rejects if the client disconnects. By events: an iterator costs several times as much, and
 * most bodies are one chunk.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let size = 0;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) resolve(undefined);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else resolve(undefined);
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('error', reject);
  return promise;
}

/** A client that is still sending may miss an early answer: reads the rest of the request first, for at most 2 s. */
export async function drain(request: IncomingMessage): Promise<void> {
  request.resume();
  await Promise.race([
    once(request, 'end'),
    once(request, 'close'),
    wait(2000, undefined, { ref: false }),
  ]).catch(() => {});
}

/** A free port for another process. */
export async function freePort(): Promise<number> {
  const { port, stop } = await listen(() => undefined, 0);
  await stop();
  return port;
}
