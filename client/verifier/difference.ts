import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import {
  PdfArray,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  PdfStream,
  type PdfValue,
} from '../../shared/sealing/pdf/values.ts';
import { sameValue, startsWith } from './same-value.ts';

/** Two revisions of a file, with the objects that differ until a rule explains them. */
export class Difference {
  readonly before: PdfFile;
  readonly after: PdfFile;
  /** Object numbers that differ and are not explained yet. */
  readonly open: Set<number>;
  /** Existing objects that were changed for a technical reason. */
  readonly reused = new Set<number>();
  #breaksRule = false;

  constructor(before: PdfFile, after: PdfFile) {
    this.before = before;
    this.after = after;
    this.open = new Set(after.xref.entries.differingFrom(before.xref.entries));
  }

  get isExplained(): boolean {
    return !this.#breaksRule && this.open.size === 0;
  }

  require(isAllowed: boolean): void {
    if (!isAllowed) this.#breaksRule = true;
  }

  isNew(num: number): boolean {
    return this.before.xref.entries.get(num) === undefined;
  }

  /** Marks the target of a reference as explained, if it is new or was referenced in the same place before. */
  settle(after: PdfValue, before: PdfValue): void {
    if (after instanceof PdfRef && (this.isNew(after.num) || sameValue(after, before)))
      this.open.delete(after.num);
  }

  /** Explains all new objects below a value, and below technical values also changed ones that nothing else uses. */
  explainTree(value: PdfValue, isTechnical = false): void {
    walkObjects(this.after, [value], (num) => {
      const isNew = this.isNew(num);
      if (!isNew && !(isTechnical && this.open.has(num))) return false;
      if (!isNew) this.reused.add(num);
      this.open.delete(num);
      return true;
    });
  }

  /** The object with this number before and after. */
  bothOf(num: number): [PdfObject, PdfObject] {
    const ref = refTo(this.before, num);
    return ref ? [this.before.object(ref), this.after.object(ref)] : [null, null];
  }

  /** True if a list only got more values. One that begins with a name could also be used as a colour space. */
  extends(after: readonly PdfValue[], before: readonly PdfValue[]): boolean {
    return startsWith(after, before) && !(this.before.resolve(before[0] ?? null) instanceof PdfName);
  }
}

/** The dictionary, or null for anything else. */
export function dictOf(file: PdfFile, value: PdfValue): PdfDict | null {
  const object = file.resolve(value);
  return object instanceof PdfDict ? object : null;
}

export function objectOf(file: PdfFile, num: number): PdfObject {
  const ref = refTo(file, num);
  return ref && file.object(ref);
}

function refTo(file: PdfFile, num: number): PdfRef | null {
  const entry = file.xref.entries.get(num);
  if (entry === undefined || entry.kind === 'free') return null;
  return new PdfRef(num, entry.kind === 'plain' ? entry.gen : 0);
}

/** Visits the objects below these values, but not below those for which `visit` returns false. Consumes the list. */
export function walkObjects(file: PdfFile, waiting: PdfObject[], visit: (num: number) => boolean): void {
  const seen = new Set<number>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next instanceof PdfRef) {
      if (seen.has(next.num)) continue;
      seen.add(next.num);
      if (visit(next.num)) waiting.push(file.object(next));
    } else for (const part of partsOf(next)) waiting.push(part);
  }
}

function partsOf(object: PdfObject): PdfValue[] {
  if (object instanceof PdfStream) return partsOf(object.dict);
  if (object instanceof PdfArray) return object.items.map(({ value }) => value);
  return object instanceof PdfDict ? object.entries.map(({ value }) => value) : [];
}
