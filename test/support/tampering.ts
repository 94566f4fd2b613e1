import { children, type DerNode, decode } from '../../shared/sealing/der.ts';
import { encode } from '../../shared/sealing/der-encode.ts';
import { Increment } from '../../shared/sealing/increment.ts';
import { inflate } from '../../shared/sealing/inflate.ts';
import { Budget } from '../../shared/sealing/pdf/budget.ts';
import { setEntry, withEdits } from '../../shared/sealing/pdf/edit.ts';
import { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { readPageTree } from '../../shared/sealing/pdf/pages.ts';
import { PdfRef } from '../../shared/sealing/pdf/values.ts';

/** Makes forgeries of sealed PDFs. */

/** Changes bits of one byte. */
export function flipped(bytes: Uint8Array, at: number, mask = 1): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ mask;
  return copy;
}

/** Offsets of the "<" of the last /Contents and just after its ">". */
export function contentsOf(bytes: Buffer): { from: number; to: number } {
  const from = bytes.lastIndexOf('/Contents <') + '/Contents '.length;
  return { from, to: bytes.indexOf('>', from) + 1 };
}

/** Changes bits of one byte of the CMS. */
export function withCms(bytes: Buffer, index: number, mask: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = contentsOf(bytes).from + 1 + 2 * index;
  const byte = Number.parseInt(bytes.toString('latin1', at, at + 2), 16) ^ mask;
  copy.write(byte.toString(16).padStart(2, '0'), at, 'latin1');
  return copy;
}

export function cmsLength(bytes: Buffer): number {
  const { from } = contentsOf(bytes);
  return 4 + Number.parseInt(bytes.toString('latin1', from + 5, from + 9), 16);
}

/** The CMS of the last signature. */
export function cmsOf(bytes: Buffer): Buffer {
  const { from } = contentsOf(bytes);
  return Buffer.from(bytes.toString('latin1', from + 1, from + 1 + 2 * cmsLength(bytes)), 'hex');
}

/** Puts other text between the two ranges, padded with zeros within the brackets. */
export function withGap(bytes: Buffer, text: string): Buffer {
  const { from, to } = contentsOf(bytes);
  const copy = Buffer.from(bytes);
  copy.write(text.slice(0, -1).padEnd(to - from - 1, '0') + text.slice(-1), from, 'latin1');
  return copy;
}

export const withCmsBytes = (bytes: Buffer, cms: Uint8Array): Buffer =>
  withGap(bytes, `<${Buffer.from(cms).toString('hex')}>`);

/** Places in a CMS, as the indexes that lead there. */
export const CMS = {
  digests: [1, 0, 1],
  content: [1, 0, 2],
  certificates: [1, 0, 3],
  signers: [1, 0, 4],
  signer: [1, 0, 4, 0],
  signerDigest: [1, 0, 4, 0, 2],
  signedAttributes: [1, 0, 4, 0, 3],
  signatureAlgorithm: [1, 0, 4, 0, 4],
  signature: [1, 0, 4, 0, 5],
  unsignedAttributes: [1, 0, 4, 0, 6],
} as const satisfies Record<string, readonly number[]>;

function at(node: DerNode, [index, ...path]: readonly number[]): DerNode {
  if (index === undefined) return node;
  const child = children(node)[index];
  if (child === undefined) throw new Error('The CMS has no such part.');
  return at(child, path);
}

export const partOf = (bytes: Buffer, path: readonly number[]): DerNode => at(decode(cmsOf(bytes)), path);

/** Writes a value anew with one part replaced; no bytes take the part away. */
function replaced(node: DerNode, [index, ...path]: readonly number[], by: Uint8Array): Uint8Array {
  if (index === undefined) return by;
  const parts = children(node).map((child, place) =>
    place === index ? replaced(child, path, by) : child.raw,
  );
  return encode(node.tag, ...parts);
}

export const withPart = (bytes: Buffer, path: readonly number[], by: Uint8Array): Buffer =>
  withCmsBytes(bytes, replaced(decode(cmsOf(bytes)), path, by));

/** The CMS as BouncyCastle writes it unless told otherwise: values that hold others have no length, but for what is signed. */
export function withoutLengths(cms: Uint8Array): Buffer {
  const write = ({ tag, raw, content }: DerNode, levels: number): Buffer =>
    levels === 0 || (tag & 0x20) === 0
      ? Buffer.from(raw)
      : Buffer.concat([
          Buffer.of(tag, 0x80),
          ...children({ tag, raw, content }).map((child) => write(child, levels - 1)),
          Buffer.alloc(2),
        ]);
  return write(decode(cms), 4);
}

/** The same signature with its CMS in that form. */
export const inBer = (bytes: Buffer): Buffer => withCmsBytes(bytes, withoutLengths(cmsOf(bytes)));

/** The signature of one file in the room of another's. */
export function withSignatureOf(bytes: Buffer, other: Buffer): Buffer {
  const [to, from] = [contentsOf(bytes), contentsOf(other)];
  const copy = Buffer.from(bytes);
  other.copy(copy, to.from, from.from, from.to);
  return copy;
}

/** An incremental update that some editor might have appended. */
export function revised(bytes: Buffer, change: (file: PdfFile, increment: Increment) => void): Buffer {
  const file = new PdfFile(bytes, new Budget(inflate));
  const increment = new Increment(file);
  change(file, increment);
  increment.finish();
  return Buffer.concat([bytes, ...increment.chunks]);
}

function firstPage(file: PdfFile): PdfRef {
  const [page] = readPageTree(file).pages;
  if (page === undefined) throw new Error('there is no page');
  return page;
}

/** Sets an entry of the first page. */
export const withPageEntry = (bytes: Buffer, key: string, text: string): Buffer =>
  revised(bytes, (file, increment) => {
    const page = firstPage(file);
    const dict = file.dict(page, 'a page');
    increment.put(page, ...withEdits(dict, setEntry(dict, key, text)));
  });

/** Sets an entry of the catalog. */
export const withCatalogEntry = (bytes: Buffer, key: string, text: string): Buffer =>
  revised(bytes, (file, increment) => {
    const root = file.xref.trailer.get('Root');
    if (!(root instanceof PdfRef)) throw new Error('there is no catalog');
    const dict = file.dict(root, 'the catalog');
    increment.put(root, ...withEdits(dict, setEntry(dict, key, text)));
  });

/** A white box with another price over the first page. */
export const stamped = (bytes: Buffer): Buffer =>
  revised(bytes, (file, increment) => {
    const page = firstPage(file);
    const [stamp, look] = [increment.newRef(), increment.newRef()];
    const drawing = '1 g 0 0 300 40 re f';
    increment.put(stamp, `<</Type /Annot /Subtype /Stamp /Rect [50 700 350 740] /F 4 /AP <</N ${look}>>>>`);
    increment.put(
      look,
      `<</Type /XObject /Subtype /Form /BBox [0 0 300 40] /Length ${drawing.length}>>\nstream\n${drawing}\nendstream`,
    );
    const dict = file.dict(page, 'a page');
    increment.put(page, ...withEdits(dict, setEntry(dict, 'Annots', `[${stamp}]`)));
  });

/** An object that nothing refers to. */
export const withUnusedObject = (bytes: Buffer): Buffer =>
  revised(bytes, (_, increment) => {
    increment.put(increment.newRef(), '(more)');
  });

export const appended = (bytes: Buffer, text: string): Buffer => Buffer.concat([bytes, Buffer.from(text)]);
