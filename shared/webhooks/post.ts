import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../runtime/time.ts';
import { type AddressPolicy, checkAddress } from './address-rules.ts';
import { isPublicAddress, type Resolve } from './addresses.ts';
import { AttemptFailed, callOver, connectTo, type Failure, networkOf } from './connection.ts';

const TIME_LIMIT_MS = 5 * SECOND;
const MAX_RESPONSE_BYTES = 65_536;
/** Kept of an answer, to find the reason of a failure. */
export const KEPT_ANSWER_BYTES = 1_024;

export interface PostResult {
  /** The receiver's status, null if it sent none. */
  status: number | null;
  /** Null if the receiver acknowledged with 200. */
  error: Failure | null;
  durationMs: number;
  /** The beginning of the receiver's answer; null without one. */
  answer?: string | null;
}

export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<PostResult>;

interface Options extends AddressPolicy {
  resolve: Resolve;
  /** Ends an attempt that takes too long. */
  deadline?: () => AbortSignal;
  clock?: () => number;
  isAllowed?: (address: string) => boolean;
}

/** Makes the one call of a delivery: 5 seconds in total, no redirects, a new connection. */
export function makePost({
  development,
  resolve,
  deadline = () => AbortSignal.timeout(TIME_LIMIT_MS),
  clock = () => performance.now(),
  isAllowed = isPublicAddress,
}: Options): Post {
  return async (text, headers, body) => {
    const startedAt = clock();
    const beginning: Buffer[] = [];
    const result = (status: number | null, error: Failure | null): PostResult => ({
      status,
      error,
      durationMs: Math.round(clock() - startedAt),
      answer: status === null ? null : textOf(Buffer.concat(beginning)),
    });
    const checked = checkAddress(text, { development });
    if ('problem' in checked) return result(null, 'invalid_url');

    const { url, loopback } = checked;
    const network = networkOf(loopback, { resolve, isAllowed });
    const signal = deadline();
    let status: number | null = null;
    let socket: Socket | undefined;
    try {
      socket = await connectTo(url, network, signal);
      const answer = await callOver(socket, url, headers, body, signal);
      status = answer.statusCode ?? null;
      await drain(answer, beginning);
      // Without a length, Node takes the end of the connection for that of the body, even after a time-out.
      signal.throwIfAborted();
      return result(status, status === 200 ? null : 'unexpected_status');
    } catch (error) {
      return result(status, signal.aborted ? 'timed_out' : failureOf(error));
    } finally {
      socket?.destroy();
    }
  };
}

/** Reads the response to its end or its size limit, since a delivery counts only once it is complete. */
async function drain(answer: IncomingMessage, beginning: Buffer[]): Promise<void> {
  let size = 0;
  for await (const chunk of answer) {
    const kept = (chunk as Buffer).subarray(0, Math.max(0, KEPT_ANSWER_BYTES - size));
    // A copy: a part of a buffer would keep all of it.
    beginning.push(Buffer.from(kept));
    size += (chunk as Buffer).length;
    if (size >= MAX_RESPONSE_BYTES) return;
  }
}

/** As a stream, the decoder leaves out a character that was cut in half. */
const textOf = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });

function failureOf(error: unknown): Failure {
  if (error instanceof AttemptFailed) return error.failure;
  const { code } = error as { code?: unknown };
  return String(code).startsWith('HPE_') ? 'invalid_answer' : 'connection_closed';
}
