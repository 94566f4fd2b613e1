import { tooComplex } from './refusal.ts';

/** Decompresses zlib data to at most so many bytes. Throws a PdfRefusal. */
export type Inflate = (data: Uint8Array, maxLength: number) => Uint8Array;

/** The cost of each step of reading, in about nanoseconds: on slow processors it takes up to three times as long. */
export const COST = {
  /** A parsed value: a number, a name, an array, a key of a dictionary … */
  value: 300,
  /** On top for an array or a dictionary, which takes memory even if it is empty. */
  container: 300,
  /** A value that is only moved past. */
  skippedValue: 100,
  /** An entry of a cross-reference section or of an object stream's index. */
  entry: 250,
  /** An object that is read from the file. */
  object: 1_500,
  /** An object that was kept. The caller may look at all its values again. */
  knownObject: 200,
  knownValue: 25,
  /** A value that a search looks at: many objects may share a list. */
  searchedValue: 100,
  /** A byte of a name, which becomes a string. */
  nameByte: 30,
  /** A byte of white space, a comment, a number or a string: an object may be read many times. */
  scannedByte: 6,
  /** A byte of a string whose value is read. */
  decodedByte: 18,
  inflatedByte: 3,
  /** A byte whose PNG prediction is undone. */
  predictedByte: 15,
  /** A byte hashed to check an earlier signature. */
  hashedByte: 5,
} as const;

/**
 * Limits the cost of reading one PDF, counted in steps and not by the clock, so that the answer for a file is always the
 * same. Every loop whose length the file decides spends from it, which bounds time and memory for any file.
 */
export class Budget {
  #left: number;
  readonly #inflate: Inflate;

  /** `readings`: how often the dearest file that is taken could be read. */
  constructor(inflate: Inflate, readings = 1) {
    this.#left = readings * 800_000_000;
    this.#inflate = inflate;
  }

  /** `cost`: one of COST. */
  spend(cost: number, times = 1): void {
    this.#left -= cost * times;
    if (this.#left < 0) throw tooComplex('reading it takes too many steps');
  }

  /** Decompresses a structure stream. */
  inflate(data: Uint8Array): Uint8Array {
    const decoded = this.#inflate(data, LIMITS.decodedStream);
    this.spend(COST.inflatedByte, decoded.length);
    return decoded;
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
