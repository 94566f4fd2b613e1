/**
 * As much of DER (ITU-T X.690) as certificates, CMS and timestamps need. Values are kept as the bytes they came in:
 * what was signed must be hashed exactly as it was sent.
 */
export interface DerNode {
  tag: number;
  /** Header and content. */
  raw: Uint8Array;
  content: Uint8Array;
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** [n], constructed. */
export const contextTag = (number: number): number => 0xa0 | number;

export class DerError extends Error {
  override name = 'DerError';
}

export function encode(tag: number, ...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...parts]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...parts: Uint8Array[]): Buffer => encode(tags.sequence, ...parts);
export const octetString = (bytes: Uint8Array): Buffer => encode(tags.octetString, bytes);
export const derNull = (): Buffer => encode(tags.null);

/** A SET OF: DER wants its elements in the order of their encodings, and strict verifiers insist. */
export const setOf = (...parts: Uint8Array[]): Buffer => encode(tags.set, ...parts.toSorted(Buffer.compare));

/** A number that is not negative, from its big-endian bytes. */
export function integer(value: Uint8Array | number): Buffer {
  const bytes = typeof value === 'number' ? Buffer.from(value.toString(16).padStart(16, '0'), 'hex') : value;
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  const sign = (significant[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array();
  return encode(tags.integer, sign, significant);
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift(0x80 | (left % 128));
    return groups;
  });
  return encode(tags.oid, Buffer.from(bytes));
}

/** The same content under another tag, as IMPLICIT tagging wants it. */
export const retag = (tag: number, encoded: Uint8Array): Buffer => {
  const copy = Buffer.from(encoded);
  copy[0] = tag;
  return copy;
};

/** The one value that the bytes hold, and nothing after it. */
export function decode(bytes: Uint8Array): DerNode {
  const node = readAt(bytes, 0);
  if (node.raw.length !== bytes.length) throw new DerError('bytes after the end');
  return node;
}

/** The values inside a constructed one. */
export function children(node: DerNode): DerNode[] {
  const nodes: DerNode[] = [];
  for (let at = 0; at < node.content.length; ) {
    const child = readAt(node.content, at);
    nodes.push(child);
    at += child.raw.length;
  }
  return nodes;
}

/** The value, if it has the tag; the walk through a structure is a series of these. */
export function expect(node: DerNode | undefined, tag: number): DerNode {
  if (node?.tag === tag) return node;
  throw new DerError(`expected tag ${tag.toString(16)}, found ${node?.tag.toString(16) ?? 'nothing'}`);
}

export const childrenOf = (node: DerNode | undefined, tag: number): DerNode[] => children(expect(node, tag));

function readAt(bytes: Uint8Array, at: number): DerNode {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw new DerError('cut short');
  if ((tag & 0x1f) === 0x1f) throw new DerError('long tags are not in use here');
  let length = first;
  let header = 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new DerError('impossible length');
    length = 0;
    for (let i = 0; i < count; i += 1) length = length * 256 + (bytes[at + 2 + i] ?? 0);
    header += count;
  }
  const end = at + header + length;
  if (end > bytes.length) throw new DerError('cut short');
  return { tag, raw: bytes.subarray(at, end), content: bytes.subarray(at + header, end) };
}

export function readOid(node: DerNode | undefined): string {
  const arcs: number[] = [];
  let value = 0;
  for (const byte of expect(node, tags.oid).content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(value);
      value = 0;
    }
  }
  const [joined = 0, ...rest] = arcs;
  const first = Math.min(Math.floor(joined / 40), 2);
  return [first, joined - first * 40, ...rest].join('.');
}

/** A number of at most 48 bits. */
export function readSmallInteger(node: DerNode | undefined): number {
  const { content } = expect(node, tags.integer);
  if (content.length === 0 || content.length > 6 || (content[0] ?? 0) >= 0x80)
    throw new DerError('no small number');
  return content.reduce((sum, byte) => sum * 256 + byte, 0);
}

export function readTime(node: DerNode | undefined): Date {
  if (node === undefined) throw new DerError('no time');
  const text = Buffer.from(node.content).toString('latin1');
  const pattern =
    node.tag === tags.utcTime
      ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)()Z$/
      : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/;
  const match = node.tag === tags.utcTime || node.tag === tags.generalizedTime ? pattern.exec(text) : null;
  if (match === null) throw new DerError('no time in UTC');
  const [, year = '', month, day, hour, minute, second, fraction = ''] = match;
  const century = Number(year) < 50 ? '20' : '19';
  const fullYear = year.length === 4 ? year : `${century}${year}`;
  const time = new Date(`${fullYear}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(time.getTime())) throw new DerError('no such time');
  return time;
}

export function encodeTime(time: Date): Buffer {
  const digits = time.toISOString().slice(0, 19).replace(/\D/g, '');
  const late = time.getUTCFullYear() >= 2050;
  const text = late ? `${digits}Z` : `${digits.slice(2)}Z`;
  return encode(late ? tags.generalizedTime : tags.utcTime, Buffer.from(text, 'latin1'));
}
