import { createHash } from 'node:crypto';
import { updateCatalog } from './catalog.ts';
import { importPages } from './import-pages.ts';
import { Increment } from './increment.ts';
import { inflate } from './inflate.ts';
import type { DigestBy } from './keys/algorithm.ts';
import { HashedOriginal } from './original.ts';
import { Budget } from './pdf/budget.ts';
import { extendedArray, setEntry, withEdits } from './pdf/edit.ts';
import { PdfFile } from './pdf/file.ts';
import { damaged } from './pdf/refusal.ts';
import { dateString, textString } from './pdf/text.ts';
import { type PdfRef, PdfStream } from './pdf/values.ts';
import type { SealPlan } from './plan.ts';
import { readStructure } from './structure.ts';
import type { Timestamp } from './timestamp.ts';

/** Reserved for the CMS: 6 KB with two certificates and a timestamp, twice that with a long chain. */
export const CONTENTS_BYTES = 20 * 1024;

export interface SignatureText {
  time: Date;
  name: string;
  reason?: string | undefined;
}

export interface Unsigned {
  chunks: readonly Uint8Array[];
  /** Offsets in the whole file: of the "<" of /Contents, and just after its ">". */
  contentsFrom: number;
  contentsTo: number;
  byteRangeAt: number;
  length: number;
  pagesAdded: number;
}

export const BYTE_RANGE_ROOM = '['.length + 4 * 10 + 3 + ']'.length;

/**
 * Builds the seal's increment, with the signature page unless the document already carries signatures. `isFollowed`: true if
 * a revision with proofs will follow.
 */
export function buildIncrement(
  plan: SealPlan,
  text: SignatureText,
  signaturePage?: Uint8Array,
  isFollowed = false,
): Unsigned {
  const head = `/Type /Sig\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.CAdES.detached\n${describe(text)}${certification(plan)}`;
  const restated = isFollowed && !plan.signed ? appearancesToRestate(plan) : [];
  return appendSignature(
    plan,
    { head, fieldName: 'Seal', restated },
    plan.signed ? undefined : signaturePage,
  );
}

/** Builds the increment of a document timestamp (EN 319 142-1, 5.4.3) over a sealed file. */
export const buildTimestampIncrement = (plan: SealPlan, page?: PdfRef): Unsigned =>
  appendSignature(plan, {
    head: '/Type /DocTimeStamp\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.RFC3161\n',
    fieldName: 'Timestamp',
    restated: [],
    page,
  });

/**
 * Makes the first signature of a document certify it (DocMDP, P=2): validators report any later change of what is shown, but allow
 * further signatures, a DSS and document timestamps. P=2 also allows filling in forms, so existing fields are locked by name
 * (FieldMDP); locking all would forbid the next signature field.
 */
function certification({ signed, catalog, form }: SealPlan): string {
  if (signed) return '';
  const references = [
    '<</Type /SigRef /TransformMethod /DocMDP /TransformParams <</Type /TransformParams /V /1.2 /P 2>>>>',
  ];
  if (form.lockable.length > 0) {
    const names = form.lockable.map(textString).join('\n');
    references.push(
      `<</Type /SigRef /TransformMethod /FieldMDP /Data ${catalog.ref} /TransformParams <</Type /TransformParams /V /1.2 /Action /Include /Fields [${names}]>>>>`,
    );
  }
  return `/Reference [${references.join('\n')}]\n`;
}

interface Restated {
  ref: PdfRef;
  content: (string | Uint8Array)[];
}

/** For all appearances together; beyond it none is written again. */
const MAX_RESTATED_BYTES = 1024 * 1024;

/**
 * The appearances of the fields that the seal locks, to be rewritten unchanged: pyHanko (0.38) reports a locked field as changed by
 * any later revision unless the sealed revision wrote its appearance.
 */
function appearancesToRestate({ file, form }: SealPlan): Restated[] {
  const refs = new Map([...form.drawn.values()].flat().map((ref) => [ref.num, ref]));
  const restated: Restated[] = [];
  let bytes = 0;
  for (const ref of refs.values()) {
    const look = file.object(ref);
    if (!(look instanceof PdfStream)) continue;
    const { source, from, to } = look.dict;
    const data = file.streamData(look);
    bytes += to - from + data.length;
    if (bytes > MAX_RESTATED_BYTES) return [];
    restated.push({ ref, content: [source.subarray(from, to), '\nstream\n', data, '\nendstream'] });
  }
  return restated;
}

interface Signature {
  head: string;
  fieldName: string;
  restated: readonly Restated[];
  /**
   * The page of the field, if no page is added; by default the last one. In a sealed document that is usually the signature page,
   * where PDF/UA allows a field; other pages would need a tab order.
   */
  page?: PdfRef | undefined;
}

/** Appends pages, a signature field, and its dictionary with /ByteRange and /Contents still empty. */
function appendSignature(
  plan: SealPlan,
  { head, fieldName, restated, page: wanted }: Signature,
  pages?: Uint8Array,
): Unsigned {
  const increment = new Increment(plan.file);
  const signature = increment.newRef();
  const field = increment.newRef();
  const added = pages ? addPages(plan, increment, new PdfFile(pages, new Budget(inflate)), field) : [];
  const page = added.at(-1) ?? annotate(plan, increment, field, wanted ?? plan.pageTree.pages.at(-1));

  const contents = `<${'0'.repeat(CONTENTS_BYTES * 2)}>`;
  const beforeByteRange = `<<\n${head}/ByteRange `;
  const beforeContents = `${beforeByteRange}${' '.repeat(BYTE_RANGE_ROOM)}\n/Contents `;
  const begins = increment.put(signature, beforeContents, contents, '\n>>');
  for (const { ref, content } of restated) increment.put(ref, ...content);
  putField(plan, increment, { field, page, signature, fieldName });
  updateCatalog(plan, increment, { field, signature });
  if (!plan.signed) increment.listMissing();
  increment.finish();
  return {
    chunks: increment.chunks,
    byteRangeAt: begins + beforeByteRange.length,
    contentsFrom: begins + beforeContents.length,
    contentsTo: begins + beforeContents.length + contents.length,
    length: increment.end,
    pagesAdded: added.length,
  };
}

/** Appends the pages to the original's page tree; the last one carries the signature field. */
function addPages(plan: SealPlan, increment: Increment, source: PdfFile, field: PdfRef): PdfRef[] {
  const { root, rootDict, pages } = plan.pageTree;
  const added = importPages(source, increment, {
    parent: root,
    widgetOnLastPage: field,
    structure: readStructure(plan),
  });
  const kids = plan.file.array(rootDict.get('Kids'), 'the list of pages');
  increment.put(
    root,
    ...withEdits(rootDict, [
      ...setEntry(rootDict, 'Kids', extendedArray(kids, added.join(' '))),
      ...setEntry(rootDict, 'Count', String(pages.length + added.length)),
    ]),
  );
  return added;
}

/** Copies the page's list of annotations, since pages may share one. */
function annotate(plan: SealPlan, increment: Increment, field: PdfRef, page: PdfRef | undefined): PdfRef {
  if (page === undefined) throw damaged('no page can carry the signature');
  const dict = plan.file.dict(page, 'a page');
  const annotations = plan.file.array(dict.get('Annots'), "a page's list of annotations");
  increment.put(
    page,
    ...withEdits(dict, setEntry(dict, 'Annots', extendedArray(annotations, String(field)))),
  );
  return page;
}

interface FieldParts {
  field: PdfRef;
  page: PdfRef;
  signature: PdfRef;
  fieldName: string;
}

/** Field and widget in one object, with an empty rectangle: what people see is the signature page. */
function putField(
  plan: SealPlan,
  increment: Increment,
  { field, page, signature, fieldName }: FieldParts,
): void {
  const name = textString(freeName(fieldName, plan.form.names));
  // The appearance is empty too, but PDF/A-1 requires one.
  const appearance = increment.newRef();
  increment.put(
    appearance,
    '<</Type /XObject /Subtype /Form /BBox [0 0 0 0] /Resources <<>> /Length 0>>\nstream\n\nendstream',
  );
  increment.put(
    field,
    `<<\n/Type /Annot\n/Subtype /Widget\n/FT /Sig\n/T ${name}\n/V ${signature}\n/P ${page}\n/Rect [0 0 0 0]\n/F 132\n/AP <</N ${appearance}>>\n>>`,
  );
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}${number}`;
  return name;
}

function describe({ time, name, reason }: SignatureText): string {
  const stated = reason ? `/Reason ${textString(reason)}\n` : '';
  return `/M ${dateString(time)}\n/Name ${textString(name)}\n${stated}`;
}

/** Appends a revision. `sign` gets the digest of the whole file without /Contents, and makes what goes there. */
export async function signRevision(
  original: HashedOriginal,
  unsigned: Unsigned,
  sign: (digestBy: DigestBy) => Promise<{ contents: Uint8Array; stamp: Timestamp }>,
): Promise<{ file: HashedOriginal<Buffer>; stamp: Timestamp }> {
  const { contentsFrom, contentsTo } = unsigned;
  const bytes = writeUnsigned(original.bytes, unsigned);
  // A digest by SHA-256 and the file's own hash share the prefix up to /Contents, so the file is hashed once.
  const prefix = original.continuedHash().update(bytes.subarray(original.bytes.length, contentsFrom));
  const { contents, stamp } = await sign((algorithm) => {
    const begun =
      algorithm === 'sha256' ? prefix.copy() : createHash(algorithm).update(bytes.subarray(0, contentsFrom));
    return begun.update(bytes.subarray(contentsTo)).digest();
  });
  bytes.write(Buffer.from(contents).toString('hex'), contentsFrom + 1, 'latin1');
  return { file: new HashedOriginal(bytes, prefix.update(bytes.subarray(contentsFrom))), stamp };
}

/** The whole file with /ByteRange filled in and /Contents still zero. */
export function writeUnsigned(original: Uint8Array, unsigned: Unsigned): Buffer {
  const { chunks, length, contentsFrom, contentsTo, byteRangeAt } = unsigned;
  const bytes = Buffer.allocUnsafeSlow(length);
  bytes.set(original, 0);
  let at = original.length;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  const range = [0, contentsFrom, contentsTo, length - contentsTo]
    .map((each) => String(each).padEnd(10))
    .join(' ');
  bytes.write(`[${range}]`, byteRangeAt, 'latin1');
  return bytes;
}
