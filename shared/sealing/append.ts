import { importPages } from './import-pages.ts';
import { Increment } from './increment.ts';
import { type Edit, extendedArray, removeEntry, setEntry, splice } from './pdf/edit.ts';
import { PdfFile } from './pdf/file.ts';
import { damaged } from './pdf/refusal.ts';
import { dateString, textString } from './pdf/text.ts';
import type { PdfDict, PdfRef } from './pdf/values.ts';
import type { SealPlan } from './plan.ts';

/** Room for the CMS. One with two certificates and a timestamp takes 6 KB, long chains up to twice that. */
export const CONTENTS_BYTES = 20 * 1024;

export interface SignatureText {
  time: Date;
  name?: string | undefined;
  reason?: string | undefined;
  location?: string | undefined;
}

export interface Unsigned {
  chunks: readonly Uint8Array[];
  /** Where the "<" of /Contents stands in the whole file, and where the byte after its ">" does. */
  contentsFrom: number;
  contentsTo: number;
  byteRangeAt: number;
  length: number;
  pagesAdded: number;
}

const BYTE_RANGE_ROOM = '['.length + 4 * 10 + 3 + ']'.length;

/**
 * The increment that a seal is: the signature page's pages (never in a document that already carries signatures),
 * the signature field and the signature dictionary with room for what is yet to be made.
 */
export function buildIncrement(plan: SealPlan, text: SignatureText, signaturePage?: Uint8Array): Unsigned {
  const increment = new Increment(plan.file);
  const signature = increment.newRef();
  const field = increment.newRef();
  const added =
    signaturePage && !plan.signed ? addPages(plan, increment, new PdfFile(signaturePage), field) : [];
  const page = added.at(-1) ?? annotateFirstPage(plan, increment, field);

  const contents = `<${'0'.repeat(CONTENTS_BYTES * 2)}>`;
  const head = `<<\n/Type /Sig\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.CAdES.detached\n${describe(text)}`;
  const beforeContents = `${head}/ByteRange ${' '.repeat(BYTE_RANGE_ROOM)}\n/Contents `;
  const begins = increment.put(signature, beforeContents, contents, '\n>>');
  putField(plan, increment, { field, page, signature });
  putForm(plan, increment, field);
  increment.finish();
  return {
    chunks: increment.chunks,
    byteRangeAt: begins + head.length + '/ByteRange '.length,
    contentsFrom: begins + beforeContents.length,
    contentsTo: begins + beforeContents.length + contents.length,
    length: increment.end,
    pagesAdded: added.length,
  };
}

/** Puts the pages at the end of the original's page tree; the last one carries the signature. */
function addPages(plan: SealPlan, increment: Increment, source: PdfFile, field: PdfRef): PdfRef[] {
  const { root, rootDict, pages } = plan.pageTree;
  const added = importPages(source, increment, root, field);
  const kids = plan.file.array(rootDict.get('Kids'), 'the list of pages');
  increment.put(
    root,
    ...edited(rootDict, [
      ...setEntry(rootDict, 'Kids', extendedArray(kids, added.join(' '))),
      ...setEntry(rootDict, 'Count', String(pages.length + added.length)),
    ]),
  );
  return added;
}

/** The list of annotations may be shared with other pages, so this page gets a list of its own. */
function annotateFirstPage(plan: SealPlan, increment: Increment, field: PdfRef): PdfRef {
  const [page] = plan.pageTree.pages;
  if (page === undefined) throw damaged('no page can carry the signature');
  const dict = plan.file.dict(page, 'a page');
  const annotations = plan.file.array(dict.get('Annots'), "a page's list of annotations");
  increment.put(page, ...edited(dict, setEntry(dict, 'Annots', extendedArray(annotations, String(field)))));
  return page;
}

interface FieldParts {
  field: PdfRef;
  page: PdfRef;
  signature: PdfRef;
}

/** Field and widget in one. Its rectangle is empty: what people see is the signature page. */
function putField(plan: SealPlan, increment: Increment, { field, page, signature }: FieldParts): void {
  const name = textString(freeName(plan.form.names));
  increment.put(
    field,
    `<<\n/Type /Annot\n/Subtype /Widget\n/FT /Sig\n/T ${name}\n/V ${signature}\n/P ${page}\n/Rect [0 0 0 0]\n/F 132\n>>`,
  );
}

function freeName(taken: ReadonlySet<string>): string {
  let name = 'Seal';
  for (let number = 2; taken.has(name); number += 1) name = `Seal${number}`;
  return name;
}

/** Makes the form known to the catalog, or adds the field to the form that is there, wherever that stands. */
function putForm(plan: SealPlan, increment: Increment, field: PdfRef): void {
  const { catalog, form } = plan;
  const catalogEdits = plan.dropPermissions ? removeEntry(catalog.dict, 'Perms') : [];
  if (form.dict === null) {
    catalogEdits.push(...setEntry(catalog.dict, 'AcroForm', `<</Fields [${field}] /SigFlags 3>>`));
  } else {
    const formEdits = [
      ...setEntry(form.dict, 'Fields', extendedArray(form.fields, String(field))),
      ...setEntry(form.dict, 'SigFlags', String(form.flags | 3)),
    ];
    if (form.ref === null) catalogEdits.push(...formEdits);
    else increment.put(form.ref, ...edited(form.dict, formEdits));
  }
  if (catalogEdits.length > 0) increment.put(catalog.ref, ...edited(catalog.dict, catalogEdits));
}

const edited = (dict: PdfDict, edits: readonly Edit[]): Uint8Array[] =>
  splice(dict.source, dict.from, dict.to, edits);

function describe({ time, name, reason, location }: SignatureText): string {
  const lines = [`/M ${dateString(time)}`];
  if (name) lines.push(`/Name ${textString(name)}`);
  if (reason) lines.push(`/Reason ${textString(reason)}`);
  if (location) lines.push(`/Location ${textString(location)}`);
  return `${lines.join('\n')}\n`;
}

/** The whole file with the byte range filled in; only /Contents is still empty. */
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
