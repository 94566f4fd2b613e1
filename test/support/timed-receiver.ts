import { createServer, type Server } from 'node:http';
import { listenHere, originOf } from './loopback.ts';

/** A receiver that only notes when which event came; it may answer never. */
export class TimedReceiver {
  /** Arrival time of each event by its id; the first one of several. */
  readonly arrivals = new Map<string, number>();
  calls = 0;
  readonly #server: Server;

  private constructor(answers: boolean) {
    this.#server = createServer((request, response) => {
      const id = String(request.headers['webhook-id']);
      this.calls += 1;
      if (!this.arrivals.has(id)) this.arrivals.set(id, performance.now());
      request.resume().on('end', () => answers && response.end());
    });
  }

  static async start({ answers = true } = {}): Promise<TimedReceiver> {
    const receiver = new TimedReceiver(answers);
    await listenHere(receiver.#server);
    return receiver;
  }

  url(path = ''): string {
    return `${originOf(this.#server)}/${path}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
