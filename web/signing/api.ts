import type { ErrorCode } from '../../shared/contract/errors.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { knownLocale } from '../parts/language.ts';

/** An error answer of the service. Its code is `fault` if the body is not ours, such as a proxy's error page. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'fault';
  readonly attemptsLeft: number | null;
  readonly lockedUntil: string | null;
  readonly purgedAt: string | null;
  /** The signer's language, where the answer names it. */
  readonly locale: Locale | null;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, answer: Partial<Record<string, unknown>>, retryAfter: string | null) {
    super(`${status} ${String(answer.error ?? 'fault')}`);
    this.status = status;
    this.code = typeof answer.error === 'string' ? (answer.error as ErrorCode) : 'fault';
    this.attemptsLeft = typeof answer.attempts_left === 'number' ? answer.attempts_left : null;
    this.lockedUntil = typeof answer.locked_until === 'string' ? answer.locked_until : null;
    this.purgedAt = typeof answer.purged_at === 'string' ? answer.purged_at : null;
    this.locale = knownLocale(answer.locale);
    this.retryAfterSeconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  }
}

/** The connection broke during a call that is not idempotent: the service may or may not have received it. */
export class ConnectionLost extends Error {}

/** The call may have arrived and done its work all the same. */
export const isServerFault = (error: unknown) => error instanceof ApiError && error.status >= 500;

const TRANSIENT_ERRORS: readonly string[] = [
  'conflict',
  'service_unavailable',
  'timed_out',
  'too_many_requests',
  'internal_error',
];
/** The same call may succeed a moment later. */
const isTransient = (error: ApiError) =>
  TRANSIENT_ERRORS.includes(error.code) || (error.code === 'fault' && isServerFault(error));
const MAX_TRANSIENT_TRIES = 3;
const MAX_PAUSE_MS = 15_000;

interface Call {
  /** An idempotent call is retried by itself when the connection breaks. */
  idempotent: boolean;
  body?: unknown;
  timeoutMs?: number;
}

interface Sent<T> extends Call {
  method: string;
  path: string;
  read(response: Response): Promise<T>;
}

/** The parts of the browser that the API client uses. */
export interface Network {
  fetch: typeof fetch;
  isOnline(): boolean;
  /** Resolves after `ms`, or sooner if the browser comes online or the signer presses “Try now”. */
  pause(ms: number): Promise<void>;
  onConnection(lost: boolean): void;
  onServerTime(now: number): void;
}

export class SignerApi {
  readonly #identity: Readonly<Record<string, string>>;
  readonly #network: Network;
  readonly #disconnected = new Set<Call>();

  /** `identity` is the header with the link's token: addresses end up in logs. */
  constructor(identity: Readonly<Record<string, string>>, network: Network) {
    this.#identity = identity;
    this.#network = network;
  }

  async json<T>(method: 'GET' | 'POST', path: string, call: Call): Promise<T> {
    const read = async (response: Response) => (await response.json()) as T;
    return this.#retry({ method, path, ...call, read });
  }

  async bytes(path: string, onProgress?: (fraction: number) => void): Promise<Uint8Array<ArrayBuffer>> {
    const read = (response: Response) => readBytes(response, onProgress);
    return this.#retry({ method: 'GET', path, idempotent: true, timeoutMs: 180_000, read });
  }

  async #retry<T>(call: Sent<T>): Promise<T> {
    try {
      for (let losses = 0, failures = 0; ; ) {
        const mayArrive = this.#network.isOnline();
        try {
          return await this.#send(call);
        } catch (error) {
          if (error instanceof ApiError) {
            if (!call.idempotent || !isTransient(error) || ++failures >= MAX_TRANSIENT_TRIES) throw error;
            await this.#network.pause((error.retryAfterSeconds ?? 2 ** failures) * 1000);
          } else {
            this.#setDisconnected(call, true);
            // A browser that was offline sent nothing: a retry is safe for every call.
            if (!call.idempotent && mayArrive) throw new ConnectionLost();
            await this.#network.pause(Math.min(1000 * 2 ** losses++, MAX_PAUSE_MS));
          }
        }
      }
    } finally {
      this.#setDisconnected(call, false);
    }
  }

  async #send<T>({ method, path, body, timeoutMs = 30_000, read }: Sent<T>): Promise<T> {
    const response = await this.#network.fetch(`/api/signing/v1${path}`, {
      method,
      headers: {
        ...this.#identity,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'same-origin',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.#network.onServerTime(date);
    if (response.ok) return read(response);
    const answer: unknown = await response.json().catch(() => ({}));
    throw new ApiError(response.status, asRecord(answer), response.headers.get('retry-after'));
  }

  #setDisconnected(call: Call, disconnected: boolean) {
    const before = this.#disconnected.size > 0;
    if (disconnected) this.#disconnected.add(call);
    else this.#disconnected.delete(call);
    const after = this.#disconnected.size > 0;
    if (before !== after) this.#network.onConnection(after);
  }
}

export type SignerCalls = Pick<SignerApi, 'json' | 'bytes'>;

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

async function readBytes(response: Response, onProgress?: (fraction: number) => void) {
  const expected = Number(response.headers.get('content-length')) || 0;
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (expected) onProgress?.(Math.min(length / expected, 1));
  }
  // A stream that is cut short ends without an error, so compare its length.
  if (expected && length < expected && !response.headers.get('content-encoding'))
    throw new TypeError('The response was cut short.');
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
