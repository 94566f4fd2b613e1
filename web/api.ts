import type { ErrorCode } from '../shared/contract/errors.ts';

/** The service said no, and why. `fault` stands for an answer that is not one of ours (a proxy's page, for example). */
export class Refusal extends Error {
  readonly code: ErrorCode | 'fault';
  readonly attemptsLeft: number | null;
  readonly lockedUntil: string | null;
  readonly purgedAt: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, answer: Partial<Record<string, unknown>>, retryAfter: string | null) {
    super(`${status} ${String(answer.error ?? 'fault')}`);
    this.code = typeof answer.error === 'string' ? (answer.error as ErrorCode) : 'fault';
    this.attemptsLeft = typeof answer.attempts_left === 'number' ? answer.attempts_left : null;
    this.lockedUntil = typeof answer.locked_until === 'string' ? answer.locked_until : null;
    this.purgedAt = typeof answer.purged_at === 'string' ? answer.purged_at : null;
    this.retryAfterSeconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  }
}

/** A call that must not be repeated blindly did not come back: it may or may not have arrived. */
export class ConnectionLost extends Error {}

/** Answers of a service that is busy or was disturbed: the same call may well work in a moment. */
const PASSING: readonly string[] = [
  'conflict',
  'service_unavailable',
  'timed_out',
  'too_many_requests',
  'internal_error',
];
const PASSING_TRIES = 3;
const LONGEST_PAUSE_MS = 15_000;

interface Call {
  /** Calling twice has the effect of calling once, so a lost connection is mended without asking. */
  repeatable: boolean;
  body?: unknown;
  timeoutMs?: number;
}

export interface Surroundings {
  fetch: typeof fetch;
  isOnline(): boolean;
  /** Ends after the time, or sooner when the connection comes back or the signer asks for it. */
  pause(ms: number): Promise<void>;
  onConnection(lost: boolean): void;
  onServerTime(now: number): void;
}

export class SignerApi {
  readonly #token: string;
  readonly #around: Surroundings;
  readonly #waiting = new Set<symbol>();

  constructor(token: string, around: Surroundings) {
    this.#token = token;
    this.#around = around;
  }

  async json<T>(method: 'GET' | 'POST', path: string, call: Call): Promise<T> {
    const read = async (response: Response) => (await response.json()) as T;
    return this.#call(method, path, call, read);
  }

  async bytes(path: string, onProgress?: (share: number) => void): Promise<Uint8Array<ArrayBuffer>> {
    const read = (response: Response) => readBytes(response, onProgress);
    return this.#call('GET', path, { repeatable: true, timeoutMs: 180_000 }, read);
  }

  async #call<T>(
    method: string,
    path: string,
    call: Call,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const me = Symbol(path);
    try {
      for (let lost = 0, passing = 0; ; ) {
        try {
          return await this.#once(method, path, call, read);
        } catch (error) {
          if (error instanceof Refusal) {
            if (!call.repeatable || !PASSING.includes(error.code) || ++passing >= PASSING_TRIES) throw error;
            await this.#around.pause((error.retryAfterSeconds ?? 2 ** passing) * 1000);
          } else {
            this.#setWaiting(me, true);
            // A call that never left the device is safe to send later; one that may have arrived is not.
            if (!call.repeatable && this.#around.isOnline()) throw new ConnectionLost();
            await this.#around.pause(Math.min(1000 * 2 ** lost++, LONGEST_PAUSE_MS));
          }
        }
      }
    } finally {
      this.#setWaiting(me, false);
    }
  }

  async #once<T>(
    method: string,
    path: string,
    call: Call,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const response = await this.#around.fetch(`/api/signing/v1${path}`, {
      method,
      headers: {
        'X-Signing-Token': this.#token,
        ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      credentials: 'same-origin',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(call.timeoutMs ?? 30_000),
    });
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.#around.onServerTime(date);
    if (response.ok) return read(response);
    const answer: unknown = await response.json().catch(() => ({}));
    throw new Refusal(response.status, asRecord(answer), response.headers.get('retry-after'));
  }

  #setWaiting(call: symbol, waiting: boolean) {
    const before = this.#waiting.size > 0;
    if (waiting) this.#waiting.add(call);
    else this.#waiting.delete(call);
    const after = this.#waiting.size > 0;
    if (before !== after) this.#around.onConnection(after);
  }
}

export type SignerCalls = Pick<SignerApi, 'json' | 'bytes'>;

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

async function readBytes(response: Response, onProgress?: (share: number) => void) {
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
  // A stream that is cut short ends as if it were whole; the length tells.
  if (expected && length < expected && !response.headers.get('content-encoding'))
    throw new TypeError('cut short');
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
