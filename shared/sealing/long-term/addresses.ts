import { isUrl } from '../../runtime/is-url.ts';
import { type CertificateFields, extensionsOf } from '../certificate-fields.ts';
import { children, childrenOf, contextTag, type DerNode, decode, readOid, TAGS } from '../der.ts';
import { OIDS } from '../oids.ts';
import { latin1 } from '../pdf/text.ts';

/** The addresses that a certificate names: of its OCSP responders, its issuer's certificate, its revocation lists. */
export interface Addresses {
  ocsp: string[];
  issuers: string[];
  lists: string[];
}

/** Of each kind. Each address costs a call. */
const MAX_ADDRESSES = 3;
const URI_TAG = 0x86;

export function addressesOf(certificate: CertificateFields): Addresses {
  const extensions = extensionsOf(certificate);
  const information = extensions.get(OIDS.authorityInformation);
  const lists = extensions.get(OIDS.revocationLists);
  const descriptions = information ? childrenOf(decode(information.value), TAGS.sequence) : [];
  const describedAs = (method: string): DerNode[] =>
    descriptions.flatMap((description) => {
      const [id, location] = childrenOf(description, TAGS.sequence);
      return readOid(id) === method && location ? [location] : [];
    });
  return {
    ocsp: webAddresses(describedAs(OIDS.ocsp)),
    issuers: webAddresses(describedAs(OIDS.issuers)),
    lists: webAddresses(lists ? childrenOf(decode(lists.value), TAGS.sequence).flatMap(namesOf) : []),
  };
}

/** Tags of lists for some reasons only, or by another issuer: they prove nothing by themselves. */
const LIMITED_BY: readonly number[] = [0x81, contextTag(2)];

/** The full names of a distribution point (RFC 5280, 4.2.1.13). */
function namesOf(point: DerNode): DerNode[] {
  const parts = childrenOf(point, TAGS.sequence);
  if (parts.some(({ tag }) => LIMITED_BY.includes(tag))) return [];
  const name = parts.find(({ tag }) => tag === contextTag(0));
  return name ? fullNames(name) : [];
}

/** The names inside a DistributionPointName with its tag; none if it is relative. */
export function fullNames(name: DerNode): DerNode[] {
  const full = children(name).find(({ tag }) => tag === contextTag(0));
  return full ? children(full) : [];
}

/** Leaves out LDAP and other addresses. */
export const webAddresses = (names: readonly DerNode[]): string[] =>
  names
    .filter(({ tag }) => tag === URI_TAG)
    .map(({ content }) => latin1(content))
    .filter((url) => /^https?:\/\//i.test(url) && isUrl(url))
    .slice(0, MAX_ADDRESSES);
