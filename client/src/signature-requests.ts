import {
  documentOf,
  type FileInput,
  type LocalFile,
  type ReadPath,
  type UploadedFile,
  uploadFile,
} from './document.ts';
import { type Download, download } from './download.ts';
import { type CallOptions, type Http, inPath } from './http.ts';
import type { List } from './list.ts';
import type {
  AuditEvent,
  CancelledSignatureRequest,
  CorrectedSigner,
  CreatedSignatureRequest,
  DeletedDocument,
  InvitedSigner,
  Locale,
  NewSignatureRequestFields,
  ResentInvitation,
  SignatureRequest,
  SignatureRequestFilter,
  SignatureRequestSummary,
  Signer,
  SignerCorrection,
} from './types.ts';
import { type WaitOptions, waitUntilSealed } from './wait-until-sealed.ts';

export interface NewSignatureRequest extends NewSignatureRequestFields {
  /** The people who are to sign, in any order. */
  signers: InvitedSigner[];
  /** A PDF of at most 10 MB, or the answer of `upload`. */
  file: FileInput;
  /** By default the name of the file or path. */
  filename?: string | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Your own key. Repeating the call within 24 hours, even from another process, returns the first result. */
  idempotencyKey?: string | undefined;
}

/** Selects the form of a file; by default as it was sealed. */
export interface FormOptions extends CallOptions {
  /** With the newest timestamps: the same bytes until an archive first renews them, then a file that begins with them. */
  form?: 'archival' | undefined;
}

export interface DownloadOptions extends FormOptions {
  /** The `document_hash` from a webhook. Without it, the client fetches it. */
  expectedHash?: string | undefined;
}

export class SignatureRequestsResource {
  readonly #http: Http;
  readonly #readPath: ReadPath | undefined;

  constructor(http: Http, readPath?: ReadPath) {
    this.#http = http;
    this.#readPath = readPath;
  }

  /** Creates a request and mails the invitations. Retries never create a second request. */
  create = async (
    { file, filename, ...fields }: NewSignatureRequest,
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<CreatedSignatureRequest> => {
    // A repeated key must have the same body, but every upload has a new id, so the file must be inline.
    const isInline = idempotencyKey !== undefined;
    const document = await documentOf(file, this.#http, this.#readPath, { filename, isInline, ...options });
    return this.#http.json({
      method: 'POST',
      path: '/signatures',
      body: { ...fields, document },
      idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
      ...options,
    });
  };

  /** Uploads a PDF for one request, whose creation can then be repeated with an idempotency key of your own. */
  upload = (file: LocalFile, options: CallOptions = {}): Promise<UploadedFile> =>
    uploadFile(file, this.#http, this.#readPath, options);

  /** Newest first; with `title_prefix`, by title. */
  list = (filter: SignatureRequestFilter = {}, options: CallOptions = {}): List<SignatureRequestSummary> =>
    this.#http.list('/signatures', filter, options);

  /** The whole request, with its signers and audit trail. */
  retrieve = (id: string, options: CallOptions = {}): Promise<SignatureRequest> =>
    this.#http.json({ path: pathOf(id), ...options });

  /** Cancels an open request: its links stop working, and invited signers are told. Not retried after a fault. */
  cancel = (
    id: string,
    { reason }: { reason?: string | null | undefined } = {},
    options: CallOptions = {},
  ): Promise<CancelledSignatureRequest> =>
    this.#http.json({ method: 'POST', path: pathOf(id, 'cancel'), body: { reason }, ...options });

  /** Mails a signer a new code; the earlier one stops working. Not retried after a fault. */
  resend = (
    id: string,
    signerId: string,
    { locale }: { locale?: Locale | undefined } = {},
    options: CallOptions = {},
  ): Promise<ResentInvitation> =>
    this.#http.json({
      method: 'POST',
      path: pathOf(id, 'signers', signerId, 'resend'),
      body: { locale },
      ...options,
    });

  /** Corrects the address or name of a signer who has not signed. They get a new link by mail; the old one stops working. */
  correctSigner = (
    id: string,
    signerId: string,
    correction: SignerCorrection,
    options: CallOptions = {},
  ): Promise<CorrectedSigner> =>
    this.#http.json({
      method: 'PATCH',
      path: pathOf(id, 'signers', signerId),
      body: correction,
      // A second call would mail a second link.
      isRepeatable: false,
      ...options,
    });

  /** All signers by position, with all details. */
  signers = async (id: string, options: CallOptions = {}): Promise<Signer[]> =>
    (await this.#http.json<{ data: Signer[] }>({ path: pathOf(id, 'signers'), ...options })).data;

  /** The audit trail, oldest first. */
  events = (
    id: string,
    page: { limit?: number | undefined; cursor?: string | undefined } = {},
    options: CallOptions = {},
  ): List<AuditEvent> => this.#http.list(pathOf(id, 'events'), page, options);

  /** The sealed PDF, checked against its `document_hash`, or in the archival form against the hash in the response. */
  download = (id: string, { expectedHash, form, ...options }: DownloadOptions = {}): Promise<Download> =>
    download(
      this.#http,
      { path: pathOf(id, 'document'), query: { form } },
      options,
      async ({ headers }) =>
        expectedHash ??
        (form === 'archival'
          ? (/"(\w+)"/.exec(headers.get('etag') ?? '')?.[1] ?? null)
          : (await this.retrieve(id, options)).document_hash),
    );

  /** A sealed PDF that says who signed, when and how. */
  downloadEvidence = (id: string, { form, ...options }: FormOptions = {}): Promise<Download> =>
    download(this.#http, { path: pathOf(id, 'evidence.pdf'), query: { form } }, options);

  /** The events so far, in any status, as an unsigned PDF. */
  downloadAuditTrail = (id: string, options: CallOptions = {}): Promise<Download> =>
    download(this.#http, { path: pathOf(id, 'audit-trail.pdf') }, options);

  /** Deletes the PDFs of an ended request for good; its record and audit trail stay. */
  deleteDocument = (id: string, options: CallOptions = {}): Promise<DeletedDocument> =>
    this.#http.json({ method: 'DELETE', path: pathOf(id, 'document'), ...options });

  /** Polls until the request is sealed. Throws a RequestEndedError if it ends otherwise. */
  waitUntilSealed = (id: string, options: WaitOptions = {}): Promise<SignatureRequest> =>
    waitUntilSealed((signal) => this.retrieve(id, { signal }), options);
}

const pathOf = (...parts: string[]) => `/signatures/${parts.map(inPath).join('/')}`;
