import { STRONG_DIGESTS } from './algorithms.ts';
import { type CertificateFields, isStrongKey, isValidAt } from './certificate-fields.ts';
import { childrenOf, decode, expectTag, hex, readOid, readSmallInteger, readTime, TAGS } from './der.ts';
import { OIDS } from './oids.ts';
import { SignatureFault, Unsupported } from './signed-data.ts';

/** Thrown when an answer or its token fails a check. */
export class TokenFault extends SignatureFault {
  override name = 'TokenFault';
}

/** The contents of a timestamp token. */
export interface TstInfo {
  policy: string;
  imprint: Uint8Array;
  /** The imprint's digest algorithm. */
  digest: string;
  serial: string;
  time: Date;
  nonce: Uint8Array | null;
}

/** Throws a TokenFault or a DerError. */
export function readTstInfo(encoded: Uint8Array): TstInfo {
  const [version, policy, imprint, serial, time, ...optional] = childrenOf(decode(encoded), TAGS.sequence);
  if (readSmallInteger(version) !== 1) throw new TokenFault('unknown version');
  const [algorithm, hashed] = childrenOf(imprint, TAGS.sequence);
  const [algorithmId] = childrenOf(algorithm, TAGS.sequence);
  const digest = STRONG_DIGESTS.get(readOid(algorithmId));
  if (digest === undefined) throw new Unsupported('the imprint is weak or unknown');
  return {
    policy: readOid(policy),
    imprint: expectTag(hashed, TAGS.octetString).content,
    digest,
    serial: hex(expectTag(serial, TAGS.integer).content).toUpperCase(),
    time: readTime(expectTag(time, TAGS.generalizedTime)),
    nonce: optional.find((field) => field.tag === TAGS.integer)?.raw ?? null,
  };
}

/** Purpose, strength and validity of the authority's own certificate. Throws a TokenFault. */
export function checkAuthority(signer: CertificateFields, time: Date): void {
  if (!isForTimestampsAlone(signer))
    throw new TokenFault("the authority's certificate is not for timestamps alone");
  const { keyUsage } = signer;
  if (keyUsage && !keyUsage.digitalSignature && !keyUsage.nonRepudiation) {
    throw new TokenFault("the authority's certificate may not sign");
  }
  if (!isStrongKey(signer.key)) throw new TokenFault("the authority's key is too weak");
  if (!isValidAt(signer, time)) throw new TokenFault("the authority's certificate was not valid at the time");
}

/** As RFC 3161, 2.3 demands of an authority. */
export const isForTimestampsAlone = ({ extendedKeyUsage }: CertificateFields): boolean =>
  extendedKeyUsage?.critical === true &&
  extendedKeyUsage.purposes.length === 1 &&
  extendedKeyUsage.purposes[0] === OIDS.timeStamping;
