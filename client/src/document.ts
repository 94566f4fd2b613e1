import { SignatureRequestsError } from './errors.ts';
import type { CallOptions, Http } from './http.ts';
import type { UploadForm } from './types.ts';

/** A path is read on Node, Deno and Bun. */
export type FileInput = Blob | Uint8Array | ArrayBuffer | { path: string };

export type ReadPath = (path: string) => Promise<Blob>;

export interface Document {
  filename?: string;
  content_base64?: string;
  upload_id?: string;
}

/** Larger files are uploaded: as base64 they would come near the size at which bodies take a slower way. */
const MAX_INLINE_BYTES = 4_000_000;

export interface DocumentOptions extends CallOptions {
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
  const blob = await blobOf(file, readPath);
  const name = filename ?? nameOf(file, blob);
  const content =
    isInline || blob.size <= MAX_INLINE_BYTES
      ? { content_base64: base64(new Uint8Array(await blob.arrayBuffer())) }
      : { upload_id: await upload(blob, http, options) };
  return { ...(name && { filename: name }), ...content };
}

function blobOf(file: FileInput, readPath: ReadPath | undefined): Blob | Promise<Blob> {
  if (file instanceof Blob) return file;
  if (!('path' in file)) return new Blob([file as ArrayBuffer]);
  if (readPath) return readPath(file.path);
  throw new SignatureRequestsError(
    'path_unsupported',
    'There are no paths here. Give `file` as a Blob or bytes.',
  );
}

const nameOf = (file: FileInput, blob: Blob): string | undefined =>
  'path' in file ? file.path.split(/[/\\]/).at(-1) : blob instanceof File ? blob.name : undefined;

async function upload(blob: Blob, http: Http, options: CallOptions): Promise<string> {
  // A form that nobody uses expires, so asking twice does no harm.
  const { upload_id, url, fields, max_bytes } = await http.json<UploadForm>({
    method: 'POST',
    path: '/uploads',
    isRepeatable: true,
    ...options,
  });
  if (blob.size > max_bytes)
    throw new SignatureRequestsError('document_too_large', `The PDF is larger than ${max_bytes} bytes.`);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  // Storage ignores fields after the file.
  form.append('file', blob);
  await http.postForm(url, form, options);
  return upload_id;
}

const CHUNK = 0x8000;

/** In chunks, since a function takes only so many arguments. */
function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
