import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import {
  beginText,
  concatTransformationMatrix,
  drawObject,
  endMarkedContent,
  endText,
  type PDFContext,
  PDFDocument,
  type PDFFont,
  PDFHexString,
  PDFName,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
  setFillingRgbColor,
  setFontAndSize,
  setTextMatrix,
  showText,
} from 'pdf-lib';
import { type FaceName, type Faces, loadFaces, sharedFontkit } from './fonts.ts';
import { type Paragraph, type ParagraphOptions, setParagraph, widthOf } from './paragraph.ts';
import { type Pixels, readPng } from './png.ts';
import { visible } from './printable.ts';
import { INK, type Ink, type Style } from './style.ts';

export const A4 = { width: 595.28, height: 841.89 } as const;
const MARGIN = { left: 58, right: 58, top: 54, bottom: 62 } as const;

export interface Picture {
  readonly ref: PDFRef;
  readonly width: number;
  readonly height: number;
}

export interface PaperOptions {
  readonly title: string;
  readonly subject: string;
  readonly language: string;
  /** RFC 3339; the only time that the file knows. */
  readonly createdAt: string;
  /** A word printed across every page, behind the text. */
  readonly watermark: string | null;
  /** Drawn at the top of every page but the first. */
  readonly drawRunningHead: (paper: Paper) => void;
  /** Drawn at the end, when the number of pages is known. */
  readonly drawFoot: (paper: Paper, page: number, pages: number) => void;
}

/**
 * A4 pages filled from top to bottom. `y` counts down from the top edge, as one reads; a thing is drawn at a place
 * of its own or at the cursor, and `need` turns to a new page where it would not fit.
 */
export class Paper {
  readonly left = MARGIN.left;
  readonly right = A4.width - MARGIN.right;
  readonly width = A4.width - MARGIN.left - MARGIN.right;
  readonly bottom = A4.height - MARGIN.bottom;
  readonly faces: Faces;
  y: number = MARGIN.top;

  readonly #document: PDFDocument;
  readonly #fonts: Readonly<Record<FaceName, PDFFont>>;
  readonly #options: PaperOptions;
  #page: PDFPage;
  readonly #pictures = new Map<Uint8Array, Picture | null>();
  #showsReplacements = false;

  private constructor(
    document: PDFDocument,
    faces: Faces,
    fonts: Readonly<Record<FaceName, PDFFont>>,
    options: PaperOptions,
  ) {
    this.faces = faces;
    this.#document = document;
    this.#fonts = fonts;
    this.#options = options;
    this.#page = this.#addPage();
  }

  static async open(options: PaperOptions): Promise<Paper> {
    const faces = await loadFaces();
    const document = await PDFDocument.create({ updateMetadata: false });
    document.registerFontkit(sharedFontkit(faces));
    describe(document, options);
    const tag = subsetTag(options);
    const embed = (name: FaceName) =>
      document.embedFont(faces[name].bytes, {
        subset: true,
        customName: `${tag}+${faces[name].font.postscriptName}`,
      });
    const fonts = {
      sans: await embed('sans'),
      semibold: await embed('semibold'),
      serif: await embed('serif'),
      italic: await embed('italic'),
      mono: await embed('mono'),
    };
    return new Paper(document, faces, fonts, options);
  }

  /** True once a text was drawn that holds characters that no face has. */
  get showsReplacements(): boolean {
    return this.#showsReplacements;
  }

  startPage(): void {
    this.#page = this.#addPage();
    this.y = MARGIN.top;
    this.#options.drawRunningHead(this);
  }

  /** Makes sure that so much height is left, on a new page if need be; says whether it had to turn. */
  need(height: number): boolean {
    if (this.y + height <= this.bottom) return false;
    this.startPage();
    return true;
  }

  set(text: string, style: Style, width: number = this.width, options?: ParagraphOptions): Paragraph {
    return setParagraph(this.faces, text, style, width, options);
  }

  /** Draws a paragraph with its top at the cursor and moves the cursor below it. */
  write(paragraph: Paragraph, x: number = this.left): void {
    this.place(paragraph, x, this.y);
    this.y += paragraph.height;
  }

  place(paragraph: Paragraph, x: number, top: number): void {
    const { lines, style, face, exact } = paragraph;
    if (paragraph.isReplaced) this.#showsReplacements = true;
    const font = this.#fonts[face.name];
    const key = PDFName.of(face.name);
    this.#page.node.setFontDictionary(key, font.ref);
    const fallOfBaseline = (style.leading - style.size) / 2 + style.size * 0.82;
    const operators = [
      beginText(),
      setFillingRgbColor(...channels(style.ink)),
      setFontAndSize(key, style.size),
    ];
    lines.forEach((line, index) => {
      const baseline = A4.height - top - fallOfBaseline - index * style.leading;
      operators.push(setTextMatrix(1, 0, 0, 1, x, baseline), showText(font.encodeText(line)));
    });
    operators.push(endText());
    this.#page.pushOperators(...(exact === null ? operators : readAs(exact, operators)));
  }

  placeFromRight(paragraph: Paragraph, right: number, top: number): void {
    this.place(paragraph, right - paragraph.width, top);
  }

  rule(x: number, width: number, top: number, thickness = 0.5, ink: Ink = INK.rule): void {
    const y = A4.height - top;
    this.#page.drawLine({ start: { x, y }, end: { x: x + width, y }, thickness, color: ink });
  }

  /** The picture of a PNG, or null where the bytes are none that can be shown. */
  picture(png: Uint8Array): Picture | null {
    const known = this.#pictures.get(png);
    if (known !== undefined) return known;
    const pixels = readPng(png);
    const picture = pixels && { ...pixels, ref: embed(this.#document.context, pixels) };
    this.#pictures.set(png, picture);
    return picture;
  }

  placePicture(picture: Picture, x: number, top: number, width: number, height: number): void {
    const key = this.#page.node.newXObject('Picture', picture.ref);
    this.#page.pushOperators(
      pushGraphicsState(),
      concatTransformationMatrix(width, 0, 0, height, x, A4.height - top - height),
      drawObject(key),
      popGraphicsState(),
    );
  }

  async finish(): Promise<Uint8Array> {
    const pages = this.#document.getPages();
    pages.forEach((page, index) => {
      this.#page = page;
      this.#options.drawFoot(this, index + 1, pages.length);
    });
    return this.#document.save({ useObjectStreams: false, updateFieldAppearances: false });
  }

  #addPage(): PDFPage {
    const page = this.#document.addPage([A4.width, A4.height]);
    if (this.#options.watermark !== null) this.#drawWatermark(page, this.#options.watermark);
    return page;
  }

  #drawWatermark(page: PDFPage, word: string): void {
    const face = this.faces.semibold;
    const length = 660;
    const size = length / widthOf(face, 1, word);
    const slope = Math.atan2(A4.height, A4.width);
    const [cos, sin] = [Math.cos(slope), Math.sin(slope)];
    const along = -length / 2;
    const across = -0.36 * size;
    const x = A4.width / 2 + along * cos - across * sin;
    const y = A4.height / 2 + along * sin + across * cos;
    page.node.setFontDictionary(PDFName.of(face.name), this.#fonts.semibold.ref);
    page.pushOperators(
      beginText(),
      setFillingRgbColor(...channels(INK.watermark)),
      setFontAndSize(face.name, size),
      setTextMatrix(cos, sin, -sin, cos, x, y),
      showText(this.#fonts.semibold.encodeText(word)),
      endText(),
    );
  }
}

/** Six letters that tell this file's subsets from those of a document that it is appended to (PDF 32000-1, 9.6.4). */
function subsetTag({ subject, createdAt }: PaperOptions): string {
  const digest = createHash('sha256').update(`${subject} ${createdAt}`).digest();
  return [...digest.subarray(0, 6)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('');
}

/** A file's title is shown in a window's bar. */
const TITLE_LENGTH = 200;

function describe(document: PDFDocument, options: PaperOptions): void {
  const createdAt = new Date(options.createdAt);
  document.setTitle(visible(options.title).slice(0, TITLE_LENGTH), { showInWindowTitleBar: true });
  document.setSubject(options.subject);
  document.setLanguage(options.language);
  document.setProducer('pdf-lib');
  document.setCreationDate(createdAt);
  document.setModificationDate(createdAt);
}

function embed(context: PDFContext, { width, height, colour, alpha }: Pixels): PDFRef {
  const image = (samples: Uint8Array, space: string, more: { SMask?: PDFRef }) =>
    context.register(
      context.stream(deflateSync(samples), {
        Type: 'XObject',
        Subtype: 'Image',
        Width: width,
        Height: height,
        ColorSpace: space,
        BitsPerComponent: 8,
        Filter: 'FlateDecode',
        ...more,
      }),
    );
  return image(colour, 'DeviceRGB', { SMask: image(alpha, 'DeviceGray', {}) });
}

function channels({ red, green, blue }: Ink): [number, number, number] {
  return [red, green, blue];
}

/** What lies between is copied, searched and read aloud as this text (PDF 32000-1, 14.9.4). */
function readAs(exact: string, operators: PDFOperator[]): PDFOperator[] {
  const properties = `<</ActualText ${PDFHexString.fromText(exact)}>>`;
  return [
    PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of('Span'), properties]),
    ...operators,
    endMarkedContent(),
  ];
}
