import { errorOf, SignatureRequestsError } from './errors.ts';
import { List, type Page } from './list.ts';
import { pauseAfter } from './retries.ts';
import { sleep, withinTime } from './time.ts';

export interface HttpOptions {
  /** `esk_live_…`, or `esk_test_…` for test mode. */
  apiKey: string;
  /** The address of the service, such as `https://sign.example.com`. */
  baseUrl: string;
  /** Replaces the global `fetch`, for proxies, instrumentation and tests. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Time limit of each attempt; by default 60 seconds, or a second for each 32 KB that it sends, if that is longer. */
  timeoutMs?: number | undefined;
  /** Attempts after the first; 4 by default. */
  retries?: number | undefined;
}

/** Options for calls without an API key. */
export interface SessionOptions extends Omit<HttpOptions, 'apiKey'> {
  headers(): Readonly<Record<string, string>>;
  /** `/api/v1` by default. */
  apiPath?: string;
  /** Called before a call fails. Resolves to true if the cause is fixed and the call should be made again. */
  recover?(error: SignatureRequestsError): Promise<boolean>;
  /** Replaces the pause before a call is made again. */
  pause?: typeof sleep;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call and its pauses. The service may have carried it out nevertheless. */
  signal?: AbortSignal | undefined;
  /** Time limit of each attempt, instead of the client's. */
  timeoutMs?: number | undefined;
}

interface Call extends CallOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: object;
  body?: unknown;
  idempotencyKey?: string;
  /** Whether the call may be repeated. By default all but a POST without an idempotency key. */
  isRepeatable?: boolean;
}

/** An empty id would address the whole list, dots a parent path, and half a character nothing. */
const NOT_AN_ID = /\/\.{0,2}(?:\/|$)|%EF%BF%BD/;
const TIMEOUT_MS = 60_000;
/** A slow connection takes longer for a large file. */
const SLOWEST_BYTES_PER_MS = 32;
/** For other characters, `fetch` throws the same error as without a connection. */
const FITS_HEADER = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** `encodeURIComponent` throws for half a character, so that becomes U+FFFD, as in a query. */
export const inPath = (id: string): string => encodeURIComponent(String(id).replace(/\p{Cs}/gu, '\ufffd'));

/** Makes the calls: authentication, time limits, retries, errors. */
export class Http {
  readonly #baseUrl: string;
  readonly #headers: SessionOptions['headers'];
  readonly #apiPath: string;
  readonly #recover: NonNullable<SessionOptions['recover']>;
  readonly #pause: typeof sleep;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeoutMs: number | undefined;
  readonly #retries: number;

  constructor(options: HttpOptions | SessionOptions) {
    const { baseUrl, fetch, timeoutMs, retries = 4 } = options;
    const {
      headers,
      apiPath = '/api/v1',
      recover = async () => false,
      pause = sleep,
    } = 'headers' in options ? options : { headers: authorization(options.apiKey) };
    if (!isAddress(baseUrl))
      throw new TypeError(
        '`baseUrl` must be the address of the service alone, such as https://sign.example.com.',
      );
    // Text from the environment that is no number would make every call fail at once, or retry forever.
    assertLimit(timeoutMs ?? TIMEOUT_MS);
    if (!(retries >= 0)) throw new TypeError('`retries` must be a number from 0.');
    this.#headers = headers;
    this.#apiPath = apiPath;
    this.#recover = recover;
    this.#pause = pause;
    this.#baseUrl = baseUrl.trim().replace(/\/+$/, '');
    // The global function must not be called as a method.
    this.#fetch = fetch ?? ((...args) => globalThis.fetch(...args));
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
  }

  json = <T>(call: Call): Promise<T> => this.#call(call, jsonOf<T>);

  list = <Item>(path: string, query: object, options: CallOptions): List<Item> =>
    new List((cursor) =>
      this.json<Page<Item>>({ path, query: { ...query, ...(cursor && { cursor }) }, ...options }),
    );

  /** A response whose body has not been read. */
  open = (call: Call): Promise<Response> => this.#call(call, async (response) => response);

  /** The time limit of an attempt that sends so many bytes, and of a pause in a download. */
  limitMs = ({ timeoutMs = this.#timeoutMs }: CallOptions, bytes = 0): number =>
    timeoutMs ?? Math.max(TIMEOUT_MS, Math.ceil(bytes / SLOWEST_BYTES_PER_MS));

  /** Posts a form to a storage address. Posting it again overwrites the first. */
  async postForm(url: string, form: FormData, options: CallOptions): Promise<void> {
    // The `fetch` of another library, such as undici's with a proxy, sends "[object FormData]" for a form.
    const encoded = new Response(form);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
    const body = await encoded.arrayBuffer();
    const timeoutMs = this.limitMs(options, body.byteLength);
    return this.#retrying({ ...options, timeoutMs }, true, async (signal) => {
      const answer = await this.#fetch(url, { method: 'POST', headers, body, signal });
      if (!answer.ok) throw uploadError(answer.status, await answer.text());
    });
  }

  async #call<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { method = 'GET', idempotencyKey } = call;
    if (NOT_AN_ID.test(call.path))
      throw new SignatureRequestsError(
        'not_found',
        'An id is empty, consists of dots, or holds half a character.',
      );
    if (idempotencyKey !== undefined && !FITS_HEADER.test(idempotencyKey))
      throw new SignatureRequestsError(
        'invalid_idempotency_key',
        'An idempotency key has only characters of Latin-1, and no control characters.',
      );
    const { isRepeatable = method !== 'POST' || idempotencyKey !== undefined } = call;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const init: RequestInit = {
      method,
      headers: {
        ...this.#headers(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body }),
      ...uncached(),
      // Redirects are not followed, so that the key is sent to this address only.
      redirect: 'manual',
    };
    const url = `${this.#baseUrl}${this.#apiPath}${call.path}${queryOf(call.query)}`;
    const timeoutMs = this.limitMs(call, body?.length);
    return this.#retrying({ ...call, timeoutMs }, isRepeatable, async (signal) => {
      const response = await this.#fetch(url, { ...init, signal });
      if (!response.ok) throw await errorOf(response);
      return read(response);
    });
  }

  async #retrying<T>(
    { signal, timeoutMs }: CallOptions & { timeoutMs: number },
    isRepeatable: boolean,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    assertLimit(timeoutMs);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await withinTime(timeoutMs, signal, work);
      } catch (thrown) {
        signal?.throwIfAborted();
        if (steersRendering(thrown)) throw thrown;
        const error = asError(thrown);
        const pause = attempt > this.#retries ? undefined : pauseAfter(error, attempt, isRepeatable);
        if (pause !== undefined) await this.#pause(pause, signal);
        else if (!(await this.#recover(error))) throw error;
      }
    }
  }
}

function assertLimit(timeoutMs: number): void {
  if (!(timeoutMs > 0)) throw new TypeError('`timeoutMs` must be a number above 0.');
}

/** Everything before `/api/v1`. `localhost:3000` parses as a URL too, with the scheme `localhost`. */
function isAddress(text: string): boolean {
  try {
    const { protocol, username, search, hash, pathname } = new URL(text);
    return /^https?:$/.test(protocol) && username + search + hash === '' && !/\/api\/v1\/*$/.test(pathname);
  } catch {
    // Not by `URL.canParse`, which some browsers of the dashboard lack.
    return false;
  }
}

function authorization(apiKey: string): SessionOptions['headers'] {
  const key = apiKey?.trim();
  if (!key) throw new TypeError('`apiKey` is missing.');
  if (!FITS_HEADER.test(key)) throw new TypeError('`apiKey` is not a key of the service.');
  return () => ({ authorization: `Bearer ${key}` });
}

/** Next.js 13 and 14 cache `fetch`, even for changes. Workers before 2024-11-11 reject the option, so it is tested for. */
const uncached = (): RequestInit =>
  'cache' in (globalThis.Request?.prototype ?? {}) ? { cache: 'no-store' } : {};

/** Next.js throws such errors from `fetch` to mark a page as dynamic, so they must pass through. */
const steersRendering = (thrown: unknown): boolean => thrown instanceof Error && 'digest' in thrown;

/** `fetch` throws TypeErrors with many different messages for connection failures. */
export function asError(thrown: unknown): SignatureRequestsError {
  if (thrown instanceof SignatureRequestsError) return thrown;
  const message = `The connection to the service failed or broke${reasonOf(thrown)}.`;
  return new SignatureRequestsError('connection_failed', message, { cause: thrown });
}

/** Node's `fetch` always says "fetch failed"; the code of the cause tells a wrong name from a wrong certificate. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause ? thrown.cause : thrown;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause && cause.code;
  return typeof code === 'string' ? ` (${code})` : '';
}

/** The error in an answer of the storage, which is XML. It answers 400 to a body that stood still on its way. */
function uploadError(status: number, text: string): SignatureRequestsError {
  const [, reason = ''] = /<Code>(\w+)<\/Code>/.exec(text) ?? [];
  const code = reason === 'RequestTimeout' ? 'connection_failed' : 'upload_failed';
  const message = `The upload was answered ${status}${reason && ` (${reason})`}.`;
  return new SignatureRequestsError(code, message, { status });
}

async function jsonOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = 'The answer is not JSON. Is `baseUrl` the address of the service?';
    throw new SignatureRequestsError('unexpected_answer', message, { status: response.status, cause });
  }
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
