import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenHere, originOf } from '../../support/loopback.ts';

/** A fault of one call: before it reaches the service, or with the answer. */
export type Fault =
  | { kind: 'reset'; reaches: boolean }
  | { kind: 'status'; status: number; reaches: boolean; retryAfter?: string }
  | { kind: 'stall'; reaches: boolean }
  | { kind: 'cut' };

/** A service on loopback that passes calls on to the real one, but for those that a fault is set for. */
export class FaultyService {
  /** For the next calls whose path ends so, one each. */
  faults: Fault[] = [];
  path = '/signatures';
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async before(baseUrl: string): Promise<FaultyService> {
    const server = createServer();
    const faulty = new FaultyService(server);
    server.on('request', (request, response) => {
      faulty.#handle(baseUrl, request, response).catch(() => response.destroy());
    });
    await listenHere(server);
    return faulty;
  }

  get url(): string {
    return originOf(this.#server);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(baseUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = request.url?.endsWith(this.path) ? this.faults.shift() : undefined;
    const sent = await buffer(request);
    const reaches = fault === undefined || fault.kind === 'cut' || fault.reaches;
    const answer = reaches ? await passOn(baseUrl, request, sent) : undefined;
    if (fault && fault.kind !== 'cut') return fail(response, fault);
    const body = answer ? Buffer.from(await answer.arrayBuffer()) : Buffer.alloc(0);
    const headers = {
      'content-type': answer?.headers.get('content-type') ?? '',
      'content-length': body.length,
    };
    response.writeHead(answer?.status ?? 500, headers);
    if (!fault) return void response.end(body);
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  }
}

function passOn(baseUrl: string, { method = 'GET', url = '', headers }: IncomingMessage, body: Buffer) {
  const kept = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return fetch(`${baseUrl}${url}`, {
    method,
    headers: Object.fromEntries(kept),
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
}

function fail(response: ServerResponse, fault: Exclude<Fault, { kind: 'cut' }>): void {
  if (fault.kind === 'reset') response.destroy();
  if (fault.kind !== 'status') return;
  const { status, retryAfter } = fault;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter && { 'retry-after': retryAfter }),
  });
  response.end(JSON.stringify({ error: 'a_fault', message: 'A fault was set.' }));
}
