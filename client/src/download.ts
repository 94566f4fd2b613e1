import { SignatureRequestsError } from './errors.ts';
import { asError, type CallOptions, type Http } from './http.ts';
import { withinTime } from './time.ts';

/** With an ArrayBuffer, as `Response` and `Blob` ask for; older versions of TypeScript have no way to write that. */
type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

/** A PDF on its way. Read it once: as a stream, or whole. */
export interface Download {
  /** Ends with an error if the connection breaks, or if the document does not match its hash. */
  readonly stream: ReadableStream<Uint8Array>;
  /** `onProgress` is told which part of them is there, from 0 to 1, unless the answer keeps its length to itself. */
  bytes(onProgress?: (part: number) => void): Promise<Bytes>;
}

/** Opens a PDF. `expectedHash` is asked for when all bytes are there: a document that answers has a hash. */
export async function download(
  http: Http,
  { path, query }: { path: string; query?: object },
  options: CallOptions,
  expectedHash?: (answer: Response) => Promise<string | null>,
): Promise<Download> {
  const answer = await http.open({ path, ...(query && { query }), ...options });
  const reader = (answer.body ?? new Blob().stream()).getReader();
  // Kept to the end, since WebCrypto has no running digest; a sealed PDF has some 11 MB at most.
  const seen: Uint8Array<ArrayBuffer>[] = [];

  const read = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await withinTime(http.idleMs(options), options.signal, () => reader.read());
    if (!done) {
      if (expectedHash) seen.push(value.slice());
      controller.enqueue(value);
      return;
    }
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
  return { stream, bytes: (onProgress) => bytesOf(stream, lengthOf(answer), onProgress) };
}

/** Zero if it is not told, or told of the compressed bytes. API Gateway renames the header where it streams an answer. */
const lengthOf = ({ headers }: Response): number =>
  headers.has('content-encoding')
    ? 0
    : Number(headers.get('content-length') ?? headers.get('x-amzn-remapped-content-length'));

/** By a reader: Chromium ends a `Response` made of the stream with an error of its own. */
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

async function sha256(chunks: Uint8Array<ArrayBuffer>[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await new Blob(chunks).arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
