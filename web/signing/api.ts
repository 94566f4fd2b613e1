import type { ErrorCode } from '../../shared/contract/errors.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { type Delay, TOLD_PAUSE_MS } from '../parts/delay.ts';
import { knownLocale } from '../parts/language.ts';
import { DamagedFile, Download, inSteps } from './download.ts';

/** An error response. Its code is `fault` if the body is not the service's, such as a proxy's error page. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'fault';
  readonly attemptsLeft: number | null;
  readonly lockedUntil: string | null;
  readonly purgedAt: string | null;
  /** The signer's language, if the response names it. */
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

export const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : 'fault');

/** The connection broke during a call that is not idempotent, so its outcome is unknown. */
export class ConnectionLost extends Error {}

/** The call may have succeeded nevertheless. */
export const isServerFault = (error: unknown) => error instanceof ApiError && error.status >= 500;

const TRANSIENT_ERRORS: readonly string[] = [
  'conflict',
  'service_unavailable',
  'timed_out',
  'too_many_requests',
  'internal_error',
];
/** If the service asks for a longer pause, the call fails: the page says that it tries again within a minute. */
const LONGEST_PAUSE_SECONDS = 60;
/** The same call may succeed a moment later. */
const isTransient = (error: ApiError) =>
  (error.retryAfterSeconds ?? 0) <= LONGEST_PAUSE_SECONDS &&
  (TRANSIENT_ERRORS.includes(error.code) || (error.code === 'fault' && isServerFault(error)));
const MAX_TRANSIENT_TRIES = 3;
/** A file that arrives damaged is downloaded once more. */
const MAX_DAMAGES = 2;
const MAX_PAUSE_MS = 15_000;
/** For a response, or between two chunks of a download, which as a whole may take any time. */
const WAIT_MS = 30_000;
/** A slow line, of 40 kbit/s, takes more than a minute to send an image of a signature. */
const SLOWEST_BYTES_PER_MS = 5;

interface Call {
  /** Idempotent calls are retried when the connection breaks. */
  idempotent: boolean;
  body?: unknown;
}

interface Sent<T> extends Call {
  method: string;
  path: string;
  read(response: Response, limit: ReturnType<typeof timeLimit>): Promise<T>;
  download?: Download;
}

/** The failed attempts of a call, by kind. */
interface Setbacks {
  losses: number;
  failures: number;
  damages: number;
}

/** The parts of the browser that the API client uses. */
export interface Network {
  fetch: typeof fetch;
  isOnline(): boolean;
  /** Resolves after `ms`, or sooner if the browser comes online or the signer presses “Try now”. */
  pause(ms: number): Promise<void>;
  onDelay(delay: Delay | null): void;
  onServerTime(now: number): void;
}

/** Aborts a call that takes too long, or a download that has stalled. */
function timeLimit(ms: number) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer = setTimeout(abort, ms);
  const end = () => clearTimeout(timer);
  const restart = (next: number) => {
    end();
    timer = setTimeout(abort, next);
  };
  return { signal: controller.signal, restart, end };
}

export class SignerApi {
  readonly #identity: Readonly<Record<string, string>>;
  readonly #network: Network;
  readonly #delays = new Map<Call, Delay>();
  /** Downloads that an error has interrupted, by path. The next download of the path resumes there. */
  readonly #unfinished = new Map<string, Download>();

  /** `identity` is the header with the link's token. It is not in the URL, because URLs end up in logs. */
  constructor(identity: Readonly<Record<string, string>>, network: Network) {
    this.#identity = identity;
    this.#network = network;
  }

  async json<T>(method: 'GET' | 'POST', path: string, call: Call): Promise<T> {
    const read = async (response: Response) => (await response.json()) as T;
    return this.#retry({ method, path, ...call, read });
  }

  async bytes(
    path: string,
    onProgress: (fraction: number) => void = () => undefined,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const download = this.#unfinished.get(path) ?? new Download();
    // Two downloads at a time must not share it.
    this.#unfinished.delete(path);
    const tell = inSteps(onProgress);
    const call: Sent<Uint8Array<ArrayBuffer>> = {
      method: 'GET',
      path,
      idempotent: true,
      download,
      read: (response, limit) =>
        download.read(response, (part) => {
          limit.restart(WAIT_MS);
          this.#setDelay(call, null);
          if (part !== null) tell(part);
        }),
    };
    try {
      return await this.#retry(call);
    } catch (error) {
      this.#unfinished.set(path, download);
      throw error;
    }
  }

  async #retry<T>(call: Sent<T>): Promise<T> {
    const setbacks: Setbacks = { losses: 0, failures: 0, damages: 0 };
    try {
      for (;;) {
        const mayArrive = this.#network.isOnline();
        try {
          return await this.#send(call);
        } catch (error) {
          await this.#beforeRetry(call, error, mayArrive, setbacks);
        }
      }
    } finally {
      this.#setDelay(call, null);
    }
  }

  /** Waits until the next attempt; throws if there is none. */
  async #beforeRetry<T>(
    call: Sent<T>,
    error: unknown,
    mayArrive: boolean,
    setbacks: Setbacks,
  ): Promise<void> {
    const gained = call.download?.takeGain() ?? false;
    if (gained) setbacks.losses = setbacks.failures = 0;
    if (error instanceof DamagedFile) {
      if (++setbacks.damages >= MAX_DAMAGES) throw error;
      return;
    }
    if (error instanceof ApiError) {
      if (!call.idempotent || !isTransient(error) || ++setbacks.failures >= MAX_TRANSIENT_TRIES) throw error;
      const ms = (error.retryAfterSeconds ?? 2 ** setbacks.failures) * 1000;
      this.#setDelay(call, ms > TOLD_PAUSE_MS ? 'busy' : null);
      return this.#network.pause(ms);
    }
    // No banner for a break after which the download continues.
    if (!gained) this.#setDelay(call, 'lost');
    // A browser that was offline sent nothing: a retry is safe for every call.
    if (!call.idempotent && mayArrive) throw new ConnectionLost();
    return this.#network.pause(Math.min(1000 * 2 ** setbacks.losses++, MAX_PAUSE_MS));
  }

  async #send<T>({ method, path, body, read, download }: Sent<T>): Promise<T> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const limit = timeLimit(WAIT_MS + text.length / SLOWEST_BYTES_PER_MS);
    try {
      const response = await this.#network.fetch(`/api/signing/v1${path}`, {
        method,
        headers: {
          ...this.#identity,
          ...download?.wanted,
          ...(text && { 'Content-Type': 'application/json' }),
        },
        ...(text && { body: text }),
        credentials: 'same-origin',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal: limit.signal,
      });
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) this.#network.onServerTime(date);
      if (response.ok) return await read(response, limit);
      const answer: unknown = await response.json().catch(() => ({}));
      throw new ApiError(response.status, asRecord(answer), response.headers.get('retry-after'));
    } finally {
      limit.end();
    }
  }

  #setDelay(call: Call, delay: Delay | null) {
    const before = this.#delay();
    if (delay) this.#delays.set(call, delay);
    else this.#delays.delete(call);
    const after = this.#delay();
    if (before !== after) this.#network.onDelay(after);
  }

  #delay(): Delay | null {
    const delays = [...this.#delays.values()];
    return delays.includes('lost') ? 'lost' : (delays[0] ?? null);
  }
}

export type SignerCalls = Pick<SignerApi, 'json' | 'bytes'>;

/** Resolves to true once there is a response, whatever it says. */
export const reachService = (api: SignerCalls): Promise<boolean> =>
  api.json('GET', '/request', { idempotent: true }).then(
    () => true,
    () => true,
  );

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
