import { tooComplex } from './refusal.ts';

/** Decompresses zlib data to at most so many bytes. Throws a PdfRefusal. */
export type Inflate = (data: Uint8Array, maxLength: number) => Uint8Array;

/** The cost of each step of reading, in nanoseconds of a slow processor. */
const COST = {
  value: 300,
  entry: 250,
  object: 500,
  /** An object that was read before. Whoever asks for it may look at all its values again. */
  knownObject: 200,
  knownValue: 25,
  nameByte: 30,
  scannedByte: 6,
  decodedByte: 18,
  inflatedByte: 3,
  predictedByte: 15,
  hashedByte: 5,
} as const;

/**
 * Limits the cost of reading one PDF, counted in steps and not by the clock, so that the answer for a file is always the
 * same. Every loop whose length the file decides spends from it, so no file, however crafted, takes more than bounded
 * time and memory.
 */
export class Budget {
  #left = 800_000_000;
  readonly #inflate: Inflate;

  constructor(inflate: Inflate) {
    this.#inflate = inflate;
  }

  /** One parsed value: a number, a name, an array, a key of a dictionary … */
  value(): void {
    this.#spend(COST.value);
  }

  /** One entry of a cross-reference section or of an object stream's index. */
  entry(): void {
    this.#spend(COST.entry);
  }

  /** An object that is read from the file. */
  object(): void {
    this.#spend(COST.object);
  }

  /** An object that was kept. */
  knownObject(values: number): void {
    this.#spend(COST.knownObject + values * COST.knownValue);
  }

  /** Bytes of a name, which becomes a string. */
  name(bytes: number): void {
    this.#spend(bytes * COST.nameByte);
  }

  /** Bytes of white space, comments, numbers and strings: an object may be read many times. */
  scanned(bytes: number): void {
    this.#spend(bytes * COST.scannedByte);
  }

  /** Bytes of a string whose value is read. */
  decoded(bytes: number): void {
    this.#spend(bytes * COST.decodedByte);
  }

  /** Decompresses a structure stream. */
  inflate(data: Uint8Array): Uint8Array {
    const decoded = this.#inflate(data, LIMITS.decodedStream);
    this.#spend(decoded.length * COST.inflatedByte);
    return decoded;
  }

  /** Bytes whose PNG prediction is undone. */
  predicted(bytes: number): void {
    this.#spend(bytes * COST.predictedByte);
  }

  /** Bytes hashed to check an earlier signature. */
  hashed(bytes: number): void {
    this.#spend(bytes * COST.hashedByte);
  }

  #spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw tooComplex('reading it takes too many steps');
  }
}

export const LIMITS = {
  /** Nesting of arrays and dictionaries in one object. */
  depth: 100,
  /** A name with its escapes. Readers support 127. */
  nameBytes: 4_096,
  /** Values in one object. */
  valuesPerObject: 250_000,
  /** Distinct objects in the cross-reference. */
  objects: 500_000,
  /** The largest object number that readers are required to handle (ISO 32000-1, Annex C). */
  objectNumber: 8_388_607,
  /** The first unused number, below the largest by what many revisions need. */
  nextObjectNumber: 8_288_607,
  /** One decompressed structure stream. */
  decodedStream: 32 * 1024 * 1024,
  /** Values of objects that are kept, so that they are not read again. */
  valuesKept: 250_000,
  pages: 100_000,
  /** Values that one search still has to look at. */
  waiting: 1_000_000,
  nameTreeNodes: 100_000,
  attachments: 1_000,
  /** Characters of an attachment's name that are kept, and bytes of its token that are read for them. */
  attachmentName: 255,
  attachmentNameBytes: 4_096,
  fields: 100_000,
  /** Bytes of all field names with the names above them. */
  fieldNames: 1024 * 1024,
} as const;
