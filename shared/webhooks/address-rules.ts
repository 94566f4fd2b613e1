import { isIP } from 'node:net';
import { LIMITS } from '../contract/limits.ts';
import { optionalSetting } from '../runtime/config.ts';
import { asUri, isAmbiguous } from '../runtime/uri.ts';
import { isPublicAddress } from './addresses.ts';

/** Limits the URLs that webhooks may have. Development also allows loopback over http. */
export interface AddressPolicy {
  development: boolean;
}

export const configuredAddressPolicy = (): AddressPolicy => ({
  development: optionalSetting('ALLOW_LOCAL_WEBHOOKS') === 'true',
});

/** The host names that development allows, with their addresses. */
const LOOPBACK = new Map([
  ['localhost', ['127.0.0.1', '::1']],
  ['127.0.0.1', ['127.0.0.1']],
  ['[::1]', ['::1']],
]);

/** Names that are never public hosts, even if a local resolver has an address for them. */
const NEVER_PUBLIC = /(^|\.)(localhost|localdomain|local|internal|intranet|home\.arpa|onion|invalid)$/;

const authorityOf = (text: string) => /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
const withoutPort = (authority: string) => authority.replace(/:\d*$/, '');
export const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

type CheckedAddress = { url: URL; loopback: string[] | undefined } | { problem: string };

/**
 * Parses a URL that others gave, such as a webhook's, or returns the problem with it. Called at registration and again before each delivery.
 * The address that the name resolves to is checked on the connection itself (`connection.ts`).
 */
export function checkAddress(
  text: string,
  { development }: AddressPolicy,
  protocols: readonly string[] = ['https:'],
): CheckedAddress {
  if (isAmbiguous(text))
    return { problem: 'must not contain spaces, backslashes or characters that cannot be seen' };
  if (asUri(text).length > LIMITS.webhookUrlLength)
    return { problem: `must be at most ${LIMITS.webhookUrlLength} characters, encoded as a URI` };
  const url = URL.parse(text);
  const authority = authorityOf(text);
  if (!url || !authority)
    return { problem: 'must be a whole address, such as https://client.example.com/hooks' };
  if (authority.includes('@')) return { problem: 'must not contain a user name or password' };

  const loopback = LOOPBACK.get(withoutPort(authority).toLowerCase());
  if (development && url.protocol === 'http:' && loopback) return { url, loopback };

  if (!protocols.includes(url.protocol)) return { problem: 'must be an https address' };
  if (url.port !== '') return { problem: 'must use port 443' };
  const problem = hostProblem(bareHost(url), withoutPort(authority).replace(/^\[|\]$/g, ''));
  return problem ? { problem } : { url, loopback: undefined };
}

function hostProblem(host: string, written: string): string | undefined {
  if (isIP(host) === 4 && written !== host) return 'must write an IPv4 address in dotted decimal form';
  // Lambda functions outside a VPC have no IPv6.
  if (isIP(host) === 6) return 'must have a name or an IPv4 address: nothing is called by IPv6';
  if (isIP(host) === 4) return isPublicAddress(host) ? undefined : 'must point to a public address';
  if (host.endsWith('.') || host.includes('..') || host.length > 253)
    return 'must have a host name of at most 253 characters, without a dot at its end';
  if (!host.includes('.') || NEVER_PUBLIC.test(host)) return 'must point to a public address';
  return undefined;
}
