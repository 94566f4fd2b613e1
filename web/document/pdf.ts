import { AnnotationMode, GlobalWorkerOptions, getDocument, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

/** pdf.js, kept apart from the rest of the page: it is loaded only when there is a document to show. */
GlobalWorkerOptions.workerSrc = workerUrl;

type PdfDocument = Awaited<ReturnType<typeof getDocument>['promise']>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface OpenPdf {
  readonly pageCount: number;
  /** The first page's size stands for all until they are measured. */
  readonly sizes: readonly Size[];
  measure(): Promise<readonly Size[]>;
  draw(page: number, canvas: HTMLCanvasElement, scale: number, signal: AbortSignal): Promise<void>;
  /** Answers whether the page holds any text. */
  layText(page: number, layer: HTMLElement): Promise<boolean>;
  close(): void;
}

/** A picture larger than this (an A0 sheet at 240 dpi) would take the phone down with it. */
const MOST_IMAGE_PIXELS = 2 ** 27;
const MOST_CANVAS_PIXELS = 12_000_000;
const LONGEST_CANVAS_SIDE = 8_192;

export async function openPdf(bytes: Uint8Array<ArrayBuffer>): Promise<OpenPdf> {
  const task = getDocument({
    // pdf.js hands its bytes over to the worker; ours stay as they are.
    data: bytes.slice(),
    isEvalSupported: false,
    enableXfa: false,
    maxImageSize: MOST_IMAGE_PIXELS,
    cMapUrl: `${PDFJS_FILES}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${PDFJS_FILES}standard_fonts/`,
    // The decoders of scans and the colour profiles are WebAssembly, for which alone the page's policy allows
    // 'wasm-unsafe-eval'. Where that is forbidden pdf.js falls back to older decoders that know less.
    wasmUrl: `${PDFJS_FILES}wasm/`,
    iccUrl: `${PDFJS_FILES}iccs/`,
    verbosity: 0,
  });
  const pdf = await task.promise;
  const first = sizeOf(await pdf.getPage(1));
  return {
    pageCount: pdf.numPages,
    sizes: Array.from({ length: pdf.numPages }, () => first),
    measure: () => measure(pdf),
    draw: async (page, canvas, scale, signal) => draw(await pdf.getPage(page), canvas, scale, signal),
    layText: async (page, layer) => layText(await pdf.getPage(page), layer),
    close: () => void task.destroy(),
  };
}

function sizeOf(page: PdfPage): Size {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

async function measure(pdf: PdfDocument): Promise<readonly Size[]> {
  const sizes: Size[] = [];
  for (let page = 1; page <= pdf.numPages; page++) sizes.push(sizeOf(await pdf.getPage(page)));
  return sizes;
}

/**
 * Draws what is printed on the page, notes and filled fields among it, and nothing that acts: there is no layer of links,
 * no form, and no sandbox in which a script of the document could run.
 */
async function draw(page: PdfPage, canvas: HTMLCanvasElement, scale: number, signal: AbortSignal) {
  const wanted = page.getViewport({ scale });
  const sharpness = Math.min(
    Math.min(window.devicePixelRatio || 1, 3),
    Math.sqrt(MOST_CANVAS_PIXELS / (wanted.width * wanted.height)),
    LONGEST_CANVAS_SIDE / Math.max(wanted.width, wanted.height),
  );
  const viewport = page.getViewport({ scale: scale * sharpness });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE });
  signal.addEventListener('abort', () => task.cancel());
  await task.promise;
}

async function layText(page: PdfPage, layer: HTMLElement): Promise<boolean> {
  layer.replaceChildren();
  const text = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: layer,
    viewport: page.getViewport({ scale: 1 }),
  });
  await text.render();
  return (layer.textContent ?? '').trim() !== '';
}
