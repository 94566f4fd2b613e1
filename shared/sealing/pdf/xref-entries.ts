import { LIMITS } from './budget.ts';
import { damaged, tooComplex } from './refusal.ts';

/** The place of an object: at an offset, inside an object stream, or deleted. */
export type XrefEntry =
  | { kind: 'plain'; offset: number; gen: number }
  | { kind: 'packed'; container: number; index: number }
  | { kind: 'free' };

const FREE = -1;
const GENERATIONS = 65_536;
const FARTHEST_OFFSET = 2 ** 35;
/** Exceeds the number of objects in a file, and so that of an object stream. */
const INDEXES = 2 ** 20;

/**
 * The entries of all sections, added newest first: the first entry for a number wins. Each is packed into one number,
 * since a file of 10 MB may have hundreds of thousands.
 */
export class XrefEntries {
  /** The largest object number in any section. */
  largest = 0;
  /** The largest offset in any section. */
  farthest = 0;
  readonly #entries = new Map<number, number>();
  /** For deleted objects, the nonzero number in the place of the offset. */
  readonly #ofFree = new Map<number, number>();
  /** Offsets in the newest older section of objects that are in object streams now. */
  readonly #former = new Map<number, number>();

  get size(): number {
    return this.#entries.size;
  }

  addPlain(num: number, offset: number, gen: number): void {
    if (gen >= GENERATIONS) throw damaged(`generation ${gen}`);
    this.farthest = Math.max(this.farthest, offset);
    const isPacked = (this.#entries.get(num) ?? 0) % 2 === 1;
    if (isPacked && !this.#former.has(num)) this.#former.set(num, offset);
    this.#add(num, (Math.min(offset, FARTHEST_OFFSET) * GENERATIONS + gen) * 2);
  }

  addPacked(num: number, container: number, index: number): void {
    if (container > LIMITS.objectNumber || index >= INDEXES) throw damaged(`object stream ${container}`);
    this.#add(num, (container * INDEXES + index) * 2 + 1);
  }

  addFree(num: number, stated = 0): void {
    if (stated > 0 && !this.#entries.has(num)) this.#ofFree.set(num, stated);
    this.#add(num, FREE);
  }

  /** The number in the place of the offset, also for a deleted object; undefined for one in an object stream. */
  statedOffset(num: number): number | undefined {
    const entry = this.get(num);
    return entry?.kind === 'plain' ? entry.offset : this.#ofFree.get(num);
  }

  /** The former offset of an object that is in an object stream now, if it had one. */
  formerOffset(num: number): number | undefined {
    return this.#former.get(num);
  }

  get(num: number): XrefEntry | undefined {
    const code = this.#entries.get(num);
    if (code === undefined) return undefined;
    if (code === FREE) return { kind: 'free' };
    const value = Math.floor(code / 2);
    if (code % 2 === 1)
      return { kind: 'packed', container: Math.floor(value / INDEXES), index: value % INDEXES };
    return { kind: 'plain', offset: Math.floor(value / GENERATIONS), gen: value % GENERATIONS };
  }

  /** The numbers whose entries differ, or exist on one side only. */
  *differingFrom(others: XrefEntries): Generator<number> {
    for (const [num, code] of this.#entries) if (others.#entries.get(num) !== code) yield num;
    for (const num of others.#entries.keys()) if (!this.#entries.has(num)) yield num;
  }

  numbers(): Iterable<number> {
    return this.#entries.keys();
  }

  #add(num: number, code: number): void {
    if (num > LIMITS.objectNumber) throw tooComplex(`object number ${num}`);
    this.largest = Math.max(this.largest, num);
    if (this.#entries.has(num)) return;
    if (this.#entries.size >= LIMITS.objects) throw tooComplex('too many objects');
    this.#entries.set(num, code);
  }
}
