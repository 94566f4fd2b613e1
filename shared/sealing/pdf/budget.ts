import { tooComplex } from './refusal.ts';

/**
 * What reading one PDF may cost. Every loop whose length the file decides spends from here, so that no file,
 * however made, takes more than a few seconds or more than a few tens of megabytes.
 */
export class Budget {
  #values = 4_000_000;
  #entries = 2_000_000;
  #decoded = 256 * 1024 * 1024;

  /** One value parsed (a number, a name, an array …). */
  value(): void {
    this.#values -= 1;
    if (this.#values < 0) throw tooComplex('too many values');
  }

  /** One entry of a cross-reference section read. */
  entry(): void {
    this.#entries -= 1;
    if (this.#entries < 0) throw tooComplex('too many cross-reference entries');
  }

  /** Bytes that came out of a decompressor. */
  decoded(bytes: number): void {
    this.#decoded -= bytes;
    if (this.#decoded < 0) throw tooComplex('too much compressed structure');
  }
}

export const limits = {
  /** Arrays and dictionaries inside one another, in one object. */
  depth: 100,
  /** Values in one object. */
  valuesPerObject: 250_000,
  /** Distinct objects in the cross-reference. */
  objects: 500_000,
  /** The largest object number that readers are required to handle (ISO 32000-1, Annex C). */
  objectNumber: 8_388_607,
  /** One decompressed structure stream. */
  decodedStream: 32 * 1024 * 1024,
  pages: 100_000,
  fields: 100_000,
} as const;
