import { createHash } from 'node:crypto';
import * as z from 'zod';

export const messageAttributes = z.record(
  z.string(),
  z.object({ DataType: z.string(), StringValue: z.string().optional(), BinaryValue: z.base64().optional() }),
);
export type MessageAttributes = z.infer<typeof messageAttributes>;

/** SQS's own digest: for each attribute by name, length-prefixed name, type and value, with 1 for text and 2 for bytes. */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const add = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const attribute = attributes[name];
    if (!attribute) continue;
    const binary = attribute.BinaryValue !== undefined;
    add(Buffer.from(name));
    add(Buffer.from(attribute.DataType));
    hash.update(Buffer.from([binary ? 2 : 1]));
    add(
      binary ? Buffer.from(attribute.BinaryValue ?? '', 'base64') : Buffer.from(attribute.StringValue ?? ''),
    );
  }
  return hash.digest('hex');
}

export function sizeOfAttributes(attributes: MessageAttributes): number {
  return Object.entries(attributes).reduce(
    (total, [name, { DataType, StringValue, BinaryValue }]) =>
      total +
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType) +
      Buffer.byteLength(StringValue ?? '') +
      Buffer.byteLength(BinaryValue ?? '', 'base64'),
    0,
  );
}
