import { lengthOf, sha256 } from '../../client/src/download.ts';

/** A download that survives broken connections: it keeps what has arrived and requests only the rest. */
export class Download {
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;
  #total = 0;
  #etag: string | null = null;
  /** False once joined parts had a wrong hash, such as behind a proxy that handles ranges wrongly. */
  #mayResume = true;
  /** Whether bytes have arrived since the last check, so that the line works, however slowly. */
  #hasGained = false;

  /** The headers that request the rest. Without an ETag the parts might be of two files. */
  get wanted(): Record<string, string> {
    return this.#mayResume && this.#length > 0 && this.#total && this.#etag
      ? { Range: `bytes=${this.#length}-`, 'If-Range': this.#etag }
      : {};
  }

  takeGain(): boolean {
    const gained = this.#hasGained;
    this.#hasGained = false;
    return gained;
  }

  /** `onBytes` gets the part that has arrived, or null if the length is unknown. */
  async read(response: Response, onBytes: (part: number | null) => void): Promise<Uint8Array<ArrayBuffer>> {
    if (!this.#goesOnWith(response)) this.#begin(response);
    if (response.body) await this.#take(response.body.getReader(), onBytes);
    // A truncated stream ends without an error, so compare the length.
    if (this.#total && this.#length < this.#total) throw new TypeError('The response was cut short.');
    await this.#assertIntact();
    return new Uint8Array(await new Blob(this.#parts).arrayBuffer());
  }

  #goesOnWith(response: Response): boolean {
    if (response.status !== 206) return false;
    const { start, total } =
      /^bytes (?<start>\d+)-\d+\/(?<total>\d+)$/.exec(response.headers.get('content-range') ?? '')?.groups ??
      {};
    if (
      Number(start) === this.#length &&
      Number(total) === this.#total &&
      response.headers.get('etag') === this.#etag
    )
      return true;
    this.#forget();
    throw new TypeError('The rest is of another file.');
  }

  #begin(response: Response) {
    this.#forget();
    this.#etag = response.headers.get('etag');
    this.#total = lengthOf(response);
  }

  #forget() {
    this.#parts = [];
    this.#length = 0;
    this.#etag = null;
  }

  async #take(
    reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
    onBytes: (part: number | null) => void,
  ) {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#parts.push(value);
      this.#length += value.length;
      this.#hasGained = true;
      onBytes(this.#total ? Math.min(this.#length / this.#total, 1) : null);
    }
  }

  /** The service's ETag is the file's SHA-256. */
  async #assertIntact() {
    const [, expected] = /^"([0-9a-f]{64})"$/.exec(this.#etag ?? '') ?? [];
    if (expected === undefined || expected === (await sha256(this.#parts))) return;
    this.#forget();
    this.#mayResume = false;
    throw new DamagedFile('The file differs from the one that was sent.');
  }
}

/** Reports progress in visible steps, not for each network packet. */
export function inSteps(tell: (fraction: number) => void): (fraction: number) => void {
  let told = 0;
  return (fraction) => {
    if (fraction < 1 && Math.abs(fraction - told) < 0.02) return;
    told = fraction;
    tell(fraction);
  };
}

/** All bytes arrived, but their hash is wrong. */
export class DamagedFile extends Error {}
