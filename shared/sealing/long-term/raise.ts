import type { SealSigner } from '../cades.ts';
import { type Certificate, oneLine } from '../certificate.ts';
import { sameBytes } from '../der.ts';
import { orUnsealable, SealError, TimestampUnavailable } from '../errors.ts';
import { HashedOriginal } from '../original.ts';
import type { Timestamp, Timestamper } from '../timestamp.ts';
import type { Known } from './chain.ts';
import { addDocumentTimestamp } from './document-timestamp.ts';
import { storeIncrement, storeOf } from './dss.ts';
import type { ProvedChain } from './proof.ts';
import type { Prove } from './prove.ts';

/** A file with its newest timestamp. */
interface Stamped {
  file: HashedOriginal<Buffer>;
  stamp: Timestamp;
}

/** Raises a B-T seal to the wanted level. Throws a SealError rather than give a lower one. */
export async function raise(
  sealed: HashedOriginal<Buffer>,
  { longTerm, timestamp }: Pick<SealSigner, 'longTerm' | 'timestamp'>,
  { chain, stamp }: { chain: readonly Certificate[]; stamp: Timestamp },
): Promise<Stamped> {
  if (longTerm === undefined) return { file: sealed, stamp };
  const { level, prove } = longTerm;
  const proved = await Promise.all([
    prove({ certificates: chain, anchors: [] }),
    proveAuthority(stamp.chain, prove),
  ]);
  if (level === 'B-LT') return { file: addProofs(sealed, proved), stamp };
  return stampProved(sealed, proved, { prove, timestamp });
}

/**
 * Adds proofs and a document timestamp over them. The proofs must include the timestamp's own chain: if the authority answers
 * with a certificate that is not proved yet, its proofs are added and everything is made again.
 */
export async function stampProved(
  file: HashedOriginal,
  proved: readonly ProvedChain[],
  { prove, timestamp }: { prove: Prove; timestamp: Timestamper },
): Promise<Stamped> {
  const all = [...proved];
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const withProofs = addProofs(file, all);
    const stamped = await addDocumentTimestamp(withProofs, timestamp);
    if (isProved(stamped.stamp.chain.certificates[0], all)) return stamped;
    all.push(await proveAuthority(stamped.stamp.chain, prove));
  }
  throw new SealError('timestamp_unavailable', 'the authorities answer with new certificates each time');
}

const MAX_ATTEMPTS = 3;

function addProofs(file: HashedOriginal, proved: readonly ProvedChain[]): HashedOriginal<Buffer> {
  const increment = orUnsealable(() => storeIncrement(file.bytes, storeOf(proved)));
  const bytes = Buffer.concat([file.bytes, increment]);
  return new HashedOriginal(bytes, file.continuedHash().update(increment));
}

export const isProved = (leaf: Certificate | undefined, proved: readonly ProvedChain[]): boolean =>
  proved.some(({ chain: [own] }) => own && leaf && sameBytes(own.der, leaf.der));

/** An operator can replace a revoked authority, so the seal waits instead of failing. */
export async function proveAuthority(known: Known, prove: Prove): Promise<ProvedChain> {
  try {
    return await prove(known);
  } catch (error) {
    if (!(error instanceof SealError && error.permanent)) throw error;
    const authority = known.certificates[0] ? oneLine(known.certificates[0].x509.subject) : '';
    throw new TimestampUnavailable([{ authority, fault: error.told }]);
  }
}
