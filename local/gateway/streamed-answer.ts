/** Passes a streamed answer on: JSON metadata, eight NUL bytes, then the body in chunks. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { readStreamHead, type StreamHead } from './proxy-result.ts';

const SEPARATOR = Buffer.alloc(8);
const MAX_METADATA_BYTES = 64 * 1024;

export class StreamedAnswer {
  readonly #response: ServerResponse;
  readonly #writeHead: (status: number, headers: [string, string][]) => void;
  #metadata = Buffer.alloc(0);
  started = false;
  /** Set if the chunks are malformed or too late. */
  refused = false;

  constructor(response: ServerResponse, writeHead: (status: number, headers: [string, string][]) => void) {
    this.#response = response;
    this.#writeHead = writeHead;
  }

  readonly onChunk = async (chunk: Uint8Array): Promise<void> => {
    if (this.refused) return;
    if (this.started) return this.#write(chunk);
    this.#metadata = Buffer.concat([this.#metadata, chunk]);
    const end = this.#metadata.indexOf(SEPARATOR);
    if (end < 0 && this.#metadata.length < MAX_METADATA_BYTES) return;
    const head = end < 0 ? undefined : readStreamHead(this.#metadata.subarray(0, end));
    this.started = head !== undefined && this.#start(head);
    this.refused = !this.started;
    if (this.started) await this.#write(this.#metadata.subarray(end + SEPARATOR.length));
  };

  /** False if Node refuses a header, such as one with a line break. */
  #start({ status, headers }: StreamHead): boolean {
    try {
      this.#writeHead(status, headers);
      return true;
    } catch {
      return false;
    }
  }

  /** Drops the rest of the answer if the client has disconnected. */
  async #write(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0 || this.#response.destroyed || this.#response.write(chunk)) return;
    await Promise.race([once(this.#response, 'drain'), once(this.#response, 'close')]);
  }
}
