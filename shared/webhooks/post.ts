import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../runtime/time.ts';
import { checkAddress, type Reach } from './address-rules.ts';
import { isPublicAddress, type Resolve } from './addresses.ts';
import { AttemptFailed, connectTo, type Failure, type Network } from './connection.ts';

const TIME_LIMIT = 5 * SECOND;
const ANSWER_LIMIT = 65_536;

export interface PostResult {
  /** What the receiver answered with, null where it came to no answer. */
  status: number | null;
  /** Null where the receiver acknowledged, with 200 and nothing else. */
  error: Failure | null;
  durationMs: number;
}

export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<PostResult>;

interface Options extends Reach {
  resolve: Resolve;
  timeLimit?: number;
  isAllowed?: (address: string) => boolean;
}

/** Makes the one call of a delivery: 5 seconds for all of it, no redirect, a connection of its own. */
export function makePost({
  development,
  resolve,
  timeLimit = TIME_LIMIT,
  isAllowed = isPublicAddress,
}: Options): Post {
  return async (text, headers, body) => {
    const started = performance.now();
    const result = (status: number | null, error: Failure | null): PostResult => ({
      status,
      error,
      durationMs: Math.round(performance.now() - started),
    });
    const checked = checkAddress(text, { development });
    if ('problem' in checked) return result(null, 'invalid_url');

    const { url, loopback } = checked;
    const network: Network = loopback
      ? { resolve: async () => loopback, isAllowed: (address) => loopback.includes(address) }
      : { resolve, isAllowed };
    const signal = AbortSignal.timeout(timeLimit);
    let status: number | null = null;
    let socket: Socket | undefined;
    try {
      socket = await connectTo(url, network, signal);
      const answer = await send(socket, url, headers, body, signal);
      status = answer.statusCode ?? null;
      await drain(answer);
      return result(status, status === 200 ? null : 'unexpected_status');
    } catch (error) {
      return result(status, signal.aborted ? 'timed_out' : failureOf(error));
    } finally {
      socket?.destroy();
    }
  };
}

function send(
  socket: Socket,
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({
      createConnection: () => socket,
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { Host: url.host, ...headers, 'Content-Length': Buffer.byteLength(body) },
      signal,
    })
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => reject(new AttemptFailed('connection_closed')))
      .end(body);
  });
}

/** Reads the answer to its end, or as far as we care for. */
async function drain(answer: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of answer) {
    size += (chunk as Buffer).length;
    if (size >= ANSWER_LIMIT) return;
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof AttemptFailed) return error.failure;
  const { code } = error as { code?: unknown };
  return String(code).startsWith('HPE_') ? 'invalid_answer' : 'connection_closed';
}
