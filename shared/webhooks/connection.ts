import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import '../runtime/connecting.ts';
import { bareHost } from './address-rules.ts';
import type { Resolve } from './addresses.ts';

/** The `error` values of the delivery list and the audit trail, with their meaning in docs/webhooks.md. */
export const FAILURES = {
  unexpected_status: 'The receiver responded with another status than 200.',
  timed_out: 'The attempt did not finish within 5 seconds.',
  invalid_url: 'The URL is not allowed, or no longer allowed.',
  dns_failed: 'The name has no address.',
  address_not_allowed: 'The name resolves to an address that is not public.',
  connection_failed: 'No connection could be made.',
  tls_failed: 'The TLS handshake failed, or the certificate is not valid for the name.',
  connection_closed: 'The receiver closed the connection before its response was complete.',
  invalid_answer: 'The response was not valid HTTP.',
  outcome_unknown:
    'The service was interrupted during the attempt. The event may have arrived; the attempt is not repeated.',
} as const;

export type Failure = keyof typeof FAILURES;

export class AttemptFailed extends Error {
  override name = 'AttemptFailed';
  readonly failure: Failure;

  constructor(failure: Failure, cause?: unknown) {
    super(FAILURES[failure], { cause });
    this.failure = failure;
  }
}

export interface Network {
  resolve: Resolve;
  isAllowed: (address: string) => boolean;
}

/** The loopback names of development lead only to their own addresses. */
export const networkOf = (loopback: string[] | undefined, others: Network): Network =>
  loopback ? { resolve: async () => loopback, isAllowed: (address) => loopback.includes(address) } : others;

/** Returns the checked addresses to the socket: a second look-up could return others. */
const fixedLookup =
  (addresses: string[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

async function checkedAddresses(host: string, network: Network, signal: AbortSignal): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await network.resolve(host, signal);
  if (addresses.length === 0) throw new AttemptFailed('dns_failed');
  // One private address refuses all: mixed public and private answers suggest DNS rebinding.
  if (!addresses.every(network.isAllowed)) throw new AttemptFailed('address_not_allowed');
  return addresses;
}

async function waitUntilConnected(socket: Socket, event: string, failure: Failure, signal: AbortSignal) {
  // Swallow late socket errors; waiters get theirs through `once`.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw new AttemptFailed(failure, error);
  }
}

/** Connects to a checked address, with TLS for https. Nothing is sent before the check. */
export async function connectTo(url: URL, network: Network, signal: AbortSignal): Promise<Socket> {
  const host = bareHost(url);
  const addresses = await checkedAddresses(host, network, signal);
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const tcp = connectTcp({ host, port, lookup: fixedLookup(addresses), autoSelectFamily: true });
  await waitUntilConnected(tcp, 'connect', 'connection_failed', signal);
  if (!network.isAllowed(tcp.remoteAddress ?? '')) {
    tcp.destroy();
    throw new AttemptFailed('address_not_allowed');
  }
  if (!secure) return tcp;
  const tls = connectTls({ socket: tcp, host, ...(isIP(host) === 0 && { servername: host }) });
  await waitUntilConnected(tls, 'secureConnect', 'tls_failed', signal);
  return tls;
}

/** Makes one call over a socket, a POST if there is a body. The body of the answer may still be on its way. */
export function callOver(
  socket: Socket,
  url: URL,
  headers: Record<string, string>,
  body: string | Uint8Array | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({
      createConnection: () => socket,
      method: body === undefined ? 'GET' : 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { Host: url.host, ...headers },
      signal,
    })
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('The connection was closed.')))
      .end(body);
  });
}
