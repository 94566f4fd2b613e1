import { LIMITS } from './pdf/budget.ts';
import type { PdfFile } from './pdf/file.ts';
import { damaged, tooComplex } from './pdf/refusal.ts';
import { isText, readTextString } from './pdf/text.ts';
import {
  isName,
  type PdfArray,
  PdfDict,
  type PdfObject,
  PdfRef,
  PdfString,
  type PdfValue,
} from './pdf/values.ts';

export interface Form {
  /** Null: the original has no form. */
  dict: PdfDict | null;
  /** Null: the form is a direct value of the catalog. */
  ref: PdfRef | null;
  fields: PdfArray | null;
  flags: number;
  /** The number of fields and widgets. */
  count: number;
  /** True if the name of a field is not valid text. */
  hasUnclearName: boolean;
  /** Partial names (/T) of all fields. */
  names: ReadonlySet<string>;
  /** Full names of the fields that a certification locks: all but empty signature fields. */
  lockable: readonly string[];
  /** Appearance streams by full field name, of fields with a single appearance: no signatures, no check boxes. */
  drawn: ReadonlyMap<string, readonly PdfRef[]>;
  signatures: readonly FieldSignature[];
}

/** A signed field: its signature dictionary and what it locks. */
export interface FieldSignature {
  value: PdfDict;
  lock: PdfObject;
}

export function readForm(file: PdfFile, catalog: PdfDict): Form {
  const value = catalog.get('AcroForm');
  const dict = file.resolve(value);
  if (dict !== null && !(dict instanceof PdfDict)) throw damaged('the form is not a dictionary');
  const fields = dict && file.array(dict.get('Fields'), "the form's list of fields");
  const flags = dict && file.resolve(dict.get('SigFlags'));
  return {
    dict,
    ref: dict && value instanceof PdfRef ? file.lastReference(value) : null,
    fields,
    flags: typeof flags === 'number' ? flags : 0,
    ...walkFields(file, fields),
  };
}

interface Waiting {
  value: PdfValue;
  /** Inherited from the fields above. */
  type: PdfObject;
  parent: string | null;
}

type Fields = Pick<Form, 'count' | 'hasUnclearName' | 'names' | 'lockable' | 'drawn' | 'signatures'>;

function walkFields(file: PdfFile, fields: PdfArray | null): Fields {
  const names = new Set<string>();
  const lockable = new Set<string>();
  const drawn = new Map<string, PdfRef[]>();
  const signatures: FieldSignature[] = [];
  const visited = new Set<number>();
  let nameBytes = 0;
  let hasUnclearName = false;
  const waiting: Waiting[] = [];
  const add = (list: PdfArray | null, type: PdfObject, parent: string | null): void => {
    for (const { value } of list?.items ?? []) waiting.push({ value, type, parent });
    if (waiting.length > LIMITS.waiting) throw tooComplex('too many form fields');
  };
  add(fields, null, null);
  for (const { value: kid, type: inheritedType, parent } of waiting) {
    if (kid instanceof PdfRef) {
      if (visited.has(kid.num)) continue;
      visited.add(kid.num);
      if (visited.size > LIMITS.fields) throw tooComplex('too many form fields');
    }
    const field = file.resolve(kid);
    if (!(field instanceof PdfDict)) continue;
    const type = file.resolve(field.get('FT')) ?? inheritedType;
    const value = file.resolve(field.get('V'));
    const isSignature = isName(type, 'Sig');
    let name = parent;
    // A kid without a name is a widget of its parent, not a field.
    const ownName = file.resolve(field.get('T'));
    hasUnclearName ||= ownName !== null && !(ownName instanceof PdfString && isText(ownName.raw));
    if (ownName instanceof PdfString) {
      nameBytes += ownName.raw.length + (parent?.length ?? 0);
      if (nameBytes > LIMITS.fieldNames) throw tooComplex('too many long field names');
      const own = readTextString(ownName.raw);
      name = parent === null ? own : `${parent}.${own}`;
      names.add(own);
      if (parent !== null) lockable.delete(parent);
      if (!isSignature || value !== null) lockable.add(name);
    }
    if (name !== null && !isSignature && field.get('AP') !== null && field.get('AS') === null) {
      const looks = drawn.get(name) ?? [];
      looks.push(...looksOf(file, field));
      drawn.set(name, looks);
    }
    if (isSignature && value instanceof PdfDict) {
      if (!(field.get('V') instanceof PdfRef))
        throw damaged('an earlier signature is not an indirect object');
      signatures.push({ value, lock: file.resolve(field.get('Lock')) });
    }
    add(file.array(field.get('Kids'), "a field's list of kids"), type, name);
  }
  return { count: visited.size, hasUnclearName, names, lockable: [...lockable], drawn, signatures };
}

const looksOf = (file: PdfFile, field: PdfDict): PdfRef[] => {
  const looks = file.resolve(field.get('AP'));
  if (!(looks instanceof PdfDict)) return [];
  return ['N', 'R', 'D'].map((key) => looks.get(key)).filter((look) => look instanceof PdfRef);
};
