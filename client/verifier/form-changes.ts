import { COST } from '../../shared/sealing/pdf/budget.ts';
import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { readTextString } from '../../shared/sealing/pdf/text.ts';
import {
  EMPTY_DICT,
  hasDuplicates,
  isName,
  PdfDict,
  PdfRef,
  PdfString,
  type PdfValue,
} from '../../shared/sealing/pdf/values.ts';
import { isTimestamp } from '../../shared/sealing/signature-contents.ts';
import { type Difference, dictOf } from './difference.ts';
import { isInvisible } from './invisible.ts';
import { isDetached, isInForm } from './located.ts';
import { sameExcept } from './same-value.ts';

interface FormChanges {
  /** True if signature fields other than those of document timestamps are new or were filled in. */
  signatures: boolean;
  /** Object numbers of new signature fields and their widgets. */
  fields: ReadonlySet<number>;
}

/** Explains what a revision did to the form: it may add signature fields, and sign where a signature belongs. */
export function explainForm(difference: Difference): FormChanges {
  const comparison = new FormComparison(difference);
  comparison.run();
  return comparison;
}

class FormComparison implements FormChanges {
  signatures = false;
  readonly fields = new Set<number>();
  readonly #difference: Difference;
  readonly #before: PdfFile;
  readonly #after: PdfFile;

  constructor(difference: Difference) {
    this.#difference = difference;
    this.#before = difference.before;
    this.#after = difference.after;
  }

  run(): void {
    this.#explainForm(this.#before.catalog.get('AcroForm'), this.#after.catalog.get('AcroForm'));
    this.#explainFilledFields();
  }

  #require(isAllowed: boolean): void {
    this.#difference.require(isAllowed);
  }

  #explainForm(before: PdfValue, after: PdfValue): void {
    const formBefore = dictOf(this.#before, before);
    const form = dictOf(this.#after, after);
    if (form === null) {
      this.#require(formBefore === null);
      return;
    }
    this.#require(sameExcept(formBefore ?? EMPTY_DICT, form, ['Fields', 'SigFlags']));
    const flags = flagsOf(this.#before, formBefore);
    this.#require((flagsOf(this.#after, form) & flags) === flags);
    this.#difference.settle(after, before);
    this.#difference.settle(form.get('Fields'), formBefore?.get('Fields') ?? null);
    const fieldsBefore = this.#before.items(formBefore?.get('Fields') ?? null);
    const fields = this.#after.items(form.get('Fields'));
    this.#require(this.#difference.extends(fields, fieldsBefore));
    const added = fields.slice(fieldsBefore.length);
    this.#require(added.length === 0 || this.#haveOwnNames(added, fieldsBefore));
    for (const field of added) this.#explainNewField(field);
  }

  /** Programs take two fields of one name for one field. A period stands between the names of a field and of one below it. */
  #haveOwnNames(added: readonly PdfValue[], known: readonly PdfValue[]): boolean {
    const names = new Set(known.map((field) => nameOf(this.#before, field)).filter(isPresent));
    const own = added.map((field) => nameOf(this.#after, field)).filter(isPresent);
    const areOwn = new Set([...names, ...own]).size === names.size + own.length;
    return areOwn && own.length === added.length && !own.some((name) => name.includes('.'));
  }

  /** A new signature field, or a widget below the given one. */
  #explainNewField(value: PdfValue, above?: { isSigned: boolean }): void {
    const dict = dictOf(this.#after, value);
    if (!(value instanceof PdfRef) || dict === null || !this.#difference.isNew(value.num)) {
      this.#require(false);
      return;
    }
    const type = this.#after.resolve(dict.get('FT'));
    this.#require(isName(type, 'Sig') || (above !== undefined && type === null));
    this.#require(dict.entries.every(({ key }) => FIELD_KEYS.has(key)) && !hasDuplicates(dict));
    const isSigned = above?.isSigned || this.#isSigned(dict);
    this.#require(isSigned || isInvisible(this.#after, dict));
    this.fields.add(value.num);
    if (above === undefined || dict.get('V') !== null) this.#noteSignature(dict);
    this.#difference.settle(value, null);
    for (const key of OWN_KEYS) this.#difference.explainTree(dict.get(key));
    if (above !== undefined) return;
    for (const kid of this.#after.items(dict.get('Kids'))) this.#explainNewField(kid, { isSigned });
  }

  /**
   * True if this revision wrote the field's signature. An appearance could show anything, so somebody must answer for it: a signer
   * who is judged. An older signature does not cover it, one outside the form is not judged, and a timestamp is nobody's consent.
   */
  #isSigned(field: PdfDict): boolean {
    const signature = dictOf(this.#after, field.get('V'));
    const isNew = signature?.source === this.#after.bytes && signature.from >= this.#before.bytes.length;
    return isNew && isDetached(signature) && isInForm(this.#after, signature);
  }

  /** A document timestamp is no change of the document, even after a certification that forbids all (ISO 32000-2, table 257). */
  #noteSignature(field: PdfDict): void {
    const value = field.get('V');
    // An earlier signature would have two fields.
    this.#require(value === null || (value instanceof PdfRef && this.#difference.isNew(value.num)));
    const signature = dictOf(this.#after, value);
    this.signatures ||= signature === null || !isTimestamp(signature);
  }

  /** Signature fields that were empty before. One that stays empty must stay as it is: pyHanko reports even a date in it. */
  #explainFilledFields(): void {
    for (const num of this.#difference.open) {
      const [before, after] = this.#difference.bothOf(num);
      if (!(before instanceof PdfDict) || !(after instanceof PdfDict)) continue;
      if (!isName(before.get('FT'), 'Sig') || before.get('V') !== null || after.get('V') === null) continue;
      const isSigned = this.#isSigned(after);
      // A text field below would inherit a text value and show it.
      this.#require(dictOf(this.#after, after.get('V')) !== null);
      this.#noteSignature(after);
      this.#explainFilled(num, ['V', 'M'], isSigned);
      for (const kid of this.#before.items(before.get('Kids')))
        if (kid instanceof PdfRef) this.#explainFilled(kid.num, ['M'], isSigned);
    }
  }

  /** A signature field that was filled in, or a widget of it. `keys`: entries that change nothing of what is shown. */
  #explainFilled(num: number, keys: readonly string[], isSigned: boolean): void {
    const [before, after] = this.#difference.bothOf(num);
    if (!(before instanceof PdfDict) || !(after instanceof PdfDict) || !hasSignatureType(before)) return;
    // Many programs lock the field that they sign.
    this.#require(sameExcept(before, after, [...keys, 'AP', 'F', 'Ff']));
    // MuPDF shows an existing appearance only once the field is signed.
    const drawsTheSame = before.get('AP') === null && sameExcept(before, after, keys);
    this.#require(
      drawsTheSame || isSigned || (isInvisible(this.#before, before) && isInvisible(this.#after, after)),
    );
    this.#difference.open.delete(num);
    for (const key of ['V', 'AP']) this.#difference.explainTree(after.get(key));
  }
}

function flagsOf(file: PdfFile, form: PdfDict | null): number {
  const flags = form && file.resolve(form.get('SigFlags'));
  return typeof flags === 'number' ? flags : 0;
}

function nameOf(file: PdfFile, field: PdfValue): string | null {
  const name = file.entry(field, 'T');
  if (!(name instanceof PdfString)) return null;
  file.budget.spend(COST.decodedByte, name.raw.length);
  return readTextString(name.raw);
}

const isPresent = (name: string | null): name is string => name !== null;

/** A widget inherits the type of its field. */
const hasSignatureType = (field: PdfDict): boolean =>
  field.get('FT') === null || isName(field.get('FT'), 'Sig');

/** Allowed keys of a signature field or its widget. No actions. */
const FIELD_KEYS: ReadonlySet<string> = new Set([
  ...['Type', 'Subtype', 'FT', 'T', 'TU', 'V', 'F', 'Ff', 'Rect', 'P', 'AP', 'MK', 'DA', 'Lock', 'SV'],
  ...['Kids', 'Parent'],
]);

/** Keys whose values only the field uses. */
const OWN_KEYS = ['V', 'AP', 'MK', 'Lock', 'SV'];
