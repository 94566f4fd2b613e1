import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import type * as z from 'zod';
import { PAGE_POLICY } from '../../infra/edge/policies.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { ERRORS, type ErrorCode } from '../../shared/contract/errors.ts';
import * as signing from '../../shared/contract/signing.ts';
import { CONSENT_TEXTS } from '../../shared/texts/languages.ts';
import { listenHere, portOf } from './loopback.ts';

type RequestView = z.infer<typeof signing.requestView>;
type SignBody = z.infer<typeof signing.sign.body>;

export const TOKEN = 'tokenTokenTokenTokenTokenTokenTokenTokenTok';
export const COPY_TOKEN = 'copyCopyCopyCopyCopyCopyCopyCopyCopyCopyCop';
export const CODE = '246810';

const WEB = join(import.meta.dirname, '../../build/web');
const ENDPOINTS: Endpoint[] = Object.values(signing).filter((value) => 'path' in value);

/** The page must work under these headers, which the service sends too. */
const PAGE_HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
};

interface Answer {
  status: number;
  body: Record<string, unknown> | Uint8Array;
  headers?: Record<string, string>;
}

interface Stop {
  bytes: number;
  broken: Promise<void>;
}

interface RecordedCall {
  path: string;
  body: unknown;
  range: string | undefined;
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

function exampleView(document: Uint8Array): RequestView {
  return {
    request: {
      id: '8d5b2a52-6e0f-4f0d-9a50-0f8d3a1f7f10',
      title: 'Lease agreement for Kalevankatu 12 B 7',
      message:
        'Hello Aino,\n\nhere is the lease as agreed on the phone. Please sign it before the keys are handed over.',
      sender_name: 'Kotilinna Oy',
      status: 'opened',
      expires_at: inMinutes(60 * 24 * 28),
      return_url: null,
    },
    signer: {
      id: '3c0c4d0e-58a0-4a39-8a0f-1c5d7f7c9a11',
      name: 'Aino Virtanen',
      email: 'aino.virtanen@example.com',
      status: 'opened',
      locale: 'en',
      representing_as_invited: null,
    },
    others: { total: 0, signed: 0 },
    document: {
      filename: 'Lease agreement.pdf',
      size: document.length,
      sha256: hash('sha256', document),
    },
    consent: { version: '1', locale: 'en', text: CONSENT_TEXTS.en },
  };
}

/** The signing API for one signer, in memory. Tests can make its next calls fail, hang or lose the connection. */
export class FakeSignerApi {
  readonly #server: Server;
  document: Uint8Array;
  view: RequestView;
  linkStatus: z.input<typeof signing.openLink.answer>;
  sessionOpen = false;
  code = CODE;
  sealed: Uint8Array = new TextEncoder().encode('%PDF-1.7 sealed');
  evidence: Uint8Array = new TextEncoder().encode('%PDF-1.7 evidence');
  copy: z.infer<typeof signing.getCopy.answer> = {
    title: 'Lease agreement for Kalevankatu 12 B 7',
    sender_name: 'Kotilinna Oy',
    filename: 'Lease agreement.pdf',
    locale: 'en',
    available_until: inMinutes(60 * 24 * 7),
    evidence: true,
  };
  /** The status of the request after the last signature. */
  afterSigning: RequestView['request']['status'] = 'awaiting_stamp';
  readonly calls: RecordedCall[] = [];
  readonly signatures: SignBody[] = [];
  readonly #planned = new Map<string, (Answer | 'drop')[]>();
  /** The byte at which the next answers of a path stop. */
  readonly #stops = new Map<string, Stop[]>();
  readonly #held = new Map<string, Promise<void>>();

  private constructor(server: Server, document: Uint8Array) {
    this.#server = server;
    this.document = document;
    this.view = exampleView(document);
    this.linkStatus = {
      signer_status: 'opened',
      locale: 'en',
      code_expires_at: inMinutes(9),
      attempts_left: 5,
      locked_until: null,
      code_entry_ended: false,
    };
  }

  static async start(document: Uint8Array): Promise<FakeSignerApi> {
    const server = createServer();
    // A browser repeats a call that fails on a reused connection, so every call gets a connection of its own.
    server.maxRequestsPerSocket = 1;
    const fake = new FakeSignerApi(server, document);
    server.on('request', (request, response) => {
      fake.#serve(request, response).catch(() => response.destroy());
    });
    await listenHere(server);
    return fake;
  }

  get #signingPage() {
    return `http://localhost:${portOf(this.#server)}/sign`;
  }

  get link() {
    return `${this.#signingPage}/${TOKEN}`;
  }

  get copyLink() {
    return `${this.#signingPage}/copy#${COPY_TOKEN}`;
  }

  stop() {
    this.#server.closeAllConnections();
    return new Promise((closed) => this.#server.close(closed));
  }

  setDocument(document: Uint8Array) {
    this.document = document;
    this.view.document.size = document.length;
    this.view.document.sha256 = hash('sha256', document);
  }

  /** The next call of this path gets this error. */
  failNext(path: string, error: ErrorCode, more: Record<string, unknown> = {}, headers = {}) {
    this.#plan(path, { ...refusal(error, more), headers });
  }

  answerNext(path: string, answer: Answer) {
    this.#plan(path, answer);
  }

  /** The next calls of this path lose their connection. */
  dropNext(path: string, times = 1) {
    for (let i = 0; i < times; i++) this.#plan(path, 'drop');
  }

  /** The next answer of this path stops after so many bytes, and breaks off when the returned function is called. */
  stopNext(path: string, bytes: number): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stops.set(path, [...(this.#stops.get(path) ?? []), { bytes, broken: promise }]);
    return resolve;
  }

  /** Makes calls of this path wait until the returned function is called. */
  hold(path: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.set(path, promise);
    return () => {
      this.#held.delete(path);
      resolve();
    };
  }

  callsOf(path: string) {
    return this.calls.filter((call) => call.path === path);
  }

  #plan(path: string, answer: Answer | 'drop') {
    this.#planned.set(path, [...(this.#planned.get(path) ?? []), answer]);
  }

  async #serve(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.startsWith('/api/signing/v1')) return this.#serveApi(pathname, request, response);
    await serveFile(pathname, request, response);
  }

  async #serveApi(pathname: string, request: IncomingMessage, response: ServerResponse) {
    const path = pathname.slice('/api/signing/v1'.length);
    const endpoint = ENDPOINTS.find((known) => known.path === pathname && known.method === request.method);
    const body = await bodyOf(request);
    this.calls.push({ path, body, range: request.headers.range });
    await this.#held.get(path);
    const planned = this.#planned.get(path)?.shift();
    if (planned === 'drop') return void response.destroy();
    const answer = planned ?? this.#answerTo(path, endpoint, body, request);
    if (!planned && answer.status === 200 && endpoint && typeof endpoint.answer !== 'string')
      endpoint.answer.parse(answer.body);
    send(response, restOf(answer, request), this.#stops.get(path)?.shift());
  }

  #answerTo(path: string, endpoint: Endpoint | undefined, body: unknown, request: IncomingMessage): Answer {
    const hasCopyToken = request.headers['x-copy-token'] === COPY_TOKEN;
    if (!endpoint || (!hasCopyToken && request.headers['x-signing-token'] !== TOKEN))
      return refusal('not_found');
    if (
      !hasCopyToken &&
      endpoint.access !== 'signing_link' &&
      !(this.sessionOpen && request.headers.cookie?.includes('session=yes'))
    ) {
      return refusal('verification_required');
    }
    const parsed = endpoint.body?.safeParse(body ?? {});
    if (parsed && !parsed.success) {
      const [code] = (parsed.error.issues[0]?.message ?? '').split('|');
      return refusal((code as ErrorCode | undefined) ?? 'invalid_request');
    }
    return this.#act(path, parsed?.data);
  }

  #act(path: string, body: unknown): Answer {
    switch (path) {
      case '/open':
        return ok(this.linkStatus);
      case '/code':
        this.linkStatus = {
          ...this.linkStatus,
          code_expires_at: inMinutes(10),
          attempts_left: 5,
          locked_until: null,
        };
        return ok({ sent: true, code_expires_at: inMinutes(10), next_code_at: inMinutes(0.5) });
      case '/verify':
        return this.#verify((body as z.infer<typeof signing.verifyCode.body>).code);
      case '/request':
        return ok(this.view);
      case '/copy':
        return ok(this.copy);
      case '/document':
        return { status: 200, body: this.document, headers: { 'content-type': 'application/pdf' } };
      case '/sign':
        return this.#sign(body as SignBody);
      case '/decline':
        return ok({ status: 'declined', declined_at: inMinutes(0), sender_notified: true });
      default:
        return this.view.request.status === 'signed'
          ? {
              status: 200,
              body: path === '/evidence' ? this.evidence : this.sealed,
              headers: { 'content-type': 'application/pdf' },
            }
          : refusal('not_yet_signed');
    }
  }

  #verify(code: string): Answer {
    if (this.linkStatus.locked_until) return this.#locked(this.linkStatus.locked_until);
    if (code === this.code) {
      this.sessionOpen = true;
      return {
        ...ok(this.view),
        headers: { 'set-cookie': 'session=yes; HttpOnly; SameSite=Strict; Path=/' },
      };
    }
    this.linkStatus.attempts_left--;
    if (this.linkStatus.attempts_left > 0) {
      return refusal('wrong_code', { attempts_left: this.linkStatus.attempts_left });
    }
    this.linkStatus = { ...this.linkStatus, locked_until: inMinutes(15), code_expires_at: null };
    return this.#locked(this.linkStatus.locked_until ?? '');
  }

  #locked(until: string): Answer {
    return { ...refusal('locked', { locked_until: until }), headers: { 'retry-after': '900' } };
  }

  #sign(body: SignBody): Answer {
    if (body.document_sha256 !== this.view.document.sha256) return refusal('document_mismatch');
    if (body.consent_version !== this.view.consent.version) return refusal('consent_outdated');
    this.signatures.push(body);
    const remaining = this.view.others.total - this.view.others.signed;
    this.view.signer.status = 'signed';
    this.linkStatus.signer_status = 'signed';
    if (remaining === 0) this.view.request.status = this.afterSigning;
    return ok({
      status: 'signed',
      signed_at: inMinutes(0),
      remaining_pending_signers: remaining,
      request_status: this.view.request.status,
    });
  }
}

const ok = (body: Record<string, unknown>): Answer => ({ status: 200, body });
const refusal = (error: ErrorCode, more: Record<string, unknown> = {}): Answer => ({
  status: ERRORS[error][0],
  body: { error, message: ERRORS[error][1], ...more },
});

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString();
  return text === '' ? undefined : JSON.parse(text);
}

/** Answers a file as the service does: with its hash, and only the rest of it where that is asked for. */
function restOf(answer: Answer, { headers }: IncomingMessage): Answer {
  const { status, body } = answer;
  if (status !== 200 || !(body instanceof Uint8Array)) return answer;
  const etag = `"${hash('sha256', body)}"`;
  const whole = { ...answer, headers: { etag, ...answer.headers } };
  const [, start] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
  if (start === undefined || headers['if-range'] !== etag) return whole;
  const range = `bytes ${start}-${body.length - 1}/${body.length}`;
  return {
    status: 206,
    body: body.subarray(Number(start)),
    headers: { ...whole.headers, 'content-range': range },
  };
}

function send(response: ServerResponse, { status, body, headers }: Answer, stop?: Stop): void {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...headers,
  });
  if (!stop) return void response.end(bytes);
  response.write(bytes.subarray(0, stop.bytes));
  void stop.broken.then(() => response.destroy());
}

/** Compresses as the distribution does. */
async function serveFile(pathname: string, request: IncomingMessage, response: ServerResponse) {
  const file = /^\/sign\/[^/]+$/.test(pathname) ? '/sign/index.html' : normalize(pathname);
  try {
    const type = MEDIA_TYPES[extname(file)] ?? 'application/octet-stream';
    const isText = /^text|svg/.test(type) && request.headers['accept-encoding']?.includes('gzip');
    const stored = await readFile(join(WEB, file));
    const bytes = isText ? gzipSync(stored) : stored;
    response.writeHead(200, {
      ...PAGE_HEADERS,
      'content-type': type,
      'content-length': bytes.length,
      ...(isText && { 'content-encoding': 'gzip' }),
    });
    response.end(bytes);
  } catch {
    response.writeHead(404, PAGE_HEADERS).end();
  }
}
