import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only IPv6 range allocated for the internet so far. Old forms that embed an IPv4 address are outside it. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Accepts plain unicast only. Refuses loopback, private, link-local (the metadata service), carrier NAT, multicast,
 * documentation and every IPv6 form that embeds an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

/** Returns all addresses of a name, IPv4 first; an empty list if it has none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Queries the name servers directly: the system resolver shares four threads,
 * so four names that never answer would block every other delivery of the function.
 */
export function resolveWith(servers?: string[]): Resolve {
  return async (name, signal) => {
    const resolver = new Resolver({ timeout: 750, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
