import { writeUnsigned } from '../append.ts';
import type { Certificate } from '../certificate.ts';
import { readCertificate, sha256 } from '../certificate.ts';
import { decodeFirst, sameBytes } from '../der.ts';
import { SignatureFault } from '../faults.ts';
import type { Lasting } from '../level.ts';
import { type VerifiedToken, verifyToken } from '../timestamp-token.ts';
import { isForTimestampsAlone } from '../tst-info.ts';
import { emptyTimestamp } from './document-timestamp.ts';
import { readStore, type Store, storeIncrement } from './dss.ts';
import { proveFrom } from './prove.ts';
import { isProved } from './raise.ts';

/** A verified B-T seal. */
export interface VerifiedSeal {
  own: Certificate;
  others: readonly Certificate[];
  stamp: VerifiedToken;
  /** Pinned certificates of the authorities. */
  anchors: readonly Certificate[];
}

/**
 * The level of a file whose first `end` bytes are a verified B-T seal. What follows must be exactly what `raise` would
 * have written, and prove what it is there to prove. Throws a SignatureFault or a PdfRefusal.
 */
export function verifyLevel(bytes: Uint8Array, end: number, seal: VerifiedSeal): Lasting {
  const until = seal.stamp.signer.notAfter.toISOString();
  if (bytes.length === end) return { level: 'B-T', until };
  const store = readStore(bytes, end);
  const increment = storeIncrement(bytes.subarray(0, end), store);
  const stored = end + increment.length;
  if (!sameBytes(bytes.subarray(end, stored), increment))
    throw new SignatureFault('more than proofs follows the seal');
  const proved = proveAll(store, seal);
  if (bytes.length === stored) return { level: 'B-LT', until };
  const { signer } = verifyDocumentTimestamp(bytes, stored, seal.anchors);
  if (!isProved(signer, proved)) throw new SignatureFault("the document timestamp's authority is not proved");
  return { level: 'B-LTA', until: signer.notAfter.toISOString() };
}

/** Proofs are gathered after the timestamp is made, and its clock may be 5 minutes behind ours. */
const MAX_DELAY_MS = 10 * 60 * 1000;

/** Every chain in the store, proved at the time of the seal. */
function proveAll(store: Store, { own, others, stamp, anchors }: VerifiedSeal) {
  const answers = [
    ...store.OCSPs.map((der) => ({ kind: 'ocsp' as const, der })),
    ...store.CRLs.map((der) => ({ kind: 'crl' as const, der })),
  ];
  const certificates = store.Certs.map(readCertificate);
  const latest = new Date(stamp.time.getTime() + MAX_DELAY_MS);
  const prove = (leaf: Certificate, more: readonly Certificate[], pinned: readonly Certificate[]) =>
    proveFrom(
      { certificates: [leaf, ...more, ...certificates], anchors: pinned },
      answers,
      stamp.time,
      latest,
    );
  const authorities = certificates.filter(isForTimestampsAlone);
  return [
    prove(own, others, []),
    prove(stamp.signer, stamp.others, anchors),
    ...authorities.map((authority) => prove(authority, [], anchors)),
  ];
}

function verifyDocumentTimestamp(
  bytes: Uint8Array,
  from: number,
  anchors: readonly Certificate[],
): VerifiedToken {
  const { contents, contentsFrom, contentsTo } = readTimestamp(bytes, from);
  const padded = Buffer.from(contents, 'hex');
  const token = decodeFirst(padded).raw;
  if (padded.subarray(token.length).some((byte) => byte !== 0))
    throw new SignatureFault('the padding was changed');
  const imprint = sha256(bytes.subarray(0, contentsFrom), bytes.subarray(contentsTo));
  return verifyToken(token, imprint, anchors);
}

/** Compares with the revision that sealing writes: the timestamp's field is on the last page, in older files on the first. */
function readTimestamp(bytes: Uint8Array, from: number) {
  for (const isOnFirstPage of [false, true]) {
    const before = bytes.subarray(0, from);
    const unsigned = emptyTimestamp(before, isOnFirstPage);
    const file = writeUnsigned(before, unsigned);
    const { contentsFrom, contentsTo } = unsigned;
    const contents = Buffer.from(bytes.subarray(contentsFrom + 1, contentsTo - 1)).toString('latin1');
    file.write(contents, contentsFrom + 1, 'latin1');
    if (/^(?:[\da-f]{2})*$/.test(contents) && sameBytes(file, bytes))
      return { contents, contentsFrom, contentsTo };
  }
  throw new SignatureFault('more than a document timestamp follows the proofs');
}
