import { SignatureRequestsError } from './errors.ts';
import { asError, type CallOptions, type Http } from './http.ts';
import { withinTime } from './time.ts';

/** `Uint8Array<ArrayBuffer>`, which `Response` and `Blob` need, written so that older TypeScript versions accept it. */
type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

/** A PDF that is being downloaded. Read it once: as a stream, or as bytes. */
export interface Download {
  /** Fails if the connection breaks, or if the document does not match its hash. */
  readonly stream: ReadableStream<Uint8Array>;
  /** `onProgress` gets the part that has arrived, from 0 to 1, if the response states its length. */
  bytes(onProgress?: (part: number) => void): Promise<Bytes>;
}

/** Opens a PDF. `expectedHash` is called once all bytes have arrived. */
export async function download(
  http: Http,
  { path, query }: { path: string; query?: object },
  options: CallOptions,
  expectedHash?: (answer: Response) => Promise<string | null>,
): Promise<Download> {
  const answer = await http.open({ path, ...(query && { query }), ...options });
  const reader = (answer.body ?? new Blob().stream()).getReader();
  // All chunks are kept, because WebCrypto has no incremental digest; a sealed PDF has about 11 MB at most.
  const seen: Uint8Array<ArrayBuffer>[] = [];
  const length = lengthOf(answer);
  let arrived = 0;

  const read = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await withinTime(http.limitMs(options), options.signal, () => reader.read());
    if (!done) {
      arrived += value.length;
      if (expectedHash) seen.push(value.slice());
      controller.enqueue(value);
      return;
    }
    // A streamed response whose function fails can end like a whole one, since API Gateway renames its length.
    if (arrived < length)
      throw new SignatureRequestsError(
        'connection_failed',
        `The connection to the service broke: ${arrived} of ${length} bytes arrived.`,
      );
    if (expectedHash && (await expectedHash(answer)) !== (await sha256(seen)))
      throw new SignatureRequestsError(
        'document_altered',
        'The PDF does not match its hash; download it again.',
      );
    controller.close();
  };
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) =>
      read(controller).catch((thrown: unknown) => {
        reader.cancel(thrown).catch(() => undefined);
        options.signal?.throwIfAborted();
        throw asError(thrown);
      }),
    cancel: (reason) => reader.cancel(reason),
  });
  return { stream, bytes: (onProgress) => bytesOf(stream, length, onProgress) };
}

/** Zero if the length is unknown or that of compressed bytes. */
export const lengthOf = ({ headers }: Response): number =>
  headers.has('content-encoding')
    ? 0
    : Number(headers.get('content-length') ?? headers.get('x-amzn-remapped-content-length'));

/** Uses a reader: Chromium replaces the error of the stream if a `Response` reads it. */
async function bytesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  length: number,
  onProgress?: (part: number) => void,
): Promise<Bytes> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let arrived = 0;
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    arrived += read.value.length;
    if (length) onProgress?.(arrived / length);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

export async function sha256(chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await new Blob([...chunks]).arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
