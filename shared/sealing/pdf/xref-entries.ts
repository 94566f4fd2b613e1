import { limits } from './budget.ts';
import { damaged, tooComplex } from './refusal.ts';

/** Where an object is: at an offset of the file, inside an object stream, or nowhere any more. */
export type XrefEntry =
  | { kind: 'plain'; offset: number; gen: number }
  | { kind: 'packed'; container: number }
  | { kind: 'free' };

const FREE = -1;
const GENERATIONS = 65_536;
const FARTHEST_OFFSET = 2 ** 35;

/**
 * The entries of all sections, newest first: what was added for a number stays. Each is kept as one number, since a
 * file of 10 MB may have hundreds of thousands.
 */
export class XrefEntries {
  /** The largest number that any section speaks of. */
  largest = 0;
  readonly #entries = new Map<number, number>();

  get size(): number {
    return this.#entries.size;
  }

  addPlain(num: number, offset: number, gen: number): void {
    if (gen >= GENERATIONS) throw damaged(`generation ${gen}`);
    this.#add(num, (Math.min(offset, FARTHEST_OFFSET) * GENERATIONS + gen) * 2);
  }

  addPacked(num: number, container: number): void {
    if (container > limits.objectNumber) throw damaged(`object stream ${container}`);
    this.#add(num, container * 2 + 1);
  }

  addFree(num: number): void {
    this.#add(num, FREE);
  }

  get(num: number): XrefEntry | undefined {
    const code = this.#entries.get(num);
    if (code === undefined) return undefined;
    if (code === FREE) return { kind: 'free' };
    const value = Math.floor(code / 2);
    if (code % 2 === 1) return { kind: 'packed', container: value };
    return { kind: 'plain', offset: Math.floor(value / GENERATIONS), gen: value % GENERATIONS };
  }

  #add(num: number, code: number): void {
    if (num > limits.objectNumber) throw tooComplex(`object number ${num}`);
    this.largest = Math.max(this.largest, num);
    if (this.#entries.has(num)) return;
    if (this.#entries.size >= limits.objects) throw tooComplex('too many objects');
    this.#entries.set(num, code);
  }
}
