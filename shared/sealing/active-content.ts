import { AnnotationLooks } from './annotation-looks.ts';
import { DrawnContent } from './drawn-content.ts';
import { Layers } from './layers.ts';
import { COST, LIMITS } from './pdf/budget.ts';
import type { PdfFile } from './pdf/file.ts';
import { nameTreeValues } from './pdf/name-tree.ts';
import { PdfRefusal, tooComplex } from './pdf/refusal.ts';
import { nameOf, PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream, type PdfValue } from './pdf/values.ts';
import { walk } from './pdf/walk.ts';
import type { SealPlan } from './plan.ts';

/** Values of /S in actions (ISO 32000-1, 12.6.4) and renditions that run code, send or fetch data, or play media. */
const ACTIVE_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['JavaScript', 'JavaScript'],
  ['Launch', 'a Launch action'],
  ['ImportData', 'an ImportData action'],
  ['SubmitForm', 'a SubmitForm action'],
  ['Rendition', 'a Rendition action'],
  ['MR', 'a Rendition'],
  ['SR', 'a Rendition'],
  ['RichMediaExecute', 'a RichMedia action'],
  ['GoTo3DView', 'a 3D action'],
  ['Movie', 'a Movie action'],
  ['Sound', 'a Sound action'],
]);

/** Actions that change what is shown, or show another file. Refused only where no click is needed to start them. */
const CHANGING_ACTIONS: ReadonlySet<string> = new Set(['GoToR', 'GoToE', 'ResetForm', 'SetOCGState', 'Hide']);

const ACTIVE_ANNOTATIONS: ReadonlyMap<string, string> = new Map([
  ['RichMedia', 'a RichMedia annotation'],
  ['3D', 'a 3D annotation'],
  ['Movie', 'a Movie annotation'],
  ['Sound', 'a Sound annotation'],
]);

/** Keys that lead from an annotation, field, outline item, action or presentation step to actions or more of these. */
const FOLLOWED = ['A', 'NA', 'PA', 'Next', 'Prev', 'First', 'Parent', 'Kids'];

/**
 * Active elements, and a document type, which could hide one in an entity. A namespace prefix may have any letters, and UTF-16
 * with its NUL bytes removed garbles them, so only the colon is matched. The lookahead excludes attributes and text: these characters never follow a tag's name.
 */
const ACTIVE_XFA = /<!DOCTYPE|[<:](script|submit|execute)\b(?![=<"'])/i;

/** An image element with its attributes. */
const XFA_IMAGE = /[<:]image\b[^<]*/gi;
const ELSEWHERE = /\bhref\s*=\s*["'][^"'#]/i;

/**
 * A dynamicRender element that is neither empty nor "forbidden": Acrobat then draws the form instead of the pages. The lookarounds
 * are bounded, because a file may hold very many of these elements.
 */
const DYNAMIC_XFA =
  /[<:]dynamicRender\b(?<!<\/[^<>\s]{0,50}dynamicRender)(?![^>]{0,50}\/>)(?![^>]{0,50}>\s*(?:forbidden\s*)?<\/)/i;

/**
 * Refuses a document that can act on its own or prints what it does not show: signers agree to what they see. Looks
 * everywhere a reader takes actions from: catalog, names, pages, annotations, form fields, outlines. `onPage` gets each page while
 * its annotations are at hand: of a document with very many, only some are kept.
 */
export function refuseActiveContent(plan: SealPlan, onPage: (page: PdfDict) => void): void {
  const { file, pageTree, form } = plan;
  const catalog = plan.catalog.dict;
  if (file.resolve(catalog.get('Collection')) !== null)
    throw activeContent('a portfolio of files, which some programs show in place of its pages');
  const search = new Search(file, form.dict);
  const layers = new Layers(file, catalog);
  const drawn = new DrawnContent(plan, layers);
  const visited = new Set<number>();
  const onOpening = [catalog.get('OpenAction'), ...additionalActions(file, catalog)];
  refuseAutomatic(file, visited, onOpening);
  search.from(onOpening);
  for (const tree of ['JavaScript', 'Renditions']) search.from([...nameTreeValues(file, tree)]);
  for (const tree of ['Pages', 'Templates']) for (const page of nameTreeValues(file, tree)) search.page(page);
  pageTree.pages.forEach((page, index) => {
    const place = ` on page ${index + 1}`;
    search.page(page, place);
    const dict = file.dict(page, 'a page');
    refuseAutomatic(file, visited, automaticActionsOf(file, dict), place);
    const found = drawn.onPage(dict);
    if (found !== null) throw activeContent(found + place);
    onPage(dict);
  });
  search.from([form.fields, ...outlinesIn(file, catalog)]);
  const ofForm = ['DR', 'NeedAppearances'].map((key) => form.dict?.get(key) ?? null);
  const found = drawn.in([...ofForm, ...search.resources]) ?? foundInXfa(file, form.dict) ?? layers.finding;
  if (found !== null) throw activeContent(found);
}

/** None if the outlines were deleted: some editors leave the reference in the catalog. */
function outlinesIn(file: PdfFile, catalog: PdfDict): PdfValue[] {
  const outlines = catalog.get('Outlines');
  const isDeleted = outlines instanceof PdfRef && file.xref.entries.get(outlines.num)?.kind === 'free';
  return isDeleted ? [] : [outlines];
}

/** Programs that know XFA run the scripts of a static XFA form too, and fetch its images; others show the PDF fields. */
function foundInXfa(file: PdfFile, form: PdfDict | null): string | null {
  const text = xfaText(file, form?.get('XFA') ?? null);
  if (DYNAMIC_XFA.test(text))
    throw new PdfRefusal('pdf_dynamic_form', 'its XFA form is rendered anew when it opens');
  if (ACTIVE_XFA.test(text)) return 'JavaScript in an XFA form';
  for (const [image] of text.matchAll(XFA_IMAGE))
    if (ELSEWHERE.test(image)) return 'an image from elsewhere in an XFA form';
  return null;
}

/** Joins all parts, since an element may span two. Without NUL bytes, UTF-16 reads like ASCII. */
function xfaText(file: PdfFile, xfa: PdfValue): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const value of file.itemsOrItself(xfa)) {
    const part = file.resolve(value);
    if (!(part instanceof PdfStream)) continue;
    const data = file.decodedData(part);
    bytes += data.length;
    if (bytes > LIMITS.decodedStream) throw tooComplex('a large XFA form');
    file.budget.spend(COST.scannedByte, data.length);
    texts.push(withoutNul(data).toString('latin1'));
  }
  return texts.join('');
}

function withoutNul(data: Uint8Array): Buffer {
  const text = Buffer.allocUnsafe(data.length);
  let length = 0;
  // Three times as fast as `for … of`, in data of up to 32 MB.
  for (let at = 0; at < data.length; at += 1) {
    const byte = data[at] ?? 0;
    if (byte === 0) continue;
    text[length] = byte;
    length += 1;
  }
  return text.subarray(0, length);
}

class Search {
  readonly #file: PdfFile;
  readonly #looks: AnnotationLooks;
  readonly #visited = new Set<number>();
  /** Resource dictionaries of single fields, which some programs draw the field with. */
  readonly resources: PdfValue[] = [];

  constructor(file: PdfFile, form: PdfDict | null) {
    this.#file = file;
    this.#looks = new AnnotationLooks(file, form);
  }

  page(value: PdfValue, place = ''): void {
    const page = this.#file.resolve(value);
    if (!(page instanceof PdfDict)) return;
    const actions = additionalActions(this.#file, page);
    this.from([page.get('Annots'), page.get('PresSteps'), ...actions], place);
  }

  /** Searches everything reachable from these values. Empties the list. */
  from(waiting: PdfValue[], place = ''): void {
    const tooMany = 'too many annotations, fields or actions';
    for (const { value, object } of walk(this.#file, waiting, this.#visited, tooMany)) {
      // Charge for a direct value: many lists may share it.
      if (object instanceof PdfDict && object === value) this.#file.budget.spend(COST.object);
      const found = object instanceof PdfDict ? this.#activeContentIn(object) : null;
      if (found !== null) throw activeContent(found + place);
      if (object instanceof PdfDict && object.get('DR') !== null) this.resources.push(object.get('DR'));
      // One by one: a call takes no 100,000 arguments.
      for (const part of this.#partsOf(object)) waiting.push(part);
    }
  }

  #partsOf(object: PdfObject): PdfValue[] {
    if (object instanceof PdfArray) return object.items.map(({ value }) => value);
    if (!(object instanceof PdfDict)) return [];
    const followed = FOLLOWED.map((key) => object.get(key)).filter((each) => each !== null);
    return [...followed, ...additionalActions(this.#file, object)];
  }

  #activeContentIn(dict: PdfDict): string | null {
    if (dict.get('JS') !== null) return 'JavaScript';
    const action = ACTIVE_ACTIONS.get(nameOf(this.#file.resolve(dict.get('S'))));
    const annotation = ACTIVE_ANNOTATIONS.get(nameOf(this.#file.resolve(dict.get('Subtype'))));
    return action ?? annotation ?? this.#looks.findingIn(dict);
  }
}

/**
 * Refuses actions that a reader starts when it opens or shows something, and those that follow them. `visited` holds the
 * objects that were looked at before.
 */
function refuseAutomatic(
  file: PdfFile,
  visited: Set<number>,
  actions: readonly PdfValue[],
  place = '',
): void {
  const waiting = [...actions];
  for (const { object: action } of walk(file, waiting, visited, 'too many actions')) {
    if (action instanceof PdfArray) for (const item of action.items) waiting.push(item.value);
    if (!(action instanceof PdfDict)) continue;
    const name = nameOf(file.resolve(action.get('S')));
    if (CHANGING_ACTIONS.has(name)) throw activeContent(`a ${name} action that starts by itself${place}`);
    waiting.push(action.get('Next'));
  }
}

/** The event actions of a page and its annotations: some start when the page is shown. */
function automaticActionsOf(file: PdfFile, page: PdfDict): PdfValue[] {
  return [
    ...additionalActions(file, page),
    ...file.items(page.get('Annots')).flatMap((value) => {
      // Many pages may share a list.
      file.budget.spend(COST.value);
      const annotation = file.resolve(value);
      return annotation instanceof PdfDict ? additionalActions(file, annotation) : [];
    }),
  ];
}

/** The actions of a dictionary's events (/AA). */
function additionalActions(file: PdfFile, dict: PdfDict): PdfValue[] {
  const actions = file.resolve(dict.get('AA'));
  if (!(actions instanceof PdfDict)) return [];
  file.budget.spend(COST.searchedValue, actions.entries.length);
  return actions.entries.map(({ value }) => value);
}

const activeContent = (found: string): PdfRefusal =>
  new PdfRefusal(
    'pdf_active_content',
    found,
    `The PDF contains active content: ${found}. Print it as a plain PDF and upload that.`,
  );
