import { oid } from './der.ts';
import { oids } from './oids.ts';
import { limits } from './pdf/budget.ts';
import { PdfFile } from './pdf/file.ts';
import { type PageTree, readPageTree } from './pdf/pages.ts';
import { damaged, PdfRefusal, tooComplex } from './pdf/refusal.ts';
import { readTextString } from './pdf/text.ts';
import {
  isName,
  type PdfArray,
  PdfDict,
  type PdfObject,
  PdfRef,
  PdfString,
  type PdfValue,
} from './pdf/values.ts';

/** All that sealing needs to know about an original. Intake makes the same plan, so what it accepts can be sealed. */
export interface SealPlan {
  file: PdfFile;
  catalog: { ref: PdfRef; dict: PdfDict };
  pageTree: PageTree;
  form: Form;
  /** Whether it carries signatures already: then nothing but the seal's signature may be added. */
  signed: boolean;
  /** Usage rights of an unsigned document: any change breaks them, so the seal removes them. */
  dropPermissions: boolean;
}

export interface Form {
  /** Null: the original has no form. */
  dict: PdfDict | null;
  /** Null: the form stands inside the catalog. */
  ref: PdfRef | null;
  fields: PdfArray | null;
  flags: number;
  names: ReadonlySet<string>;
}

export function planSeal(original: Uint8Array): SealPlan {
  const file = new PdfFile(original);
  const root = file.xref.trailer.get('Root');
  if (!(root instanceof PdfRef)) throw damaged('the trailer names no catalog');
  const catalog = file.dict(root, 'the catalog');
  if (file.resolve(catalog.get('NeedsRendering')) === true) {
    throw new PdfRefusal('pdf_dynamic_form', 'the catalog says /NeedsRendering');
  }
  const pageTree = readPageTree(file, catalog);
  const { form, signatures } = readForm(file, catalog);
  const permissions = file.resolve(catalog.get('Perms'));
  if (permissions instanceof PdfDict) {
    const certification = file.resolve(permissions.get('DocMDP'));
    if (certification instanceof PdfDict) signatures.push({ value: certification, lock: null });
  }
  for (const signature of signatures) refuseIfLocked(file, signature);
  const signed = signatures.length > 0;
  return {
    file,
    catalog: { ref: root, dict: catalog },
    pageTree,
    form,
    signed,
    dropPermissions: !signed && permissions instanceof PdfDict,
  };
}

interface ExistingSignature {
  value: PdfDict;
  lock: PdfObject;
}

function readForm(file: PdfFile, catalog: PdfDict): { form: Form; signatures: ExistingSignature[] } {
  const value = catalog.get('AcroForm');
  const dict = file.resolve(value);
  if (dict === null) {
    return { form: { dict: null, ref: null, fields: null, flags: 0, names: new Set() }, signatures: [] };
  }
  if (!(dict instanceof PdfDict)) throw damaged('the form is no dictionary');
  const fields = file.array(dict.get('Fields'), "the form's list of fields");
  const flags = file.resolve(dict.get('SigFlags'));
  const { names, signatures } = walkFields(file, fields);
  const form: Form = {
    dict,
    ref: value instanceof PdfRef ? lastReference(file, value) : null,
    fields,
    flags: typeof flags === 'number' ? flags : 0,
    names,
  };
  return { form, signatures };
}

/** A reference to a reference: the object to change is the last one. */
function lastReference(file: PdfFile, ref: PdfRef): PdfRef {
  const object = file.object(ref);
  return object instanceof PdfRef ? lastReference(file, object) : ref;
}

function walkFields(
  file: PdfFile,
  fields: PdfArray | null,
): { names: Set<string>; signatures: ExistingSignature[] } {
  const names = new Set<string>();
  const signatures: ExistingSignature[] = [];
  const visited = new Set<number>();
  const waiting: { value: PdfValue; type: PdfObject; top: boolean }[] = [];
  const push = (kids: PdfArray | null, type: PdfObject, top: boolean): void => {
    for (const { value } of kids?.items ?? []) waiting.push({ value, type, top });
  };
  push(fields, null, true);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.value instanceof PdfRef) {
      if (visited.has(next.value.num)) continue;
      visited.add(next.value.num);
      if (visited.size > limits.fields) throw tooComplex('too many form fields');
    }
    const field = file.resolve(next.value);
    if (!(field instanceof PdfDict)) continue;
    const name = file.resolve(field.get('T'));
    if (next.top && name instanceof PdfString) names.add(readTextString(name.raw));
    const type = file.resolve(field.get('FT')) ?? next.type;
    const value = isName(type, 'Sig') ? file.resolve(field.get('V')) : null;
    if (value instanceof PdfDict) {
      if (!(field.get('V') instanceof PdfRef)) throw damaged('an earlier signature is no object of its own');
      refuseIfUnreadable(value);
      signatures.push({ value, lock: file.resolve(field.get('Lock')) });
    }
    push(file.array(field.get('Kids'), "a field's list of kids"), type, false);
  }
  return { names, signatures };
}

/**
 * Validators stumble over an earlier signature that is malformed before they come to ours: its CMS must stand in one
 * hexadecimal string, call itself signed data, and be as long as it says.
 */
function refuseIfUnreadable(signature: PdfDict): void {
  const contents = signature.entries.filter(({ key }) => key === 'Contents').map(({ value }) => value);
  const [only] = contents;
  const cms = contents.length === 1 && only instanceof PdfString ? hexBytes(only.raw) : null;
  if (cms === null || !isSignedData(cms)) throw damaged('an earlier signature cannot be read');
}

function hexBytes(raw: Uint8Array): Buffer | null {
  const token = Buffer.from(raw).toString('latin1');
  return token.startsWith('<') ? Buffer.from(token.replace(/[^\da-f]/gi, ''), 'hex') : null;
}

const signedDataOid = oid(oids.signedData);

/** The padding after it is not looked at. A length of 80 says that the end is marked, as BER allows. */
function isSignedData(cms: Buffer): boolean {
  const [tag, first = 0] = cms;
  const lengthBytes = first > 0x80 ? first & 0x7f : 0;
  const header = 2 + lengthBytes;
  if (tag !== 0x30 || lengthBytes > 4 || cms.length < header + signedDataOid.length) return false;
  const length = lengthBytes > 0 ? cms.readUIntBE(2, lengthBytes) : first & 0x7f;
  return (
    header + length <= cms.length && cms.subarray(header, header + signedDataOid.length).equals(signedDataOid)
  );
}

/**
 * A certification with P=1, or a lock on all fields, forbids what the seal adds. With P=2 and P=3 (and with no P,
 * which means 2) another signature is allowed.
 */
function refuseIfLocked(file: PdfFile, { value, lock }: ExistingSignature): void {
  if (lock instanceof PdfDict && file.resolve(lock.get('P')) === 1) {
    throw new PdfRefusal('pdf_certified', 'a signature locks the document');
  }
  const references = file.array(value.get('Reference'), "a signature's references");
  for (const item of references?.items ?? []) {
    const reference = file.resolve(item.value);
    if (!(reference instanceof PdfDict)) continue;
    const method = file.resolve(reference.get('TransformMethod'));
    const parameters = file.resolve(reference.get('TransformParams'));
    if (!(parameters instanceof PdfDict)) continue;
    if (isName(method, 'DocMDP') && file.resolve(parameters.get('P')) === 1) {
      throw new PdfRefusal('pdf_certified', 'a certification forbids changes');
    }
    const action = file.resolve(parameters.get('Action'));
    if (isName(method, 'FieldMDP') && (isName(action, 'All') || isName(action, 'Exclude'))) {
      throw new PdfRefusal('pdf_certified', 'a signature locks all fields');
    }
  }
}
