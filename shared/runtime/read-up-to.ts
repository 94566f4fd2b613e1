/** All bytes of a stream; throws the fault once there are more than `limit`. */
export async function readUpTo(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
  fault: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) throw fault();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
