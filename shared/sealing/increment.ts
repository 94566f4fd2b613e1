import { createHash } from 'node:crypto';
import { sourceText } from './pdf/edit.ts';
import type { PdfFile } from './pdf/file.ts';
import { damaged } from './pdf/refusal.ts';
import { PdfRef, PdfString } from './pdf/values.ts';

/** Trailer entries that describe one section, or the stream that stores it, and so are not copied to the next. */
const OWN_TO_SECTION = new Set([
  ...['Size', 'Prev', 'ID', 'XRefStm'],
  ...['Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms', 'F', 'FFilter', 'FDecodeParms', 'DL'],
]);

/** Above this size unused numbers get no entry: each would take 20 bytes. */
const MAX_NUMBERS = 50_000;

interface Entry {
  ref: PdfRef;
  /** Null for a free entry. */
  offset: number | null;
}

/** Collects an incremental update: the bytes to append to the original. */
export class Increment {
  readonly #file: PdfFile;
  readonly #chunks: Uint8Array[] = [];
  readonly #entries: Entry[] = [];
  readonly #numbers = new Set<number>();
  #nextNumber: number;
  #end: number;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#nextNumber = file.xref.nextNumber;
    this.#end = file.bytes.length;
    const last = file.bytes.at(-1);
    if (last !== 10 && last !== 13) this.#append('\n');
  }

  /** Offset of the next byte in the whole file. */
  get end(): number {
    return this.#end;
  }

  get chunks(): readonly Uint8Array[] {
    return this.#chunks;
  }

  newRef(): PdfRef {
    const ref = new PdfRef(this.#nextNumber, 0);
    this.#nextNumber += 1;
    return ref;
  }

  /** Writes a new object, or a new version of one; returns the offset of its content in the whole file. */
  put(ref: PdfRef, ...content: (string | Uint8Array)[]): number {
    if (this.#numbers.has(ref.num)) throw damaged(`object ${ref.num} would be written twice`);
    this.#numbers.add(ref.num);
    this.#entries.push({ ref, offset: this.#end - this.#file.xref.base });
    this.#append(`${ref.num} ${ref.gen} obj\n`);
    const begins = this.#end;
    for (const chunk of content) this.#append(chunk);
    this.#append('\nendobj\n');
    return begins;
  }

  /**
   * Lists unused numbers as free. All sections together must have an entry for each number (ISO 32000-1, 7.5.4): Acrobat is
   * reported to rebuild a file that lacks some and to call its signatures invalid. Number 0 is listed too, because pdf.js reads
   * a table that begins with a free object 1 as one that begins with 0.
   */
  listMissing(): void {
    const { entries, nextNumber } = this.#file.xref;
    if (nextNumber > MAX_NUMBERS || entries.size === nextNumber) return;
    for (let num = 0; num < nextNumber; num += 1) {
      if (num === 0 || entries.get(num) === undefined)
        this.#entries.push({ ref: new PdfRef(num, 65_535), offset: null });
    }
  }

  /** Writes the cross-reference as table or stream, as the original's newest one is. */
  finish(): void {
    const at = this.#end - this.#file.xref.base;
    if (this.#file.xref.style === 'table') this.#appendTable();
    else this.#appendXrefStream(at);
    this.#append(`startxref\n${at}\n%%EOF\n`);
  }

  #append(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    this.#chunks.push(bytes);
    this.#end += bytes.length;
  }

  #appendTable(): void {
    this.#append('xref\n');
    for (const run of this.#runs()) {
      this.#append(`${run[0]?.ref.num} ${run.length}\n`);
      for (const { ref, offset } of run) {
        const place = String(offset ?? 0).padStart(10, '0');
        this.#append(`${place} ${String(ref.gen).padStart(5, '0')} ${offset === null ? 'f' : 'n'}\r\n`);
      }
    }
    this.#append(`trailer\n<<${this.#trailerEntries()}>>\n`);
  }

  #appendXrefStream(at: number): void {
    const ref = this.newRef();
    this.#entries.push({ ref, offset: at });
    const index = this.#runs().map((run) => `${run[0]?.ref.num} ${run.length}`);
    const rows = this.#runs()
      .flat()
      .map(({ ref: { gen }, offset }) => {
        const row = Buffer.alloc(7);
        row.writeUInt8(offset === null ? 0 : 1, 0);
        row.writeUInt32BE(offset ?? 0, 1);
        row.writeUInt16BE(gen, 5);
        return row;
      });
    const own = `/Type /XRef /W [1 4 2] /Index [${index.join(' ')}] /Length ${rows.length * 7}`;
    this.#append(`${ref.num} 0 obj\n<<${own}${this.#trailerEntries()}>>\nstream\n`);
    for (const row of rows) this.#append(row);
    this.#append('\nendstream\nendobj\n');
  }

  /** The entries sorted by number, in runs of consecutive numbers. */
  #runs(): Entry[][] {
    const runs: Entry[][] = [];
    for (const object of this.#entries.toSorted((a, b) => a.ref.num - b.ref.num)) {
      const run = runs.at(-1);
      if (run?.at(-1)?.ref.num === object.ref.num - 1) run.push(object);
      else runs.push([object]);
    }
    return runs;
  }

  #trailerEntries(): string {
    const { trailer, startXref } = this.#file.xref;
    const kept = trailer.entries
      .filter(({ key }) => !OWN_TO_SECTION.has(key))
      .map((entry) => `\n${sourceText(trailer, entry.keyFrom, entry.to)}`);
    return `\n/Size ${this.#nextNumber}\n/Prev ${startXref}\n/ID ${this.#identifier()}${kept.join('')}\n`;
  }

  /** Keeps the first half of the file identifier and replaces the second, as each update must (ISO 32000-1, 14.4). */
  #identifier(): string {
    const hash = createHash('sha256').update(String(this.#file.bytes.length));
    for (const chunk of this.#chunks) hash.update(chunk);
    const fresh = `<${hash.digest('hex').slice(0, 32).toUpperCase()}>`;
    const [first] = this.#file.items(this.#file.xref.trailer.get('ID'));
    const kept = first instanceof PdfString ? Buffer.from(first.raw).toString('latin1') : fresh;
    return `[${kept} ${fresh}]`;
  }
}
