import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All IPv6 that is routed on the internet so far; the rest is reserved, old forms that hold an IPv4 address included. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the internet: plain unicast alone. Loopback, private, link-local (the metadata service),
 * carrier NAT, multicast, documentation and every IPv6 form that leads to an IPv4 address (mapped, NAT64, 6to4, Teredo) are not.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

/** Gives all addresses of a name, IPv4 first; none where the name has none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Asks the name servers directly: the system's own resolver runs on four threads for all,
 * and four names that never answer would hold up every other delivery of the function.
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
