import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { sleep } from '../../shared/runtime/time.ts';
import { listenHere, originOf } from '../support/loopback.ts';
import { type Snapshot, told } from './snapshot.ts';

/** A server on this machine that the service calls, in the mood that a test gives it. */
abstract class Listener {
  readonly #server = createServer((request, response) => {
    // A caller that is killed breaks its connection off.
    this.answer(request, response).catch(() => response.destroy());
  });

  protected abstract answer(request: IncomingMessage, response: ServerResponse): Promise<void>;

  async open(): Promise<this> {
    await listenHere(this.#server);
    return this;
  }

  get url(): string {
    return `${originOf(this.#server)}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const envelope = z.object({
  id: z.string(),
  type: z.string(),
  data: told.extend({ signature_request_id: z.string() }),
});

export const RECEIVER_MOODS = ['acknowledges', 'refuses', 'hangs'] as const;

/** A client's webhook endpoint. */
export class MoodyReceiver extends Listener {
  readonly deliveries: Snapshot['receivers'][number]['deliveries'] = [];
  mood: (typeof RECEIVER_MOODS)[number] = 'acknowledges';
  readonly #told = new Set<string>();

  wasTold = (type: string, requestId: string): boolean => this.#told.has(`${type} ${requestId}`);

  protected override async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, type, data } = envelope.parse(JSON.parse((await buffer(request)).toString()));
    const { signature_request_id: requestId, ...rest } = data;
    this.#told.add(`${type} ${requestId}`);
    this.deliveries.push({ eventId: id, type, requestId, data: rest });
    if (this.mood !== 'hangs') response.writeHead(this.mood === 'refuses' ? 500 : 200).end();
  }
}

const SLOW_MS = 2_000;
export const AUTHORITY_MOODS = ['answers', 'slow', 'dead'] as const;

/** Stands before the local timestamp authority. */
export class MoodyAuthority extends Listener {
  mood: (typeof AUTHORITY_MOODS)[number] = 'answers';
  readonly #authority: string;

  constructor(authority: string) {
    super();
    this.#authority = authority;
  }

  protected override async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new Uint8Array(await buffer(request));
    if (this.mood === 'dead') {
      response.writeHead(503).end();
      return;
    }
    if (this.mood === 'slow') await sleep(SLOW_MS);
    const answer = await fetch(this.#authority, { method: 'POST', body });
    response.writeHead(answer.status, { 'content-type': 'application/timestamp-reply' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }
}
