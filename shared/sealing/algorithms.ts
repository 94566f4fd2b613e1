import { children, childrenOf, contextTag, type DerNode, readOid, readSmallInteger, TAGS } from './der.ts';
import { OIDS } from './oids.ts';

/** The digest algorithms that are accepted today. */
export const STRONG_DIGESTS: ReadonlyMap<string, string> = new Map([
  [OIDS.sha256, 'sha256'],
  [OIDS.sha384, 'sha384'],
  [OIDS.sha512, 'sha512'],
]);

/** The digest of each signature algorithm; null if the signature names it separately. */
const SIGNATURE_DIGESTS: ReadonlyMap<string, string | null> = new Map([
  [OIDS.rsaEncryption, null],
  [OIDS.sha256WithRsa, 'sha256'],
  [OIDS.sha384WithRsa, 'sha384'],
  [OIDS.sha512WithRsa, 'sha512'],
  [OIDS.ecdsaWithSha256, 'sha256'],
  [OIDS.ecdsaWithSha384, 'sha384'],
  [OIDS.ecdsaWithSha512, 'sha512'],
]);

/** The digest of a signature algorithm; null if the signature names it separately, undefined if weak or unknown. */
export const digestOfSignature = (algorithm: DerNode | undefined): string | null | undefined =>
  isPss(algorithm) ? pssParameters(algorithm)?.digest : SIGNATURE_DIGESTS.get(algorithmId(algorithm));

/** The OID of an AlgorithmIdentifier. */
export const algorithmId = (algorithm: DerNode | undefined): string =>
  readOid(childrenOf(algorithm, TAGS.sequence)[0]);

export const isPss = (algorithm: DerNode | undefined): boolean => algorithmId(algorithm) === OIDS.rsaPss;

/** The parameters of RSASSA-PSS (RFC 4055); undefined if weak or unknown. Their default, SHA-1, is weak. */
export function pssParameters(algorithm: DerNode | undefined) {
  const [, parameters] = childrenOf(algorithm, TAGS.sequence);
  if (parameters === undefined) return undefined;
  const fields = childrenOf(parameters, TAGS.sequence);
  const inside = (number: number): DerNode | undefined => {
    const field = fields.find(({ tag }) => tag === contextTag(number));
    return field && children(field)[0];
  };
  const digest = strongDigest(inside(0));
  const mask = inside(1);
  const [maskId, maskHash] = mask ? childrenOf(mask, TAGS.sequence) : [];
  const maskDigest = maskId && readOid(maskId) === OIDS.mgf1 ? strongDigest(maskHash) : undefined;
  if (digest === undefined || maskDigest === undefined) return undefined;
  const saltLength = inside(2);
  return { digest, maskDigest, saltLength: saltLength ? readSmallInteger(saltLength) : 20 };
}

const strongDigest = (algorithm: DerNode | undefined): string | undefined =>
  algorithm && STRONG_DIGESTS.get(algorithmId(algorithm));
