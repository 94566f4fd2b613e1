import { COST } from './pdf/budget.ts';
import type { PdfFile } from './pdf/file.ts';
import { readTextString } from './pdf/text.ts';
import {
  hasPoint,
  isName,
  nameOf,
  PdfArray,
  PdfDict,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
  type PdfValue,
} from './pdf/values.ts';

/** Annotations that PDFium leaves out if they have no appearance. Others draw them by their other entries. */
const DRAWN_BY_SOME: ReadonlySet<string> = new Set(['Line', 'PolyLine', 'Polygon', 'Stamp']);

/** Of an annotation without a type Poppler draws no appearance, of a pop-up neither PDFium nor the standard. */
const LOOK_DRAWN_BY_SOME: ReadonlySet<string> = new Set(['', 'Popup']);

/** Annotations of stretches of text, whose corners they name. */
const TEXT_MARKS: ReadonlySet<string> = new Set(['Highlight', 'Underline', 'Squiggly', 'StrikeOut']);

/** Real forms have three or four. */
const FIELD_LEVELS = 10;

const MAX_FLAGS = 0xffff;
const INVISIBLE = 0x01;
const HIDDEN = 0x02;
const PRINT = 0x04;
const NO_VIEW = 0x20;
/** Flags of fields. */
const RADIO = 0x8000;
const PUSH_BUTTON = 0x1_0000;
const COMBO = 0x2_0000;

/** PDFium treats a rectangle with a shorter side as empty. */
const LEAST_SIZE = 0.001;

/** Finds annotations that signers might not see: ones that only some programs draw, or that are printed only. */
export class AnnotationLooks {
  readonly #file: PdfFile;
  /** True if all programs make the appearances of text and choice fields anew. */
  readonly #areMadeAnew: boolean;

  constructor(file: PdfFile, form: PdfDict | null) {
    this.#file = file;
    this.#areMadeAnew = form !== null && file.resolve(form.get('NeedAppearances')) === true;
  }

  /** Null for an annotation that all programs show alike, and for any other dictionary. */
  findingIn(dict: PdfDict): string | null {
    if (
      this.#hasUnclearFlags(dict) ||
      this.#lacksFrame(dict) ||
      this.#isDrawnBySome(dict) ||
      this.#isSignatureOutOfView(dict)
    )
      return 'an annotation that only some programs show';
    return this.#isPrintedOnly(dict) ? 'an annotation that is printed but not shown' : null;
  }

  /** Poppler ignores flags with a decimal point, as in 2.0, and programs truncate large ones differently. */
  #hasUnclearFlags(annotation: PdfDict): boolean {
    const flags = this.#flagsOf(annotation);
    // NaN stands for a malformed number, which is refused elsewhere. Programs that ignore a flag assume 0.
    if (Number.isNaN(flags) || flags === 0) return false;
    return hasPoint(annotation, 'F') || flags < 0 || flags > MAX_FLAGS || flags % 1 > 0;
  }

  /**
   * PDFium draws an appearance without /BBox in its own size, even if the annotation has no size; others scale or skip it. Only
   * pdf.js draws one whose /BBox is empty.
   */
  #lacksFrame(annotation: PdfDict): boolean {
    const look = this.#file.entry(annotation.get('AP'), 'N');
    const states = look instanceof PdfDict ? look.entries.map(({ value }) => value) : [look];
    const hasSize = this.#hasSize(annotation);
    return states.some((value) => {
      // Many annotations may share them.
      this.#file.budget.spend(COST.value);
      const state = value instanceof PdfRef ? this.#file.resolve(value) : value;
      if (!(state instanceof PdfStream)) return false;
      const size = this.#sizeOf(state.dict.get('BBox'));
      return size === null || (hasSize && size < LEAST_SIZE);
    });
  }

  #hasSize = (annotation: PdfDict): boolean => (this.#sizeOf(annotation.get('Rect')) ?? 0) > 0;

  /** The shorter side; null if the value is no rectangle. */
  #sizeOf(value: PdfValue): number | null {
    const rectangle = this.#file.resolve(value);
    if (!(rectangle instanceof PdfArray) || rectangle.items.length !== 4) return null;
    const sides = rectangle.items.map((side) => this.#file.resolve(side.value));
    if (!sides.every((side) => typeof side === 'number')) return null;
    const [left = 0, bottom = 0, right = 0, top = 0] = sides;
    return Math.min(Math.abs(right - left), Math.abs(top - bottom));
  }

  /** True if some programs draw the annotation and others do not, or another of its appearances. */
  #isDrawnBySome(annotation: PdfDict): boolean {
    const flags = this.#flagsOf(annotation);
    if ((flags & (HIDDEN | NO_VIEW)) !== 0 || !this.#hasSize(annotation)) return false;
    if (this.#hasUnclearState(annotation)) return true;
    const subtype = nameOf(this.#file.resolve(annotation.get('Subtype')));
    const look = this.#lookOf(annotation);
    if (TEXT_MARKS.has(subtype) && !this.#hasCorners(annotation)) return true;
    if (subtype === 'Highlight' && look !== null) return !this.#setsState(look);
    // pdf.js hides kinds that it does not know if they are invisible.
    if (look !== null) return (flags & INVISIBLE) !== 0 || LOOK_DRAWN_BY_SOME.has(subtype);
    return subtype === 'Widget' ? this.#hasContent(annotation) : DRAWN_BY_SOME.has(subtype);
  }

  /**
   * Without /AS, programs draw different appearances, except of a button that is off, as LibreOffice writes it. pdf.js goes by the value
   * of a radio button if the appearance "Off" is missing.
   */
  #hasUnclearState(annotation: PdfDict): boolean {
    const states = this.#file.entry(annotation.get('AP'), 'N');
    if (!(states instanceof PdfDict) || states.entries.length === 0) return false;
    const state = nameOf(this.#file.resolve(annotation.get('AS')));
    const value = this.#inherited(annotation, 'V');
    const hasOff = states.get('Off') !== null;
    if (state === '')
      return !hasOff || this.#typeOf(annotation) !== 'Btn' || !(value === null || isName(value, 'Off'));
    const isOff = state === 'Off' && !hasOff;
    return isOff && this.#isField(annotation, RADIO) && states.get(nameOf(value)) !== null;
  }

  #lookOf(annotation: PdfDict): PdfStream | null {
    const looks = this.#file.entry(annotation.get('AP'), 'N');
    const state = nameOf(this.#file.resolve(annotation.get('AS')));
    const look = looks instanceof PdfDict ? this.#file.resolve(looks.get(state)) : looks;
    return look instanceof PdfStream ? look : null;
  }

  /** pdf.js hides a mark without them. */
  #hasCorners(mark: PdfDict): boolean {
    const corners = this.#file.items(mark.get('QuadPoints'));
    this.#file.budget.spend(COST.searchedValue, corners.length);
    const areNumbers = corners.every((each) => typeof this.#file.resolve(each) === 'number');
    return areNumbers && corners.length > 0 && corners.length % 8 === 0;
  }

  /** pdf.js draws a highlight in its own way if its appearance sets no state of graphics, such as the mode of blending. */
  #setsState = (look: PdfStream): boolean =>
    this.#file.entry(look.dict.get('Resources'), 'ExtGState') !== null;

  /** True if Chrome and Poppler draw something of the field: its value, options, caption, mark or background. pdf.js draws nothing. */
  #hasContent(widget: PdfDict): boolean {
    const type = this.#typeOf(widget);
    if (type === 'Sig') return false;
    if (type === 'Btn') return this.#isButtonDrawn(widget);
    // It may be the kid of a field that it does not name.
    if (type === '' || (widget.get('T') === null && widget.get('Parent') === null)) return true;
    if (this.#areMadeAnew) return false;
    const isList = type === 'Ch' && !this.#isField(widget, COMBO);
    return (
      this.#isFilled(this.#inherited(widget, 'V')) ||
      (isList && this.#inherited(widget, 'Opt') !== null) ||
      this.#file.items(this.#file.entry(widget.get('MK'), 'BG')).length > 0
    );
  }

  #isButtonDrawn(widget: PdfDict): boolean {
    if (this.#isField(widget, PUSH_BUTTON)) return this.#file.entry(widget.get('MK'), 'CA') !== null;
    const state = nameOf(this.#file.resolve(widget.get('AS')));
    return state !== '' && state !== 'Off';
  }

  #isFilled(value: PdfObject): boolean {
    if (!(value instanceof PdfString)) return value !== null;
    this.#file.budget.spend(COST.decodedByte, value.raw.length);
    return readTextString(value.raw) !== '';
  }

  /** PDFium draws a signature widget despite NoView. */
  #isSignatureOutOfView(widget: PdfDict): boolean {
    const isOutOfView = (this.#flagsOf(widget) & (HIDDEN | NO_VIEW)) === NO_VIEW;
    return isOutOfView && this.#hasSize(widget) && this.#typeOf(widget) === 'Sig';
  }

  #typeOf = (widget: PdfDict): string => nameOf(this.#inherited(widget, 'FT'));

  #isField = (widget: PdfDict, flag: number): boolean => (Number(this.#inherited(widget, 'Ff')) & flag) !== 0;

  /** The value of a key that fields inherit. */
  #inherited(widget: PdfDict, key: string): PdfObject {
    let field: PdfObject = widget;
    for (let level = 0; level < FIELD_LEVELS && field instanceof PdfDict; level += 1) {
      const value = this.#file.resolve(field.get(key));
      if (value !== null) return value;
      field = this.#file.resolve(field.get('Parent'));
    }
    return null;
  }

  #isPrintedOnly(annotation: PdfDict): boolean {
    const isPrintedOnly = (this.#flagsOf(annotation) & (HIDDEN | PRINT | NO_VIEW)) === (PRINT | NO_VIEW);
    return isPrintedOnly && this.#hasSize(annotation);
  }

  #flagsOf(annotation: PdfDict): number {
    const flags = this.#file.resolve(annotation.get('F'));
    return typeof flags === 'number' ? flags : 0;
  }
}
