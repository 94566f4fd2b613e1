import {
  AnnotationMode,
  GlobalWorkerOptions,
  getDocument,
  OPS,
  PDFWorker,
  TextLayer,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { Turns } from './turns.ts';

/** pdf.js is in a chunk of its own, which the page loads when there is a document to show. */
GlobalWorkerOptions.workerSrc = workerUrl;

type PdfDocument = Awaited<ReturnType<typeof getDocument>['promise']>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;
type TextReader = ReadableStreamDefaultReader<Awaited<ReturnType<PdfPage['getTextContent']>>>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface OpenPdf {
  readonly pageCount: number;
  /** Until `measure` has run, every page has the size of the first. */
  readonly sizes: readonly Size[];
  measure(): Promise<readonly Size[]>;
  draw(page: number, canvas: HTMLCanvasElement, scale: number, signal: AbortSignal): Promise<void>;
  /** Resolves to whether the page has any text. */
  renderText(page: number, layer: HTMLElement): Promise<boolean>;
  /** Runs the work when no page is being drawn, one after the other. */
  afterDrawing(work: () => Promise<unknown> | undefined): void;
  /** The page's text as `renderText` lays it out: its pieces, with a line end after each line. */
  text(page: number): Promise<string>;
  close(): void;
}

const A4: Size = { width: 595, height: 842 };
/** Larger images, such as an A0 page at 240 dpi, can crash the browser of a phone. */
const MAX_IMAGE_PIXELS = 2 ** 27;
const MAX_CANVAS_PIXELS = 12_000_000;
const MAX_CANVAS_SIDE = 8_192;

/** Starts pdf.js for one document. Rejects if its worker cannot be loaded, which says nothing about the document. */
export async function startPdf(): Promise<(bytes: Uint8Array<ArrayBuffer>) => Promise<OpenPdf>> {
  const worker = new PDFWorker({ verbosity: VerbosityLevel.ERRORS });
  await worker.promise;
  return (bytes) => openPdf(bytes, worker);
}

async function openPdf(bytes: Uint8Array<ArrayBuffer>, worker: PDFWorker): Promise<OpenPdf> {
  const open = (stopAtErrors: boolean) =>
    getDocument({
      worker,
      // pdf.js transfers its bytes to the worker, so it gets a copy.
      data: bytes.slice(),
      stopAtErrors,
      enableXfa: false,
      maxImageSize: MAX_IMAGE_PIXELS,
      cMapUrl: `${PDFJS_FILES}cmaps/`,
      cMapPacked: true,
      standardFontDataUrl: `${PDFJS_FILES}standard_fonts/`,
      // PDFs may leave out the standard fonts. A device's own fonts have other widths, so letters would overlap.
      useSystemFonts: false,
      // Scan decoders and colour profiles are WebAssembly, the only reason for 'wasm-unsafe-eval' in the page's policy.
      // Without it, pdf.js falls back to older decoders that support fewer formats.
      wasmUrl: `${PDFJS_FILES}wasm/`,
      iccUrl: `${PDFJS_FILES}iccs/`,
      verbosity: VerbosityLevel.ERRORS,
    });
  const task = open(false);
  let strict: ReturnType<typeof getDocument> | undefined;
  const close = () => void Promise.all([task.destroy(), strict?.destroy()]).then(() => worker.destroy());
  const pdf = await task.promise.catch((error: unknown) => {
    close();
    throw error;
  });
  const strictPage = async (page: number) => {
    strict ??= open(true);
    return (await strict.promise).getPage(page);
  };
  const lacksFont = oncePerPage(async (page) =>
    usesLostFont(await pdf.getPage(page), () => strictPage(page)),
  );
  const first = await sizeOf(pdf, 1, A4);
  const language = await languageOf(pdf);
  const turns = new Turns();
  return {
    pageCount: pdf.numPages,
    sizes: Array.from({ length: pdf.numPages }, () => first),
    measure: () => measure(pdf, first),
    draw: (page, canvas, scale, signal) =>
      turns.now(async () => {
        const shown = await pdf.getPage(page);
        await draw(shown, canvas, scale, signal);
        if ((await isIncomplete(shown)) || (await lacksFont(page)))
          throw new Error('An image or a font of the page could not be decoded, or is not there.');
      }),
    renderText: async (page, layer) => {
      // Otherwise screen readers would read it in the page's language.
      layer.lang = language;
      return renderText(await pdf.getPage(page), layer);
    },
    afterDrawing: (work) => turns.later(work),
    text: pageTexts(pdf),
    close,
  };
}

/** The language that the document declares, or the empty string, which means unknown in HTML too. */
const languageOf = (pdf: PdfDocument): Promise<string> =>
  pdf.getMetadata().then(
    ({ info }) => ('Language' in info && typeof info.Language === 'string' ? info.Language : ''),
    () => '',
  );

function oncePerPage<T>(find: (page: number) => Promise<T>): (page: number) => Promise<T> {
  const found = new Map<number, Promise<T>>();
  return (page) => {
    const known = found.get(page) ?? find(page);
    found.set(page, known);
    return known;
  };
}

function pageTexts(pdf: PdfDocument): (page: number) => Promise<string> {
  // Not `getTextContent`, which uses async iteration of streams: Safari and Chrome before 124 lack it.
  const read = async (page: number) => {
    const reader: TextReader = (await pdf.getPage(page)).streamTextContent().getReader();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      for (const item of part.value.items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
    return text;
  };
  return oncePerPage(read);
}

/** A page that cannot be read has the usual size; drawing it fails too. */
const sizeOf = (pdf: PdfDocument, page: number, usual: Size): Promise<Size> =>
  pdf.getPage(page).then(
    (read) => {
      const { width, height } = read.getViewport({ scale: 1 });
      return { width, height };
    },
    () => usual,
  );

async function measure(pdf: PdfDocument, usual: Size): Promise<readonly Size[]> {
  const sizes: Size[] = [];
  for (let page = 1; page <= pdf.numPages; page++) sizes.push(await sizeOf(pdf, page, usual));
  return sizes;
}

/** Draws what a printout shows, including annotations and filled fields. Nothing is interactive: no links, forms or scripts. */
async function draw(page: PdfPage, canvas: HTMLCanvasElement, scale: number, signal: AbortSignal) {
  signal.throwIfAborted();
  const target = page.getViewport({ scale });
  const pixelRatio = Math.min(
    Math.min(window.devicePixelRatio || 1, 3),
    Math.sqrt(MAX_CANVAS_PIXELS / (target.width * target.height)),
    MAX_CANVAS_SIDE / Math.max(target.width, target.height),
  );
  const viewport = page.getViewport({ scale: scale * pixelRatio });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  whiten(canvas);
  const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE });
  signal.addEventListener('abort', () => task.cancel());
  await task.promise;
}

/** pdf.js leaves out an image or the letters of a font that it cannot load, and only its stores show that. */
const isIncomplete = async (page: PdfPage): Promise<boolean> =>
  missingIn(page.objs).length > 0 || (await usesAnyOf(page, missingIn(page.commonObjs)));

/** The store has null for an image, and the error's message for a font. */
const isMissing = (object: unknown): boolean => object === null || typeof object === 'string';

const missingIn = (store: PdfPage['objs']): string[] => idsOf(store, isMissing);

const idsOf = (store: PdfPage['objs'], isWanted: (object: unknown) => boolean): string[] =>
  [...store].filter(([, object]) => isWanted(object)).map(([id]) => id);

/** Fonts, and images that several pages use, are in the document's store. */
async function usesAnyOf(page: PdfPage, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const { fnArray, argsArray } = await page.getOperatorList();
  return argsArray.some((args, index) => fnArray[index] === OPS.dependency && ids.includes(args[0]));
}

/** pdf.js draws this font in place of one that the file lacks. */
const isSubstitute = (object: unknown): boolean =>
  typeof object === 'object' && object !== null && 'name' in object && object.name === 'Helvetica';

/**
 * True if a page names a font that its resources lack: pdf.js draws the letters, and other programs do not. It says so only where
 * it stops at errors, with an error in place of the font or with fewer operations.
 */
async function usesLostFont(page: PdfPage, strictPage: () => Promise<PdfPage>): Promise<boolean> {
  if (!(await usesAnyOf(page, idsOf(page.commonObjs, isSubstitute)))) return false;
  const strict = await strictPage();
  const [shown, checked] = [await page.getOperatorList(), await strict.getOperatorList()];
  const isLost = checked.fnArray.length < shown.fnArray.length || (await isIncomplete(strict));
  // Frees its images.
  strict.cleanup();
  return isLost;
}

/** pdf.js makes the canvas opaque: black before something is drawn, and after its memory is freed. The first call decides. */
function whiten(canvas: HTMLCanvasElement): void {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return;
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
}

async function renderText(page: PdfPage, layer: HTMLElement): Promise<boolean> {
  layer.replaceChildren();
  // The scale of a page includes its unit; the sizes that pdf.js gives the text do not.
  layer.style.setProperty('--user-unit', String(page.userUnit));
  const text = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: layer,
    viewport: page.getViewport({ scale: 1 }),
  });
  await text.render();
  return (layer.textContent ?? '').trim() !== '';
}
