import { once } from 'node:events';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bareHost } from './address-rules.ts';
import type { Resolve } from './addresses.ts';

/** Why an attempt failed, in the words that the delivery list and the audit trail show. */
export const FAILURES = {
  unexpected_status: 'The receiver answered, but not with 200.',
  timed_out: 'The attempt was not done within 5 seconds.',
  invalid_url: 'The URL is not allowed (any more).',
  dns_failed: 'The name has no address.',
  address_not_allowed: 'The name leads to an address that is not public.',
  connection_failed: 'No connection could be made.',
  tls_failed: 'TLS could not be agreed on, or the certificate is not valid for the name.',
  connection_closed: 'The receiver closed the connection before its answer was complete.',
  invalid_answer: 'The answer was not HTTP.',
  outcome_unknown:
    'The service was interrupted during the attempt. It may have arrived, and is not repeated.',
} as const;

export type Failure = keyof typeof FAILURES;

export class AttemptFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, cause?: unknown) {
    super(FAILURES[failure], { cause });
    this.name = 'AttemptFailed';
    this.failure = failure;
  }
}

export interface Network {
  resolve: Resolve;
  isAllowed: (address: string) => boolean;
}

/** Hands the socket the addresses that were checked, so that no second look-up can give others. */
const answering =
  (addresses: string[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

async function checkedAddresses(host: string, network: Network, signal: AbortSignal): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await network.resolve(host, signal);
  if (addresses.length === 0) throw new AttemptFailed('dns_failed');
  // One address that is not allowed among several refuses all: who mixes them wants us to take our chance.
  if (!addresses.every(network.isAllowed)) throw new AttemptFailed('address_not_allowed');
  return addresses;
}

async function established(socket: Socket, event: string, failure: Failure, signal: AbortSignal) {
  // Whoever waits at the moment hears of an error by itself; one that comes while nobody does must not end the function.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw new AttemptFailed(failure, error);
  }
}

/** A connection to a checked address, with TLS where the URL says so; nothing is sent before the check. */
export async function connectTo(url: URL, network: Network, signal: AbortSignal): Promise<Socket> {
  const host = bareHost(url);
  const addresses = await checkedAddresses(host, network, signal);
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const tcp = connectTcp({ host, port, lookup: answering(addresses), autoSelectFamily: true });
  await established(tcp, 'connect', 'connection_failed', signal);
  if (!network.isAllowed(tcp.remoteAddress ?? '')) {
    tcp.destroy();
    throw new AttemptFailed('address_not_allowed');
  }
  if (!secure) return tcp;
  const tls = connectTls({ socket: tcp, host, ...(isIP(host) === 0 && { servername: host }) });
  await established(tls, 'secureConnect', 'tls_failed', signal);
  return tls;
}
