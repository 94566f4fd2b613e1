import type { PdfFile } from './pdf/file.ts';
import {
  isName,
  nameOf,
  PdfArray,
  PdfDict,
  type PdfObject,
  PdfRef,
  type PdfValue,
  type Resolve,
} from './pdf/values.ts';

/** Policies of a membership; without one it shows with any of its layers. */
const POLICIES: ReadonlySet<string> = new Set(['', 'AllOn', 'AnyOn', 'AnyOff', 'AllOff']);
const INVERTED: ReadonlySet<string> = new Set(['AnyOff', 'AllOff']);
const OPERATORS: ReadonlySet<string> = new Set(['And', 'Or', 'Not']);

/** Nested visibility expressions. */
const MAX_EXPRESSION_DEPTH = 20;

const PRINTED_ONLY = 'a layer that is printed but not shown';
const SHOWN_BY_SOME = 'a layer that only some programs show';

/**
 * The layers (optional content groups) of a document. Programs differ: some apply a layer's own usage only if the configuration asks
 * for it (/AS), some always, some even to a layer that is switched off.
 */
export class Layers {
  /** True if a layer may be on in view and off in print: content shown while it is off may then be printed only. */
  readonly vary: boolean;
  readonly #states: readonly LayerState[];
  readonly #areListed: boolean;
  readonly #layers: ReadonlySet<number>;

  constructor(file: PdfFile, catalog: PdfDict) {
    const properties = catalog.get('OCProperties');
    const groups = file.items(file.entry(properties, 'OCGs'));
    this.#areListed = file.resolve(properties) !== null;
    this.#layers = numbersIn(groups);
    this.#states = layerStates(file, file.entry(properties, 'D'), groups);
    this.vary = this.#states.some(({ off, shown, printed }) =>
      [shown, printed].some((state) => isName(state, off ? 'ON' : 'OFF')),
    );
  }

  /** A layer that one program might hide and one might show or print; null if there is none. */
  get finding(): string | null {
    const isPrintedOnly = this.#states.some(
      ({ off, shown, printed }) =>
        (off || isName(shown, 'OFF')) && (isName(printed, 'ON') || (!off && !isName(printed, 'OFF'))),
    );
    if (isPrintedOnly) return PRINTED_ONLY;
    const isShownBySome = this.#states.some(
      ({ off, shown, isForView }) => isName(shown, off ? 'ON' : 'OFF') || (off && !isForView),
    );
    return isShownBySome ? SHOWN_BY_SOME : null;
  }

  /** Null for a membership dictionary whose content all programs show alike, and for any other dictionary. */
  findingIn(membership: PdfDict, resolve: Resolve): string | null {
    if (!isName(resolve(membership.get('Type')), 'OCMD')) return null;
    const isInverted =
      INVERTED.has(nameOf(resolve(membership.get('P')))) || negates(membership.get('VE'), resolve);
    if (isInverted && this.vary) return PRINTED_ONLY;
    // A document that was put together of others may lack the list of layers: they are on then, in PDFium those of an inversion too.
    const isClear = this.#areListed ? this.#isClear(membership, resolve) : !isInverted;
    return isClear ? null : SHOWN_BY_SOME;
  }

  /** Programs differ on layers that are not listed or not there, unknown policies and operators, and the policy of a single layer. */
  #isClear(membership: PdfDict, resolve: Resolve): boolean {
    const [groups, expression] = [membership.get('OCGs'), membership.get('VE')];
    if (resolve(expression) !== null) return this.#isExpression(expression, resolve);
    const list = resolve(groups);
    const policy = nameOf(resolve(membership.get('P')));
    if (list instanceof PdfArray)
      return list.items.length > 0 && list.items.every(this.#isLayer) && POLICIES.has(policy);
    return list === null || !this.#isLayer({ value: groups }) || !INVERTED.has(policy);
  }

  #isLayer = ({ value }: { value: PdfValue }): boolean =>
    value instanceof PdfRef && this.#layers.has(value.num);

  #isExpression(value: PdfValue, resolve: Resolve, depth = 0): boolean {
    const terms = resolve(value);
    if (!(terms instanceof PdfArray) || depth > MAX_EXPRESSION_DEPTH) return false;
    const [operator, ...operands] = terms.items;
    const name = nameOf(resolve(operator?.value ?? null));
    return (
      OPERATORS.has(name) &&
      (name === 'Not' ? operands.length === 1 : operands.length > 0) &&
      operands.every((each) => this.#isLayer(each) || this.#isExpression(each.value, resolve, depth + 1))
    );
  }
}

function negates(expression: PdfValue, resolve: Resolve, depth = 0): boolean {
  const terms = resolve(expression);
  if (!(terms instanceof PdfArray)) return isName(terms, 'Not');
  return depth > MAX_EXPRESSION_DEPTH || terms.items.some(({ value }) => negates(value, resolve, depth + 1));
}

interface LayerState {
  off: boolean;
  /** The state that its usage dictionary asks for, if any. */
  shown: PdfObject;
  printed: PdfObject;
  /** False for a layer that is not meant for viewing, or not called a layer: PDFium or pdf.js shows it although it is off. */
  isForView: boolean;
}

function layerStates(file: PdfFile, configuration: PdfObject, groups: readonly PdfValue[]): LayerState[] {
  const isOff = defaultStates(file, configuration);
  return groups.flatMap((value) => {
    const layer = file.resolve(value);
    if (!(layer instanceof PdfDict)) return [];
    /** The state that the layer's usage dictionary wants for an event, if any. */
    const usage = (event: 'View' | 'Print') =>
      file.entry(file.entry(layer.get('Usage'), event), `${event}State`);
    return [
      {
        off: value instanceof PdfRef && isOff(value),
        shown: usage('View'),
        printed: usage('Print'),
        isForView:
          isName(file.resolve(layer.get('Type')), 'OCG') && isMeantForView(file, layer.get('Intent')),
      },
    ];
  });
}

function isMeantForView(file: PdfFile, value: PdfValue): boolean {
  const intents = file.itemsOrItself(value).map((each) => file.resolve(each));
  return file.resolve(value) === null || intents.some((each) => isName(each, 'View'));
}

function defaultStates(file: PdfFile, configuration: PdfObject): (layer: PdfRef) => boolean {
  const numbers = (key: string) => numbersIn(file.items(file.entry(configuration, key)));
  const [on, off] = [numbers('ON'), numbers('OFF')];
  const allOff = isName(file.entry(configuration, 'BaseState'), 'OFF');
  return ({ num }) => off.has(num) || (allOff && !on.has(num));
}

const numbersIn = (layers: readonly PdfValue[]): Set<number> =>
  new Set(layers.flatMap((layer) => (layer instanceof PdfRef ? [layer.num] : [])));
