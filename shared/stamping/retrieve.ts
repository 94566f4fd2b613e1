import type { Socket } from 'node:net';
import { readUpTo } from '../runtime/read-up-to.ts';
import { SECOND } from '../runtime/time.ts';
import { MAX_ANSWER_BYTES, RetrievalFault, type Retrieve } from '../sealing/long-term/retrieve.ts';
import { type AddressPolicy, checkAddress } from '../webhooks/address-rules.ts';
import { isPublicAddress, type Resolve } from '../webhooks/addresses.ts';
import { AttemptFailed, callOver, connectTo, networkOf } from '../webhooks/connection.ts';

/** For one address, including its whole answer. */
const TIME_LIMIT_MS = 10 * SECOND;

interface Options extends AddressPolicy {
  resolve: Resolve;
  deadline?: () => AbortSignal;
}

/**
 * Calls the addresses in certificates. The issuer chooses them, so the same rules hold as for webhooks: public addresses only,
 * checked on the connection itself, no redirects.
 */
export function guardedRetrieve({
  development,
  resolve,
  deadline = () => AbortSignal.timeout(TIME_LIMIT_MS),
}: Options): Retrieve {
  return async (text, post) => {
    const checked = checkAddress(text, { development }, ['https:', 'http:']);
    if ('problem' in checked) throw new RetrievalFault('the address is not public');
    const { url, loopback } = checked;
    const network = networkOf(loopback, { resolve, isAllowed: isPublicAddress });
    const headers: Record<string, string> = post ? { 'Content-Type': post.contentType } : {};
    const signal = deadline();
    let socket: Socket | undefined;
    try {
      socket = await connectTo(url, network, signal);
      const answer = await callOver(socket, url, headers, post?.body, signal);
      if (answer.statusCode !== 200) throw new RetrievalFault(`HTTP ${answer.statusCode}`);
      const body = await readUpTo(answer, MAX_ANSWER_BYTES, tooLong);
      // Without a length, Node reads a connection closed by the time-out as a complete body.
      signal.throwIfAborted();
      return body;
    } catch (error) {
      throw faultOf(error, signal);
    } finally {
      socket?.destroy();
    }
  };
}

const tooLong = () => new RetrievalFault('the answer is too long');

function faultOf(error: unknown, signal: AbortSignal): RetrievalFault {
  if (error instanceof RetrievalFault) return error;
  if (signal.aborted) return new RetrievalFault('no answer in time');
  return new RetrievalFault(error instanceof AttemptFailed ? error.failure : 'the connection was closed');
}
