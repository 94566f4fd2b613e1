import { refuseUnclearEnd } from './drawn-content.ts';
import { LIMITS } from './pdf/budget.ts';
import type { PdfFile } from './pdf/file.ts';
import { isUnpackedAlike } from './pdf/filters.ts';
import { nameTreeValues } from './pdf/name-tree.ts';
import { damaged, tooComplex } from './pdf/refusal.ts';
import { readTextString } from './pdf/text.ts';
import { isName, isWholeNumber, PdfDict, PdfRef, PdfStream, PdfString, type PdfValue } from './pdf/values.ts';
import type { SealPlan } from './plan.ts';

export interface Attachment {
  /** As the document states it: untrusted text. */
  name: string;
  /** Bytes, as the document states it. */
  size: number;
}

/** The files embedded in a document: those of the catalog, and those attached to a page. */
export class AttachmentList {
  readonly attachments: Attachment[] = [];
  readonly #file: PdfFile;
  readonly #visited = new Set<number>();

  constructor({ file, catalog }: SealPlan) {
    this.#file = file;
    for (const value of nameTreeValues(file, 'EmbeddedFiles')) this.#add(value);
    this.#addAll(catalog.dict.get('AF'));
  }

  addPage(page: PdfDict): void {
    this.#addAll(page.get('AF'));
    this.#addAnnotations(page.get('Annots'));
  }

  #addAll(value: PdfValue): void {
    for (const item of this.#file.items(value)) this.#add(item);
  }

  #addAnnotations(value: PdfValue): void {
    if (this.#isKnown(value)) return;
    for (const item of this.#file.items(value)) {
      const annotation = this.#file.resolve(item);
      if (!(annotation instanceof PdfDict)) continue;
      if (isName(this.#file.resolve(annotation.get('Subtype')), 'FileAttachment'))
        this.#add(annotation.get('FS'));
    }
  }

  /** Adds the file of a file specification (ISO 32000-1, 7.11.3) unless it is only a link or listed already. */
  #add(value: PdfValue): void {
    if (this.#isKnown(value)) return;
    const specification = this.#file.resolve(value);
    if (!(specification instanceof PdfDict)) return;
    const embedded = this.#file.resolve(specification.get('EF'));
    if (!(embedded instanceof PdfDict)) return;
    // Usually one file under several keys; a hidden second file is listed too.
    for (const { value: reference } of embedded.entries) {
      const stream = this.#file.resolve(reference);
      if (!(stream instanceof PdfStream) || this.#isKnown(reference)) continue;
      if (this.attachments.length === LIMITS.attachments) throw tooComplex('too many attachments');
      this.#refuseUnclearData(stream);
      this.attachments.push({ name: this.#nameOf(specification), size: this.#sizeOf(stream) });
    }
  }

  /** Programs would save different files, or another one once the document has grown. */
  #refuseUnclearData(stream: PdfStream): void {
    const { dict } = stream;
    if (!isUnpackedAlike(dict, (value) => this.#file.resolve(value)))
      throw damaged('an attachment is in another file, or programs unpack it differently');
    refuseUnclearEnd(stream, this.#file.resolve(dict.get('Length')), this.#file.budget);
  }

  #isKnown(value: PdfValue): boolean {
    if (!(value instanceof PdfRef)) return false;
    const known = this.#visited.has(value.num);
    this.#visited.add(value.num);
    return known;
  }

  #nameOf(specification: PdfDict): string {
    for (const key of ['UF', 'F']) {
      const name = this.#file.resolve(specification.get(key));
      if (name instanceof PdfString) {
        const start = name.raw.subarray(0, LIMITS.attachmentNameBytes);
        return readTextString(start).slice(0, LIMITS.attachmentName).toWellFormed();
      }
    }
    return '';
  }

  #sizeOf({ dict }: PdfStream): number {
    const stated = this.#file.entry(dict.get('Params'), 'Size');
    const stored = this.#file.resolve(dict.get('Length'));
    if (isWholeNumber(stated)) return stated;
    return isWholeNumber(stored) ? stored : 0;
  }
}
