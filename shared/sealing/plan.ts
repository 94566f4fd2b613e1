import { refuseIfUnreadable } from './earlier-signatures.ts';
import { type FieldSignature, type Form, readForm } from './form.ts';
import { inflate } from './inflate.ts';
import { refuseIfLocked } from './locks.ts';
import { Budget } from './pdf/budget.ts';
import { PdfFile } from './pdf/file.ts';
import { type PageTree, readPageTree } from './pdf/pages.ts';
import { damaged, PdfRefusal } from './pdf/refusal.ts';
import { PdfDict, PdfRef, type PdfValue } from './pdf/values.ts';

/** The facts about an original that sealing needs. Intake makes the same plan, so every accepted file can be sealed. */
export interface SealPlan {
  file: PdfFile;
  catalog: { ref: PdfRef; dict: PdfDict };
  pageTree: PageTree;
  form: Form;
  /** True if it already carries signatures: then an approval signature is added, no page and no certification. */
  signed: boolean;
  signatures: readonly FieldSignature[];
}

export function openPdf(bytes: Uint8Array): Pick<SealPlan, 'file' | 'catalog'> {
  const file = new PdfFile(bytes, new Budget(inflate));
  const ref = file.xref.trailer.get('Root');
  if (!(ref instanceof PdfRef)) throw damaged('the trailer names no catalog');
  return { file, catalog: { ref, dict: file.catalog } };
}

export function planSeal(original: Uint8Array): SealPlan {
  const opened = openPdf(original);
  const { file } = opened;
  const catalog = opened.catalog.dict;
  if (file.resolve(catalog.get('NeedsRendering')) === true) {
    throw new PdfRefusal('pdf_dynamic_form', 'the catalog says /NeedsRendering');
  }
  const pageTree = readPageTree(file);
  const form = readForm(file);
  refuseIfShared({ ...opened, pageTree, form });
  for (const { value } of form.signatures) refuseIfUnreadable(file, value);
  const signatures = [...form.signatures];
  const permissions = file.resolve(catalog.get('Perms'));
  if (permissions instanceof PdfDict) {
    const certification = file.resolve(permissions.get('DocMDP'));
    if (certification instanceof PdfDict) signatures.push({ value: certification, lock: null });
  }
  for (const signature of signatures) refuseIfLocked(file, signature);
  return {
    ...opened,
    pageTree,
    form,
    signed: signatures.length > 0,
    signatures,
  };
}

/** The objects of the original that sealing rewrites. */
const partsWrittenAnew = (parts: Parts): PdfRef[] => [
  ...[parts.pageTree.root, ...parts.pageTree.pages],
  ...apartFromPages(parts),
];

const apartFromPages = ({ file, catalog, form }: Omit<Parts, 'pageTree'>): PdfRef[] => [
  catalog.ref,
  ...(form.ref === null ? [] : [form.ref]),
  ...objectOf(file, catalog.dict.get('Extensions')),
];

/** The object that is a dictionary; none if the dictionary is a direct value. */
const objectOf = (file: PdfFile, value: PdfValue): PdfRef[] =>
  value instanceof PdfRef && file.resolve(value) instanceof PdfDict ? [file.lastReference(value)] : [];

/**
 * The numbers of the objects, apart from pages, that a seal, its proofs or a renewal change. The structure tree is not read: a
 * damaged one never prevents sealing.
 */
export function changingObjects(plan: SealPlan): ReadonlySet<number> {
  const { file, catalog } = plan;
  const structure = catalog.dict.get('StructTreeRoot');
  const refs = [
    ...apartFromPages(plan),
    ...objectOf(file, catalog.dict.get('DSS')),
    ...(structure instanceof PdfRef ? [structure] : []),
  ];
  return new Set(refs.map(({ num }) => num));
}

type Parts = Pick<SealPlan, 'file' | 'catalog' | 'pageTree' | 'form'>;

export const writtenAnew = (parts: Parts): ReadonlySet<number> =>
  new Set(partsWrittenAnew(parts).map(({ num }) => num));

/** Sealing would write an object twice that has two of these roles. */
function refuseIfShared(parts: Parts): void {
  if (writtenAnew(parts).size < partsWrittenAnew(parts).length)
    throw damaged('one object is two parts of the document');
}
