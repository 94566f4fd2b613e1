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

export function readForm(file: PdfFile): Form {
  const value = file.catalog.get('AcroForm');
  const dict = file.resolve(value);
  if (dict !== null && !(dict instanceof PdfDict)) throw damaged('the form is not a dictionary');
  const fields = dict && file.array(dict.get('Fields'), "the form's list of fields");
  const flags = dict && file.resolve(dict.get('SigFlags'));
  return {
    dict,
    ref: dict && value instanceof PdfRef ? file.lastReference(value) : null,
    fields,
    flags: typeof flags === 'number' ? flags : 0,
    ...new Fields(file).read(fields),
  };
}

/** A field's type and name, which its kids inherit. */
interface Inherited {
  type: PdfObject;
  /** The full name; null above the fields. */
  name: string | null;
  /** The place in the search of the field that has the name. */
  named: number | null;
}

class Fields {
  readonly #file: PdfFile;
  readonly #waiting: (Inherited & { value: PdfValue })[] = [];
  readonly #visited = new Set<number>();
  readonly #names = new Set<string>();
  /** By the places of their fields: of two fields with one name, only one may have fields below it. */
  readonly #lockable = new Map<number, string>();
  readonly #drawn = new Map<string, PdfRef[]>();
  readonly #signatures: FieldSignature[] = [];
  #hasUnclearName = false;
  #nameBytes = 0;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  read(fields: PdfArray | null) {
    this.#add(fields, { type: null, name: null, named: null });
    for (const [place, { value, ...inherited }] of this.#waiting.entries()) {
      const field = this.#unread(value);
      if (field !== null) this.#readOne(field, place, inherited);
    }
    return {
      count: this.#visited.size,
      hasUnclearName: this.#hasUnclearName,
      names: this.#names,
      lockable: [...new Set(this.#lockable.values())],
      drawn: this.#drawn,
      signatures: this.#signatures,
    };
  }

  #add(list: PdfArray | null, inherited: Inherited): void {
    for (const { value } of list?.items ?? []) this.#waiting.push({ value, ...inherited });
    if (this.#waiting.length > LIMITS.waiting) throw tooComplex('too many form fields');
  }

  /** Null for what is no field, and for one that was read before. */
  #unread(value: PdfValue): PdfDict | null {
    if (value instanceof PdfRef) {
      if (this.#visited.has(value.num)) return null;
      this.#visited.add(value.num);
      if (this.#visited.size > LIMITS.fields) throw tooComplex('too many form fields');
    }
    const field = this.#file.resolve(value);
    return field instanceof PdfDict ? field : null;
  }

  #readOne(field: PdfDict, place: number, parent: Inherited): void {
    const type = this.#file.resolve(field.get('FT')) ?? parent.type;
    const name = this.#fullName(field, parent.name);
    const value = this.#file.resolve(field.get('V'));
    const isSignature = isName(type, 'Sig');
    const isNamed = name !== null && name !== parent.name;
    if (isNamed) {
      if (parent.named !== null) this.#lockable.delete(parent.named);
      if (!isSignature || value !== null) this.#lockable.set(place, name);
    }
    if (name !== null && !isSignature) this.#noteLooks(field, name);
    if (isSignature && value instanceof PdfDict) this.#noteSignature(field, value);
    const kids = this.#file.array(field.get('Kids'), "a field's list of kids");
    this.#add(kids, { type, name, named: isNamed ? place : parent.named });
  }

  /** A kid without a name of its own is a widget of its parent, not a field. */
  #fullName(field: PdfDict, parent: string | null): string | null {
    const own = this.#file.resolve(field.get('T'));
    this.#hasUnclearName ||= own !== null && !(own instanceof PdfString && isText(own.raw));
    if (!(own instanceof PdfString)) return parent;
    this.#nameBytes += own.raw.length + (parent?.length ?? 0);
    if (this.#nameBytes > LIMITS.fieldNames) throw tooComplex('too many long field names');
    const partial = readTextString(own.raw);
    this.#names.add(partial);
    return parent === null ? partial : `${parent}.${partial}`;
  }

  #noteLooks(field: PdfDict, name: string): void {
    if (field.get('AP') === null || field.get('AS') !== null) return;
    const looks = this.#drawn.get(name) ?? [];
    looks.push(...looksOf(this.#file, field));
    this.#drawn.set(name, looks);
  }

  #noteSignature(field: PdfDict, value: PdfDict): void {
    if (!(field.get('V') instanceof PdfRef)) throw damaged('an earlier signature is not an indirect object');
    this.#signatures.push({ value, lock: this.#file.resolve(field.get('Lock')) });
  }
}

const looksOf = (file: PdfFile, field: PdfDict): PdfRef[] => {
  const looks = file.resolve(field.get('AP'));
  if (!(looks instanceof PdfDict)) return [];
  return ['N', 'R', 'D'].map((key) => looks.get(key)).filter((look) => look instanceof PdfRef);
};
