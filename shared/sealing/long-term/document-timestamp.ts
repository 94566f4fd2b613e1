import { buildTimestampIncrement, CONTENTS_BYTES, signRevision, type Unsigned } from '../append.ts';
import { orUnsealable } from '../errors.ts';
import type { HashedOriginal } from '../original.ts';
import { planSeal } from '../plan.ts';
import type { Timestamp, Timestamper } from '../timestamp.ts';

/** Adds a document timestamp over the whole file in a revision of its own. */
export async function addDocumentTimestamp(
  file: HashedOriginal,
  timestamp: Timestamper,
): Promise<{ file: HashedOriginal<Buffer>; stamp: Timestamp }> {
  const unsigned = orUnsealable(() => emptyTimestamp(file.bytes));
  return signRevision(file, unsigned, async (digestBy) => {
    const stamp = await timestamp(digestBy('sha256'), CONTENTS_BYTES);
    return { contents: stamp.token, stamp };
  });
}

/** The revision of a document timestamp without its token. Throws a PdfRefusal. */
export function emptyTimestamp(bytes: Uint8Array, isOnFirstPage = false): Unsigned {
  const plan = planSeal(bytes);
  return buildTimestampIncrement(plan, isOnFirstPage ? plan.pageTree.pages[0] : undefined);
}
