/**
 * A minimal HTTP client for the engine, which runs on this machine and always sends a Content-Length. Node's own client takes four
 * times the processor time: in most calls, more than everything else here.
 */
import { connect } from 'node:net';

export interface EngineAnswer {
  status: number;
  body: Buffer;
}

export class EngineClient {
  readonly #port: number;
  readonly #open = new Set<Connection>();
  /** The last used one is reused first, so that few stay in use. */
  readonly #idle: Connection[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  async send(headers: Record<string, string>, body: string | Uint8Array): Promise<EngineAnswer> {
    const connection = this.#idle.pop() ?? this.#connect();
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    let head = `POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${bytes.length}\r\n`;
    for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
    const answer = await connection.exchange(Buffer.concat([Buffer.from(`${head}\r\n`), bytes]));
    if (this.#open.has(connection)) this.#idle.push(connection);
    return answer;
  }

  close(): void {
    for (const connection of this.#open) connection.destroy();
  }

  #connect(): Connection {
    const connection = new Connection(this.#port, () => {
      this.#open.delete(connection);
      const at = this.#idle.indexOf(connection);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    this.#open.add(connection);
    return connection;
  }
}

const HEAD_END = '\r\n\r\n';
const ANSWER_HEAD = /^HTTP\/1\.1 (\d{3})\b.*\r\ncontent-length: *(\d+)(?:\r\n|$)/is;

/** Carries one exchange at a time. */
class Connection {
  readonly #socket;
  #exchange: PromiseWithResolvers<EngineAnswer> | undefined;
  #received: Buffer[] = [];
  /** The bytes still missing, as far as known. */
  #missing = 0;

  constructor(port: number, onClose: () => void) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    let failure = new Error('the connection was closed');
    this.#socket.on('error', (error) => {
      failure = error;
    });
    this.#socket.on('close', () => {
      onClose();
      this.#exchange?.reject(failure);
    });
  }

  exchange(request: Buffer): Promise<EngineAnswer> {
    this.#exchange = Promise.withResolvers();
    this.#socket.write(request);
    return this.#exchange.promise;
  }

  destroy = (error?: Error): unknown => this.#socket.destroy(error);

  #receive(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#missing -= chunk.length;
    if (this.#missing > 0) return;
    const bytes = this.#received.length === 1 ? chunk : Buffer.concat(this.#received);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) {
      this.#received = [bytes];
      return;
    }
    const [, status, length] = ANSWER_HEAD.exec(bytes.toString('latin1', 0, headEnd)) ?? [];
    const bodyStart = headEnd + HEAD_END.length;
    this.#missing = bodyStart + Number(length) - bytes.length;
    if (this.#missing > 0) {
      this.#received = [bytes];
      return;
    }
    // An answer without a length, longer than its length, or to no request: nothing after it can be read.
    if (this.#missing !== 0 || !this.#exchange) {
      this.destroy(new Error('the answer is malformed'));
      return;
    }
    this.#received = [];
    this.#exchange.resolve({ status: Number(status), body: bytes.subarray(bodyStart) });
    this.#exchange = undefined;
  }
}
