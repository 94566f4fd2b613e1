import { SignatureRequestsError } from './errors.ts';
import type { CallOptions, Http } from './http.ts';
import type { UploadForm } from './types.ts';

/** Paths work on Node, Deno and Bun. */
export type LocalFile = Blob | Uint8Array | ArrayBuffer | { path: string };
/** A file, or the result of an upload. */
export type FileInput = LocalFile | Pick<UploadedFile, 'upload_id' | 'filename'>;

/** A file in the service's storage. It can be used for one request, until it expires. */
export interface UploadedFile {
  upload_id: string;
  filename?: string | undefined;
  expires_at: string;
}

export type ReadPath = (path: string) => Promise<Blob>;

export interface Document {
  filename?: string;
  content_base64?: string;
  upload_id?: string;
}

/** Larger files are uploaded: as base64, bodies above this size take a slower path. */
export const MAX_INLINE_BYTES = 4_000_000;

interface DocumentOptions extends CallOptions {
  filename?: string | undefined;
  isInline: boolean;
}

/** The document member of a create: the file itself, or the id of its upload. */
export async function documentOf(
  file: FileInput,
  http: Http,
  readPath: ReadPath | undefined,
  { filename, isInline, ...options }: DocumentOptions,
): Promise<Document> {
  if (has(file, 'upload_id')) return named(filename ?? file.filename, { upload_id: file.upload_id });
  const blob = await blobOf(file, readPath);
  const name = filename ?? nameOf(file, blob);
  if (isInline || blob.size <= MAX_INLINE_BYTES)
    return named(name, { content_base64: base64(new Uint8Array(await blob.arrayBuffer())) });
  const { upload_id } = await uploadBlob(blob, http, options);
  return named(name, { upload_id });
}

const named = (filename: string | undefined, content: Omit<Document, 'filename'>): Document => ({
  ...(filename && { filename }),
  ...content,
});

/** Sends a file to storage ahead of the request that uses it. */
export async function uploadFile(
  file: LocalFile,
  http: Http,
  readPath: ReadPath | undefined,
  options: CallOptions,
): Promise<UploadedFile> {
  const blob = await blobOf(file, readPath);
  const { upload_id, expires_at } = await uploadBlob(blob, http, options);
  return { upload_id, filename: nameOf(file, blob), expires_at };
}

function blobOf(file: LocalFile, readPath: ReadPath | undefined): Blob | Promise<Blob> {
  if (file instanceof Blob) return file;
  if (has(file, 'byteLength')) return new Blob([file as ArrayBuffer]);
  // A Blob of anything else would hold its string form, such as "[object ReadableStream]".
  if (!has(file, 'path') || typeof file.path !== 'string')
    throw new TypeError(
      '`file` must be a Blob (read a stream into one), bytes, { path } or the answer of `upload`.',
    );
  if (readPath) return readPath(file.path);
  throw new SignatureRequestsError(
    'path_unsupported',
    'There are no paths here. Give `file` as a Blob or bytes.',
  );
}

const has = <Name extends string>(file: unknown, name: Name): file is Record<Name, unknown> =>
  typeof file === 'object' && file !== null && name in file;

const nameOf = (file: LocalFile, blob: Blob): string | undefined =>
  'path' in file ? file.path.split(/[/\\]/).at(-1) : blob instanceof File ? blob.name : undefined;

async function uploadBlob(blob: Blob, http: Http, options: CallOptions): Promise<UploadForm> {
  // An unused form expires, so a second one does no harm.
  const form = await http.json<UploadForm>({
    method: 'POST',
    path: '/uploads',
    isRepeatable: true,
    ...options,
  });
  if (blob.size > form.max_bytes)
    throw new SignatureRequestsError('document_too_large', `The PDF is larger than ${form.max_bytes} bytes.`);
  const body = new FormData();
  for (const [name, value] of Object.entries(form.fields)) body.append(name, value);
  // Storage ignores fields after the file.
  body.append('file', blob);
  await http.postForm(form.url, body, options);
  return form;
}

const CHUNK = 0x8000;

/** In chunks, because the number of arguments of a function is limited. */
function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
