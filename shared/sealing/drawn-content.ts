import { drawnEntries, drawnValues } from './drawn-values.ts';
import type { Layers } from './layers.ts';
import type { Budget } from './pdf/budget.ts';
import type { PdfFile } from './pdf/file.ts';
import { isUnpackedAlike } from './pdf/filters.ts';
import { Inheritance } from './pdf/pages.ts';
import { damaged } from './pdf/refusal.ts';
import { latin1 } from './pdf/text.ts';
import {
  isName,
  PdfArray,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  PdfStream,
  type PdfValue,
} from './pdf/values.ts';
import { walk } from './pdf/walk.ts';
import { streamData } from './pdf/xref.ts';
import { changingObjects, type SealPlan } from './plan.ts';
import { isPointedTable, pointedIn } from './pointed-numbers.ts';

/** pdf.js prefers these to the long names. Other programs accept them in inline images only. */
const SHORT_NAMES: ReadonlySet<string> = new Set(['W', 'H', 'BPC', 'CS', 'IM', 'D', 'I']);

/** The first letter of "endstream", behind the data of a stream. */
const END = /^[\0\s]*e/;
const MAX_SPACE = 1_024;

/** Some programs trust /Length, others search for the end. */
export function refuseUnclearEnd({ dict, start }: PdfStream, stated: PdfObject, budget: Budget): void {
  const { length } = streamData(dict.source, start, stated, budget);
  // MuPDF and Ghostscript read a comment between the data and "endstream" as data.
  if (!END.test(latin1(dict.source.subarray(start + length, start + length + MAX_SPACE))))
    throw damaged('a comment follows the data of a stream');
}

/** Two coordinates, in any order. */
type Side = readonly [number, number];

interface Frame {
  across: Side;
  up: Side;
}

const overlap = (a: Side, b: Side): boolean =>
  Math.max(Math.min(...a), Math.min(...b)) < Math.min(Math.max(...a), Math.max(...b));

/**
 * Searches everything that pages draw (forms, images, patterns, fonts, appearances) for content that is printed but not shown.
 * Refuses broken objects there, because some programs read more of them than this one, and objects that sealing changes, because
 * the page could look different after the seal: an author may give any entry's name to a font or graphics state.
 */
export class DrawnContent {
  readonly #file: PdfFile;
  readonly #pageNodes: ReadonlySet<number>;
  readonly #changing: ReadonlySet<number>;
  readonly #layers: Layers;
  readonly #inheritance: Inheritance;
  readonly #visited = new Set<number>();

  constructor(plan: SealPlan, layers: Layers) {
    this.#file = plan.file;
    this.#pageNodes = plan.pageTree.nodes;
    this.#changing = changingObjects(plan);
    this.#layers = layers;
    this.#inheritance = new Inheritance(plan.file);
  }

  /** The first finding on the page; null if there is none. */
  onPage(page: PdfDict): string | null {
    const annotations = this.#resolve(page.get('Annots'));
    // A page could draw with the list, and each signature adds to it.
    if (
      annotations instanceof PdfArray &&
      this.#resolve(annotations.items[0]?.value ?? null) instanceof PdfName
    )
      throw damaged('a list of annotations is a colour space');
    const inherited = this.#inheritance.of(page);
    this.#refuseUnclearFrame(inherited);
    this.#refuseGaps(page.get('Contents'));
    return this.in(drawnValues(this.#file, page, (value) => this.#resolve(value), inherited));
  }

  /** Programs show a page with an invalid frame in a size of their own, or not at all. */
  #refuseUnclearFrame(attributes: ReadonlyMap<string, PdfDict>): void {
    const frameOf = (key: string) => this.#frame(attributes.get(key)?.get(key) ?? null);
    const [media, crop] = [frameOf('MediaBox'), frameOf('CropBox')];
    if (media === null || crop === null) return;
    if (!overlap(media.across, crop.across) || !overlap(media.up, crop.up))
      throw damaged('nothing of a page is in its frame');
  }

  #frame(value: PdfValue): Frame | null {
    const list = this.#resolve(value);
    if (list === null) return null;
    if (!(list instanceof PdfArray) || !this.#hasNumbers(list, 4))
      throw damaged('the frame of a page is no rectangle');
    const [left = 0, bottom = 0, right = 0, top = 0] = list.items.map((item) =>
      Number(this.#resolve(item.value)),
    );
    if (left === right || bottom === top) throw damaged('the frame of a page has no size');
    return { across: [left, right], up: [bottom, top] };
  }

  /** Some programs draw nothing of a page if a part of its content is no stream. */
  #refuseGaps(contents: PdfValue): void {
    const parts = this.#resolve(contents);
    if (!(parts instanceof PdfArray)) return;
    if (parts.items.some(({ value }) => !(this.#resolve(value) instanceof PdfStream)))
      throw damaged('a part of a page is no stream');
  }

  /** The first finding reachable from these values; null if there is none. Empties the list. */
  in(waiting: PdfValue[]): string | null {
    const file = { budget: this.#file.budget, resolve: (value: PdfValue) => this.#resolve(value) };
    for (const { value, object } of walk(file, waiting, this.#visited, 'pages draw too much')) {
      if (object instanceof PdfStream) this.#refuseUnclearData(object);
      const dict = object instanceof PdfStream ? object.dict : object;
      const found =
        dict instanceof PdfDict
          ? this.#foundIn(dict)
          : object instanceof PdfArray
            ? this.#foundInList(object)
            : null;
      if (found !== null) return found;
      for (const part of this.#partsOf(dict, value)) waiting.push(part.value);
    }
    return null;
  }

  #foundInList(list: PdfArray): string | null {
    if (isPointedTable(list, (value) => this.#resolve(value)))
      throw damaged('the last colour of a table is a number with a point');
    return this.#isNoColour(list) ? 'a colour that only some programs paint' : null;
  }

  #partsOf(object: PdfObject, value: PdfValue): readonly { value: PdfValue }[] {
    if (object instanceof PdfArray) return object.items;
    if (!(object instanceof PdfDict)) return [];
    const isPageNode = value instanceof PdfRef && this.#pageNodes.has(value.num);
    return isPageNode ? drawnEntries(object, (each) => this.#file.resolve(each)) : object.entries;
  }

  /** Refuses an object that sealing will change, and one that a hybrid file hides: some programs would not draw it. */
  #resolve(value: PdfValue): PdfObject {
    return this.#file.resolve(value, (ref) => {
      if (this.#changing.has(ref.num)) throw damaged('a page draws with an object that sealing changes');
      if (this.#file.isHidden(ref)) throw damaged('a page draws an object that a hybrid file hides');
    });
  }

  /** /F may name another file, which could change at any time. */
  #refuseUnclearData(stream: PdfStream): void {
    const { dict } = stream;
    if (!isUnpackedAlike(dict, (value) => this.#resolve(value)))
      throw damaged('a page draws what is in another file, or what programs unpack differently');
    if (dict.entries.some(({ key }) => SHORT_NAMES.has(key))) throw damaged('an image has short names');
    if (
      (isName(this.#resolve(dict.get('Subtype')), 'Form') || dict.get('BBox') !== null) &&
      !this.#isPlaced(dict)
    )
      throw damaged('a form that a page draws has no clear place');
    // The standard lets programs show that page instead of the form's content.
    if (dict.get('Ref') !== null) throw damaged('a page draws a page of another file');
    refuseUnclearEnd(stream, this.#resolve(dict.get('Length')), this.#file.budget);
  }

  /** With an invalid /BBox, pdf.js draws everything and PDFium nothing. Both ignore a malformed matrix that others apply. */
  #isPlaced(form: PdfDict): boolean {
    return (
      this.#hasNumbers(form.get('BBox'), 4) &&
      (form.get('Matrix') === null || this.#hasNumbers(form.get('Matrix'), 6))
    );
  }

  #hasNumbers(value: PdfValue, count: number): boolean {
    const list = this.#resolve(value);
    if (!(list instanceof PdfArray) || list.items.length !== count) return false;
    return list.items.every((item) => typeof this.#resolve(item.value) === 'number');
  }

  #foundIn(dict: PdfDict): string | null {
    if (dict.get('ShadingType') !== null && dict.get('CS') !== null)
      throw damaged('a shading has a short name for its colours');
    const pointed = pointedIn(dict, (value) => this.#resolve(value));
    if (pointed !== undefined) throw damaged(`/${pointed} is a number with a point`);
    // With a negative one pdf.js draws as before, and others draw nothing.
    if (!['ca', 'CA'].every((key) => this.#isBetween0And1(this.#resolve(dict.get(key)))))
      throw damaged('an opacity is not between 0 and 1');
    // PDFium draws nothing of a pattern without steps, for which others take its frame.
    if (
      this.#resolve(dict.get('PatternType')) === 1 &&
      !['XStep', 'YStep'].every((key) => this.#isStep(dict.get(key)))
    )
      throw damaged('a pattern has no steps');
    // PDFium follows none here, and draws nothing of a shading with such a function.
    if (dict.get('FunctionType') !== null && dict.get('N') instanceof PdfRef)
      throw damaged('the exponent of a function is a reference');
    // Poppler takes a reference for that of one layer, and shows what others hide.
    const layers = dict.get('OCGs');
    if (layers instanceof PdfRef && this.#resolve(layers) instanceof PdfArray)
      throw damaged('a list of layers is a reference');
    const subtypes = [dict.get('Subtype'), dict.get('Subtype2')].map((value) => this.#file.resolve(value));
    if (subtypes.some((subtype) => isName(subtype, 'PS'))) return 'PostScript that runs only in printers';
    if (this.#hasPrintedAlternate(dict)) return 'an image that is printed in place of the one shown';
    if (this.#changesTones(dict)) return 'a transfer function, which only some programs apply';
    return this.#layers.findingIn(dict, (value) => this.#file.resolve(value));
  }

  /** pdf.js paints with a single colorant "None", and Poppler with several. The standard wants nothing to be painted. */
  #isNoColour({ items: [first, second] }: PdfArray): boolean {
    const [family, names] = [first?.value ?? null, second?.value ?? null];
    if (isName(family, 'Separation')) return isName(this.#resolve(names), 'None');
    const colorants = isName(family, 'DeviceN') ? this.#file.items(names) : [];
    return colorants.length > 0 && colorants.every((each) => isName(this.#resolve(each), 'None'));
  }

  #isStep(value: PdfValue): boolean {
    const step = this.#resolve(value);
    return typeof step === 'number' && step !== 0;
  }

  #isBetween0And1 = (value: PdfObject): boolean => typeof value !== 'number' || (value >= 0 && value <= 1);

  #hasPrintedAlternate(image: PdfDict): boolean {
    const alternates = this.#file.items(image.get('Alternates'));
    return alternates.some((alternate) => this.#file.entry(alternate, 'DefaultForPrinting') === true);
  }

  /**
   * True for resources or a pattern with a graphics state that can turn white into black in some programs: pdf.js applies /TR,
   * others prefer /TR2. /TR alone is accepted, since files made for a certain printer have it.
   */
  #changesTones(dict: PdfDict): boolean {
    const states = this.#file.resolve(dict.get('ExtGState'));
    if (!(states instanceof PdfDict)) return false;
    return [states, ...states.entries.map(({ value }) => this.#file.resolve(value))].some(
      (state) =>
        state instanceof PdfDict &&
        state.get('TR2') !== null &&
        (this.#isTransfer(state.get('TR')) || this.#isTransfer(state.get('TR2'))),
    );
  }

  #isTransfer(value: PdfValue): boolean {
    const functions = this.#file.itemsOrItself(value).map((each) => this.#file.resolve(each));
    return functions.some((each) => each instanceof PdfDict || each instanceof PdfStream);
  }
}
