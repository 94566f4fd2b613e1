import { errorOf, SignatureRequestsError } from './errors.ts';
import { List, type Page } from './list.ts';
import { pauseAfter } from './retries.ts';
import { sleep, withinTime } from './time.ts';

export interface HttpOptions {
  /** `esk_live_…`, or `esk_test_…` for test mode. */
  apiKey: string;
  /** The address of the service, such as `https://sign.example.com`. */
  baseUrl: string;
  /** Instead of the global one, for proxies, instrumentation and tests. */
  fetch?: typeof globalThis.fetch | undefined;
  /** For each attempt; 60 seconds by default. */
  timeoutMs?: number | undefined;
  /** Further attempts after the first; 4 by default. */
  retries?: number | undefined;
}

/** Of calls that carry no API key. */
export interface SessionOptions extends Omit<HttpOptions, 'apiKey'> {
  headers(): Readonly<Record<string, string>>;
  /** `/api/v1` by default. */
  apiPath?: string;
  /** Asked about an error that would end a call. True: what it was about is mended, and the call is made again. */
  mend?(error: SignatureRequestsError): Promise<boolean>;
}

/** Taken by every call. */
export interface CallOptions {
  /** Ends the call, and its pauses; the service may have carried it out all the same. */
  signal?: AbortSignal | undefined;
  /** For each attempt, instead of the client's. */
  timeoutMs?: number | undefined;
}

interface Call extends CallOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: object;
  body?: unknown;
  idempotencyKey?: string;
  /** Whether a second call is as good as one. By default all are but a POST without an idempotency key. */
  isRepeatable?: boolean;
}

/** An empty id would address the list instead of one of its members, and dots a path above. */
const LEADS_ELSEWHERE = /\/\.{0,2}(?:\/|$)/;
/** `fetch` fails with anything else as it does without a connection. */
const FITS_HEADER = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** Makes the calls: authentication, time limits, retries, errors. */
export class Http {
  readonly #baseUrl: string;
  readonly #headers: SessionOptions['headers'];
  readonly #apiPath: string;
  readonly #mend: NonNullable<SessionOptions['mend']>;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeoutMs: number;
  readonly #retries: number;

  constructor(options: HttpOptions | SessionOptions) {
    const { baseUrl, fetch, timeoutMs = 60_000, retries = 4 } = options;
    const {
      headers,
      apiPath = '/api/v1',
      mend = async () => false,
    } = 'headers' in options ? options : { headers: authorization(options.apiKey) };
    assertAddress(baseUrl);
    // Text from the environment that is no number would fail every call at once, or repeat one without end.
    if (!(timeoutMs > 0)) throw new TypeError('`timeoutMs` must be a number above 0.');
    if (!(retries >= 0)) throw new TypeError('`retries` must be a number from 0.');
    this.#headers = headers;
    this.#apiPath = apiPath;
    this.#mend = mend;
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

  /** An answer whose body has not been read. */
  open = (call: Call): Promise<Response> => this.#call(call, async (response) => response);

  /** The time that a body may stand still. */
  idleMs = ({ timeoutMs }: CallOptions): number => timeoutMs ?? this.#timeoutMs;

  /** Posts a form to a storage address. Posting it again overwrites the first. */
  async postForm(url: string, form: FormData, options: CallOptions): Promise<void> {
    // `fetch` of another library, such as undici's with a proxy, sends the words "[object FormData]" for a form.
    const encoded = new Response(form);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
    const body = await encoded.arrayBuffer();
    return this.#retrying(options, true, async (signal) => {
      const { ok, status } = await this.#fetch(url, { method: 'POST', headers, body, signal });
      if (!ok)
        throw new SignatureRequestsError('upload_failed', `The upload was answered ${status}.`, { status });
    });
  }

  async #call<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { method = 'GET', idempotencyKey } = call;
    if (LEADS_ELSEWHERE.test(call.path))
      throw new SignatureRequestsError('not_found', 'An id is empty, or consists of dots.');
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
      // The key goes to this address alone.
      redirect: 'manual',
    };
    const url = `${this.#baseUrl}${this.#apiPath}${call.path}${queryOf(call.query)}`;
    return this.#retrying(call, isRepeatable, async (signal) => {
      const response = await this.#fetch(url, { ...init, signal });
      if (!response.ok) throw await errorOf(response);
      return read(response);
    });
  }

  async #retrying<T>(
    { signal, timeoutMs = this.#timeoutMs }: CallOptions,
    isRepeatable: boolean,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await withinTime(timeoutMs, signal, work);
      } catch (thrown) {
        signal?.throwIfAborted();
        if (steersRendering(thrown)) throw thrown;
        const error = asError(thrown);
        const pause = attempt > this.#retries ? undefined : pauseAfter(error, attempt, isRepeatable);
        if (pause !== undefined) await sleep(pause, signal);
        else if (!(await this.#mend(error))) throw error;
      }
    }
  }
}

function assertAddress(baseUrl: string): void {
  if (!isAddress(baseUrl))
    throw new TypeError(
      '`baseUrl` must be the address of the service alone, such as https://sign.example.com.',
    );
}

/** All before `/api/v1`. `localhost:3000` is a URL too, of the scheme `localhost`. */
const isPlainAddress = ({ protocol, username, search, hash, pathname }: URL): boolean =>
  /^https?:$/.test(protocol) && username + search + hash === '' && !/\/api\/v1\/*$/.test(pathname);

/** By hand, since not every browser of the dashboard has `URL.canParse`. */
function isAddress(text: string): boolean {
  try {
    return isPlainAddress(new URL(text));
  } catch {
    return false;
  }
}

function authorization(apiKey: string): SessionOptions['headers'] {
  const key = apiKey?.trim();
  if (!key) throw new TypeError('`apiKey` is missing.');
  if (!FITS_HEADER.test(key)) throw new TypeError('`apiKey` is not a key of the service.');
  return () => ({ authorization: `Bearer ${key}` });
}

/** The `fetch` of Next.js 13 and 14 answers equal calls from a cache, changes too. Workers from before 2024-11-11 refuse the option. */
const uncached = (): RequestInit =>
  'cache' in (globalThis.Request?.prototype ?? {}) ? { cache: 'no-store' } : {};

/** By such an error of `fetch` Next.js learns that a page is not static. */
const steersRendering = (thrown: unknown): boolean => thrown instanceof Error && 'digest' in thrown;

/** `fetch` throws TypeErrors of many wordings for a connection that fails or breaks. */
export function asError(thrown: unknown): SignatureRequestsError {
  if (thrown instanceof SignatureRequestsError) return thrown;
  const message = `The connection to the service failed or broke${reasonOf(thrown)}.`;
  return new SignatureRequestsError('connection_failed', message, { cause: thrown });
}

/** Node's `fetch` says "fetch failed" of everything. The code of its cause tells a wrong name from a wrong certificate. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause ? thrown.cause : thrown;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause && cause.code;
  return typeof code === 'string' ? ` (${code})` : '';
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
