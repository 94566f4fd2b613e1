import { jest } from '@jest/globals';
import { SignatureRequests } from '../../../client/src/node.ts';
import { virtualTime } from '../../support/virtual-time.ts';

afterEach(() => {
  jest.useRealTimers();
});

export interface SeenCall {
  method: string;
  path: string;
  headers: Headers;
  cache: RequestCache | undefined;
  body: unknown;
}

/** An answer; a function of the call that makes one, or fails; or none at all. */
export type Reply = Response | 'stalls' | ((call: SeenCall) => Response);

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

export const refusal = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  json({ error, message: `It is ${error}.` }, status, headers);

/** A connection that is reset: `fetch` fails as Node's does. */
export const reset = (): Response => {
  throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
};

/** A service that gives these answers in turn, the last one again and again, in virtual time. */
export function fakeService(...replies: Reply[]) {
  virtualTime(new Date('2026-11-21T10:00:00Z'));
  const calls: SeenCall[] = [];
  const fetch = async (
    url: RequestInfo | URL,
    { method = 'GET', headers, cache, body }: RequestInit = {},
  ) => {
    const { origin, href } = new URL(String(url));
    const call: SeenCall = {
      method,
      path: href.slice(origin.length),
      headers: new Headers(headers),
      cache,
      body: typeof body === 'string' ? JSON.parse(body) : body,
    };
    const reply = replies[Math.min(calls.length, replies.length - 1)];
    calls.push(call);
    if (reply === 'stalls') return new Promise<Response>(() => {});
    if (reply === undefined) throw new Error('The service has no answers.');
    return typeof reply === 'function' ? reply(call) : reply.clone();
  };
  const client = new SignatureRequests({ apiKey: 'esk_test_1', baseUrl: 'https://sign.example.com/', fetch });
  return { client, calls };
}

/** The end of a promise, while virtual time goes on. */
export async function outcome<T>(
  promise: Promise<T>,
  milliseconds = 600_000,
): Promise<PromiseSettledResult<T>> {
  const [settled] = await Promise.all([
    Promise.allSettled([promise]),
    jest.advanceTimersByTimeAsync(milliseconds),
  ]);
  return settled[0];
}

export async function result<T>(promise: Promise<T>): Promise<T> {
  const settled = await outcome(promise);
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

export async function failure(promise: Promise<unknown>): Promise<unknown> {
  const settled = await outcome(promise);
  if (settled.status === 'fulfilled') throw new Error('It did not fail.');
  return settled.reason;
}
