import { buildTimestampIncrement, CONTENTS_BYTES, type Unsigned, writeUnsigned } from '../append.ts';
import { orUnsealable } from '../errors.ts';
import { HashedOriginal } from '../original.ts';
import { planSeal } from '../plan.ts';
import type { Timestamp, Timestamper } from '../timestamp.ts';

/** Adds a document timestamp over the whole file in a revision of its own. */
export async function addDocumentTimestamp(
  file: HashedOriginal,
  timestamp: Timestamper,
): Promise<{ file: HashedOriginal<Buffer>; stamp: Timestamp }> {
  const { file: bytes, unsigned } = orUnsealable(() => emptyTimestamp(file.bytes));
  const { contentsFrom, contentsTo } = unsigned;
  const prefix = file.continuedHash().update(bytes.subarray(file.bytes.length, contentsFrom));
  const imprint = prefix.copy().update(bytes.subarray(contentsTo)).digest();
  const stamp = await timestamp(imprint, CONTENTS_BYTES);
  bytes.write(Buffer.from(stamp.token).toString('hex'), contentsFrom + 1, 'latin1');
  return { file: new HashedOriginal(bytes, prefix.update(bytes.subarray(contentsFrom))), stamp };
}

/** The revision of a document timestamp without its token. Throws a PdfRefusal. */
export function emptyTimestamp(
  bytes: Uint8Array,
  isOnFirstPage = false,
): { file: Buffer; unsigned: Unsigned } {
  const plan = planSeal(bytes);
  const unsigned = buildTimestampIncrement(plan, isOnFirstPage ? plan.pageTree.pages[0] : undefined);
  return { file: writeUnsigned(bytes, unsigned), unsigned };
}
