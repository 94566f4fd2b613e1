import type { Certificate } from '../certificate.ts';
import { orUnsealable, SealError } from '../errors.ts';
import { HashedOriginal } from '../original.ts';
import type { Timestamper } from '../timestamp.ts';
import type { Known } from './chain.ts';
import { certificatesOfLastTimestamp } from './holds-until.ts';
import type { Prove } from './prove.ts';
import { proveAuthority, stampProved } from './raise.ts';

export interface Renewal {
  prove: Prove;
  timestamp: Timestamper;
  /** Pinned certificates that the last document timestamp leads to. */
  anchors: readonly Certificate[];
}

/**
 * Extends a B-LTA file before the certificate of its last document timestamp ends: adds proofs for that timestamp's chain and
 * another document timestamp over everything. The given bytes stay the prefix of the result.
 */
export async function renew(file: Uint8Array, { prove, timestamp, anchors }: Renewal): Promise<Buffer> {
  const last = await proveAuthority(chainOfLastTimestamp(file, anchors), prove);
  return (await stampProved(new HashedOriginal(file), [last], { prove, timestamp })).file.bytes;
}

function chainOfLastTimestamp(bytes: Uint8Array, anchors: readonly Certificate[]): Known {
  const certificates = orUnsealable(() => certificatesOfLastTimestamp(bytes));
  if (certificates.length === 0) throw new SealError('original_unsealable', 'there is no document timestamp');
  return { certificates, anchors };
}
