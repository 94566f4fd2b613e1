import { sha256Hex } from './hash.ts';

/** The hash of the part of an address that one household or office shares: all of IPv4, the first half of IPv6. */
export function networkHash(ipAddress: string | null): string {
  if (!ipAddress?.includes(':')) return sha256Hex(ipAddress ?? '');
  const [head = '', tail] = ipAddress.split('::', 2);
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const [left, right] = [groups(head), groups(tail)];
  const middle = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const half = [...left, ...middle, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16));
  return sha256Hex(half.join(':'));
}
