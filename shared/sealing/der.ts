import { SignatureFault } from './faults.ts';

/**
 * Reads the part of DER (ITU-T X.690) that certificates, CMS and timestamps need; der-encode.ts writes it. Nodes keep
 * their original bytes, because what was signed must be hashed exactly as it was sent.
 */
export interface DerNode {
  tag: number;
  /** Tag, length and content. */
  raw: Uint8Array;
  content: Uint8Array;
}

/** Signed bytes with their signature, as in certificates, revocation lists and CMS. */
export interface Signed {
  signed: Uint8Array;
  signatureAlgorithm: DerNode | undefined;
  signature: Uint8Array;
}

export const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The tag [n], constructed. */
export const contextTag = (number: number): number => 0xa0 | number;

/** Thrown for bytes that cannot be read. */
export class DerError extends SignatureFault {
  override name = 'DerError';
}

/** Reads bytes that hold exactly one value. */
export function decode(bytes: Uint8Array): DerNode {
  const node = readAt(bytes, 0);
  if (node.raw.length !== bytes.length) throw new DerError('trailing bytes');
  return node;
}

/** Reads the first value; padding may follow it. */
export const decodeFirst = (bytes: Uint8Array): DerNode => readAt(bytes, 0);

/** Far more than any real list that is read whole. A node takes a hundred times the memory of its bytes. */
const MAX_CHILDREN = 10_000;

export function children(node: DerNode): DerNode[] {
  const nodes: DerNode[] = [];
  for (let at = 0; at < node.content.length; ) {
    if (nodes.length === MAX_CHILDREN) throw new DerError('too many values');
    const child = readAt(node.content, at);
    nodes.push(child);
    at += child.raw.length;
  }
  return nodes;
}

/** The node itself if it has the tag; throws otherwise. */
export function expectTag(node: DerNode | undefined, tag: number): DerNode {
  if (node?.tag === tag) return node;
  throw new DerError(`expected tag ${tag.toString(16)}, found ${node?.tag.toString(16) ?? 'nothing'}`);
}

export const childrenOf = (node: DerNode | undefined, tag: number): DerNode[] =>
  children(expectTag(node, tag));

/** The content of an OCTET STRING. */
export const octets = (node: DerNode | undefined): Uint8Array => expectTag(node, TAGS.octetString).content;

function readAt(bytes: Uint8Array, at: number): DerNode {
  const { tag, from, to } = spanAt(bytes, at);
  return { tag, raw: bytes.subarray(at, to), content: bytes.subarray(from, to) };
}

/** The tag of the value at an offset, and where its content begins and ends. */
export function spanAt(bytes: Uint8Array, at: number): { tag: number; from: number; to: number } {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw new DerError('truncated');
  if ((tag & 0x1f) === 0x1f) throw new DerError('multi-byte tags are not supported');
  let length = first;
  let header = 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new DerError('impossible length');
    length = 0;
    for (let i = 0; i < count; i += 1) length = length * 256 + (bytes[at + 2 + i] ?? 0);
    header += count;
  }
  const from = at + header;
  const to = from + length;
  if (to > bytes.length) throw new DerError('truncated');
  return { tag, from, to };
}

/** In bytes; real ones have up to 40. The text takes a hundred times their memory, and a file may have an OID of 30 MB. */
const MAX_OID = 100;

export function readOid(node: DerNode | undefined): string {
  const { content } = expectTag(node, TAGS.oid);
  if (content.length > MAX_OID) throw new DerError('an OID is too long');
  const arcs: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(value);
      value = 0;
    }
  }
  if (value !== 0 || arcs.length === 0) throw new DerError('an OID has no end');
  const [joined = 0, ...rest] = arcs;
  const first = Math.min(Math.floor(joined / 40), 2);
  return [first, joined - first * 40, ...rest].join('.');
}

/** A non-negative number of at most 48 bits. */
export const readSmallInteger = (node: DerNode | undefined): number =>
  smallNumber(expectTag(node, TAGS.integer));

export const readEnumerated = (node: DerNode | undefined): number =>
  smallNumber(expectTag(node, TAGS.enumerated));

function smallNumber({ content }: DerNode): number {
  if (content.length === 0 || content.length > 6 || (content[0] ?? 0) >= 0x80)
    throw new DerError('not a small number');
  return content.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** In bytes; no valid time is longer. */
const MAX_TIME = 40;

export function readTime(node: DerNode | undefined): Date {
  if (node === undefined) throw new DerError('no time');
  const text = String.fromCharCode(...node.content.subarray(0, MAX_TIME));
  const pattern =
    node.tag === TAGS.utcTime
      ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)()Z$/
      : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/;
  const match = node.tag === TAGS.utcTime || node.tag === TAGS.generalizedTime ? pattern.exec(text) : null;
  if (match === null) throw new DerError('not a time in UTC');
  const [, year = '', month, day, hour, minute, second, fraction = ''] = match;
  const century = Number(year) < 50 ? '20' : '19';
  const fullYear = year.length === 4 ? year : `${century}${year}`;
  const time = new Date(`${fullYear}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(time.getTime())) throw new DerError('no such time');
  return time;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/** Each once, by its DER. */
export const distinct = <T extends { der: Uint8Array }>(all: readonly T[]): T[] => [
  ...new Map(all.map((each) => [hex(each.der), each])).values(),
];

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export const hex = (bytes: Uint8Array): string => bytes.reduce((digits, byte) => digits + HEX[byte], '');
