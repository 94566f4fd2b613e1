/** Passes a streamed answer on: metadata as JSON, eight NUL bytes, then the body piece by piece. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { readStreamHead } from './proxyResult.ts';

const separator = Buffer.alloc(8);
const maxMetadataBytes = 64 * 1024;

export class StreamedAnswer {
  readonly #response: ServerResponse;
  readonly #writeHead: (status: number, headers: [string, string][]) => void;
  #metadata = Buffer.alloc(0);
  #started = false;
  /** Set where the function's pieces are no answer, or come too late. */
  #refused = false;

  constructor(response: ServerResponse, writeHead: (status: number, headers: [string, string][]) => void) {
    this.#response = response;
    this.#writeHead = writeHead;
  }

  get started(): boolean {
    return this.#started;
  }

  refuse(): void {
    this.#refused = true;
  }

  readonly take = async (chunk: Uint8Array): Promise<void> => {
    if (this.#refused) return;
    if (this.#started) return this.#write(chunk);
    this.#metadata = Buffer.concat([this.#metadata, chunk]);
    const end = this.#metadata.indexOf(separator);
    if (end < 0 && this.#metadata.length < maxMetadataBytes) return;
    const head = end < 0 ? undefined : readStreamHead(this.#metadata.subarray(0, end));
    if (!head) {
      this.refuse();
      return;
    }
    this.#started = true;
    this.#writeHead(head.status, head.headers);
    await this.#write(this.#metadata.subarray(end + separator.length));
  };

  /** A client that has gone does not hold the function up: what it still says is dropped. */
  async #write(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0 || this.#response.destroyed || this.#response.write(chunk)) return;
    await Promise.race([once(this.#response, 'drain'), once(this.#response, 'close')]);
  }
}
