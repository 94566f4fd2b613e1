import { isIP } from 'node:net';
import { LIMITS } from '../contract/fields.ts';
import { isPublicAddress } from './addresses.ts';

/** Where webhooks may go. Development adds this machine's own loopback over http. */
export interface Reach {
  development: boolean;
}

/** The hosts that development allows, as they are written, and the addresses they stand for. */
const LOOPBACK: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  '127.0.0.1': ['127.0.0.1'],
  '[::1]': ['::1'],
};

/** Names that never are a host of the internet, whatever a local resolver makes of them. */
const NEVER_PUBLIC = /(^|\.)(localhost|localdomain|local|internal|intranet|home\.arpa|onion|invalid)$/;

/** Two parsers that read such an address differently could be led to two hosts: spaces, controls, backslashes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are just what is refused
const AMBIGUOUS = /[\s\u0000-\u0020\u007f\\]/;

const authorityOf = (text: string) => /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
const withoutPort = (authority: string) => authority.replace(/:\d*$/, '');
export const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

export type Checked = { url: URL; loopback: string[] | undefined } | { problem: string };

/**
 * Reads a webhook's address, or says what is wrong with it. It is asked when the address is given and again at each
 * delivery; where the name then leads is checked on the connection itself (`connection.ts`).
 */
export function checkAddress(text: string, { development }: Reach): Checked {
  if (text.length > LIMITS.webhookUrlLength || AMBIGUOUS.test(text)) return { problem: 'is not a valid URL' };
  const url = URL.parse(text);
  const authority = authorityOf(text);
  if (!url || !authority) return { problem: 'is not a valid URL' };
  if (authority.includes('@')) return { problem: 'must not hold a user name or password' };

  const loopback = LOOPBACK[withoutPort(authority).toLowerCase()];
  if (development && url.protocol === 'http:' && loopback) return { url, loopback };

  if (url.protocol !== 'https:') return { problem: 'must be an https address' };
  if (url.port !== '') return { problem: 'must use the port 443' };
  const problem = hostProblem(bareHost(url), withoutPort(authority).replace(/^\[|\]$/g, ''));
  return problem ? { problem } : { url, loopback: undefined };
}

function hostProblem(host: string, written: string): string | undefined {
  if (isIP(host) === 4 && written !== host) return 'must write an IP address in its usual form';
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'must lead to a public address';
  if (host.endsWith('.') || host.includes('..') || host.length > 253) return 'is not a valid host name';
  if (!host.includes('.') || NEVER_PUBLIC.test(host)) return 'must lead to a public address';
  return undefined;
}
