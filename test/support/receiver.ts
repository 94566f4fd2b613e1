import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { listenHere, originOf } from './loopback.ts';

interface Envelope {
  id: string;
  type: string;
  created_at: string;
  data: Record<string, unknown>;
}

export interface Delivery {
  headers: IncomingHttpHeaders;
  raw: string;
  envelope: Envelope;
}

/** A client's webhook endpoint on loopback that keeps all it is sent. */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  /** The status that it answers; 200 acknowledges. */
  status = 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        receiver.deliveries.push({ headers: request.headers, raw, envelope: JSON.parse(raw) });
        response.writeHead(receiver.status).end();
      });
    });
    await listenHere(server);
    return receiver;
  }

  get url(): string {
    return `${originOf(this.#server)}/hook`;
  }

  eventsOf = (requestId: string): Envelope[] =>
    this.deliveries
      .map(({ envelope }) => envelope)
      .filter(({ data }) => data.signature_request_id === requestId);

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
