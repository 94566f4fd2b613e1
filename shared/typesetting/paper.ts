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
  PDFName,
  type PDFPage,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
  setFillingColor,
  setFontAndSize,
  setTextMatrix,
  showText,
} from 'pdf-lib';
import { wholeStart } from '../runtime/graphemes.ts';
import { visible } from '../runtime/visible.ts';
import {
  type Attachment,
  attachData,
  type DocumentFacts,
  defineRgb,
  listGlyphs,
  makeArchival,
} from './archival.ts';
import { type Face, type FaceName, type Faces, loadFaces, ofEachFace, sharedFontkit } from './fonts.ts';
import { GlyphFont } from './glyph-font.ts';
import { widthIn } from './line.ts';
import { type Fonts, isEmpty, type Paragraph, type ParagraphOptions, setParagraph } from './paragraph.ts';
import { PngError, readPng } from './png.ts';
import { type ScriptFont, ScriptFonts } from './script-fonts.ts';
import { type Pen, readAs, showLine } from './show-line.ts';
import { type Planes, shrink } from './shrink.ts';
import { beginFurniture, type GroupRole, Structure } from './structure.ts';
import { INK, type Ink, type Style } from './style.ts';

export const A4 = { width: 595.28, height: 841.89 } as const;
const MARGIN = { left: 58, right: 58, top: 54, bottom: 62 } as const;

export interface Picture {
  readonly ref: PDFRef;
  readonly width: number;
  readonly height: number;
}

export interface Place {
  readonly x: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface PaperOptions {
  readonly title: string;
  readonly subject: string;
  readonly language: string;
  /** RFC 3339. The only time in the file, so that the same input gives the same bytes. */
  readonly createdAt: string;
  /** A word printed across every page, behind the text. */
  readonly watermark: string | null;
  /** Makes the file conform to PDF/A-3b, with this file attached. */
  readonly archives?: Attachment;
  /** Drawn at the top of every page but the first. */
  readonly drawRunningHead: (paper: Paper) => void;
  /** Called at the end, when the number of pages is known. */
  readonly drawFoot: (paper: Paper, page: number, pages: number) => void;
}

/**
 * A4 pages filled from top to bottom. The cursor `y` counts from the top edge. Things are drawn at a given place or at
 * the cursor; `need` starts a new page where something would not fit.
 */
export class Paper {
  readonly left = MARGIN.left;
  readonly right = A4.width - MARGIN.right;
  readonly width = A4.width - MARGIN.left - MARGIN.right;
  readonly bottom = A4.height - MARGIN.bottom;
  /** The usable height of a page. */
  readonly height = A4.height - MARGIN.top - MARGIN.bottom;
  readonly fonts: Fonts;
  y: number = MARGIN.top;

  readonly #document: PDFDocument;
  readonly #faces: Readonly<Record<FaceName, PDFFont>>;
  readonly #glyphFonts = new Map<ScriptFont, GlyphFont>();
  readonly #namedFonts = new Map<PDFPage, Set<PDFName>>();
  readonly #options: PaperOptions;
  readonly #colours: PDFRef;
  readonly #structure: Structure;
  /** True while running heads and feet are drawn. */
  #isFurniture = false;
  #page: PDFPage;
  readonly #pictures = new Map<Uint8Array, Picture | null>();
  #showsReplacements = false;

  private constructor(
    document: PDFDocument,
    faces: Faces,
    embedded: Readonly<Record<FaceName, PDFFont>>,
    options: PaperOptions,
  ) {
    this.fonts = { faces, scripts: new ScriptFonts() };
    this.#document = document;
    this.#faces = embedded;
    this.#options = options;
    this.#colours = defineRgb(document.context);
    this.#structure = new Structure(document);
    this.#page = this.#addPage();
  }

  static async open(options: PaperOptions): Promise<Paper> {
    const faces = await loadFaces();
    const document = await PDFDocument.create({ updateMetadata: false });
    document.registerFontkit(sharedFontkit(faces));
    describe(document, options);
    const tag = subsetTag(options, 'faces');
    const embedded = await ofEachFace((name) =>
      document.embedFont(faces[name].bytes, {
        subset: true,
        customName: `${tag}+${faces[name].font.postscriptName}`,
      }),
    );
    return new Paper(document, faces, embedded, options);
  }

  /** True once a drawn text contained characters that no face has. */
  get showsReplacements(): boolean {
    return this.#showsReplacements;
  }

  startPage(): void {
    this.#page = this.#addPage();
    this.y = MARGIN.top;
    this.asFurniture(() => this.#options.drawRunningHead(this));
  }

  /** Starts a new page unless this much height is left; returns whether it did. */
  need(height: number): boolean {
    if (this.y + height <= this.bottom) return false;
    this.startPage();
    return true;
  }

  set(text: string, style: Style, width: number = this.width, options?: ParagraphOptions): Paragraph {
    return setParagraph(this.fonts, text, style, width, options);
  }

  /** Draws a paragraph at the cursor and moves the cursor below it. */
  write(paragraph: Paragraph): void {
    this.place(paragraph, this.left, this.y);
    this.y += paragraph.height;
  }

  place(paragraph: Paragraph, x: number, top: number): void {
    const { lines, style, ascent, leading, exact, isRtl } = paragraph;
    if (paragraph.isReplaced) this.#showsReplacements = true;
    if (isEmpty(paragraph)) return;
    const operators = [beginText(), setFillingColor(style.ink)];
    const pen: Pen = {
      context: this.#document.context,
      fonts: this.#lineFonts,
      size: style.size,
      reads: exact === null,
      selected: null,
    };
    lines.forEach((line, index) => {
      const baseline = A4.height - top - ascent - index * leading;
      const indent = isRtl ? paragraph.width - (line.width * style.size) / 1000 : 0;
      operators.push(setTextMatrix(1, 0, 0, 1, x + indent, baseline), ...showLine(pen, line));
    });
    operators.push(endText());
    const drawn = exact === null ? operators : readAs(exact, operators);
    this.#page.pushOperators(
      ...(this.#isFurniture
        ? [beginFurniture(), ...drawn, endMarkedContent()]
        : this.#structure.part(this.#page, style.role ?? 'P', drawn)),
    );
  }

  /** Groups everything that `draw` draws into one structure element, such as a table. */
  within(role: GroupRole, draw: () => void): void {
    if (this.#isFurniture) draw();
    else this.#structure.within(role, draw);
  }

  /** Marks everything that `draw` draws as skipped by screen readers. */
  asFurniture(draw: () => void): void {
    this.#isFurniture = true;
    draw();
    this.#isFurniture = false;
  }

  placeFromRight(paragraph: Paragraph, right: number, top: number): void {
    this.place(paragraph, right - paragraph.width, top);
  }

  rule(x: number, width: number, top: number, thickness = 0.5, ink: Ink = INK.rule): void {
    const y = A4.height - top;
    this.#page.pushOperators(beginFurniture());
    this.#page.drawLine({ start: { x, y }, end: { x: x + width, y }, thickness, color: ink });
    this.#page.pushOperators(endMarkedContent());
  }

  /** Embeds a PNG; null if it cannot be read. */
  picture(png: Uint8Array): Picture | null {
    const known = this.#pictures.get(png);
    if (known !== undefined) return known;
    const planes = planesOf(png);
    const picture = planes && { ...planes, ref: embed(this.#document.context, planes) };
    this.#pictures.set(png, picture);
    return picture;
  }

  /** `alt` is read out by screen readers. */
  placePicture({ ref }: Picture, alt: string, { x, top, width, height }: Place): void {
    const operators = [
      pushGraphicsState(),
      concatTransformationMatrix(width, 0, 0, height, x, A4.height - top - height),
      drawObject(this.#page.node.newXObject('Picture', ref)),
      popGraphicsState(),
    ];
    this.#page.pushOperators(...this.#structure.part(this.#page, 'Figure', operators, visible(alt)));
  }

  async finish(): Promise<Uint8Array> {
    const pages = this.#document.getPages();
    pages.forEach((page, index) => {
      this.#page = page;
      this.asFurniture(() => this.#options.drawFoot(this, index + 1, pages.length));
    });
    this.#structure.finish(this.#options.language);
    for (const font of this.#glyphFonts.values()) font.embed();
    await listGlyphs(this.#document);
    const { archives } = this.#options;
    if (archives !== undefined) {
      const facts = factsOf(this.#options);
      makeArchival(this.#document, facts);
      attachData(this.#document, archives, facts.createdAt);
    }
    return this.#document.save({
      useObjectStreams: false,
      updateFieldAppearances: false,
      // Otherwise it waits for a timer after every 50 objects, a third of the time of an evidence file.
      objectsPerTick: Number.POSITIVE_INFINITY,
    });
  }

  #addPage(): PDFPage {
    const page = this.#document.addPage([A4.width, A4.height]);
    page.node.normalizedEntries().Resources.set(PDFName.of('ColorSpace'), this.#colours);
    if (this.#options.watermark !== null) this.#drawWatermark(page, this.#options.watermark);
    return page;
  }

  /** Fonts by their names on the current page. */
  readonly #lineFonts = {
    plain: ({ face }: { readonly face: Face }) => {
      const named = { key: PDFName.of(face.name), font: this.#faces[face.name] };
      this.#nameFont(named.key, named.font.ref);
      return named;
    },
    shaped: ({ font }: { readonly font: ScriptFont }) => {
      const glyphs = this.#glyphFont(font);
      this.#nameFont(glyphs.key, glyphs.ref);
      return glyphs;
    },
  };

  /** Adds a font to a page's resources once, because changing the dictionary is slow. */
  #nameFont(key: PDFName, ref: PDFRef): void {
    const named = this.#namedFonts.get(this.#page) ?? new Set();
    this.#namedFonts.set(this.#page, named);
    if (named.has(key)) return;
    this.#page.node.setFontDictionary(key, ref);
    named.add(key);
  }

  #glyphFont(source: ScriptFont): GlyphFont {
    const tag = subsetTag(this.#options, source.file);
    const font =
      this.#glyphFonts.get(source) ??
      new GlyphFont(this.#document.context, source, this.#glyphFonts.size + 1, tag);
    this.#glyphFonts.set(source, font);
    return font;
  }

  #drawWatermark(page: PDFPage, word: string): void {
    const face = this.fonts.faces.semibold;
    const length = 660;
    const size = (length * 1000) / widthIn(face, word);
    const slope = Math.atan2(A4.height, A4.width);
    const [cos, sin] = [Math.cos(slope), Math.sin(slope)];
    const along = -length / 2;
    const across = -0.36 * size;
    const x = A4.width / 2 + along * cos - across * sin;
    const y = A4.height / 2 + along * sin + across * cos;
    page.node.setFontDictionary(PDFName.of(face.name), this.#faces.semibold.ref);
    page.pushOperators(
      beginFurniture(),
      beginText(),
      setFillingColor(INK.watermark),
      setFontAndSize(face.name, size),
      setTextMatrix(cos, sin, -sin, cos, x, y),
      showText(this.#faces.semibold.encodeText(word)),
      endText(),
      endMarkedContent(),
    );
  }
}

/**
 * The six letters that make names of font subsets unique within the document that the page joins (ISO 32000-1, 9.6.4).
 */
function subsetTag({ subject, createdAt }: PaperOptions, fonts: string): string {
  const digest = createHash('sha256').update(`${subject} ${createdAt} ${fonts}`).digest();
  return [...digest.subarray(0, 6)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('');
}

/** The title shows in a window's title bar. */
const TITLE_LENGTH = 200;

function describe(document: PDFDocument, options: PaperOptions): void {
  const { title, subject, language, producer, createdAt } = factsOf(options);
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setSubject(subject);
  document.setLanguage(language);
  document.setProducer(producer);
  document.setCreationDate(createdAt);
  document.setModificationDate(createdAt);
}

const factsOf = ({ title, subject, language, createdAt }: PaperOptions): DocumentFacts => ({
  title: wholeStart(visible(title), TITLE_LENGTH),
  subject,
  language,
  producer: 'pdf-lib',
  createdAt: new Date(createdAt),
});

function planesOf(png: Uint8Array): Planes | null {
  try {
    return shrink(readPng(png));
  } catch (error) {
    if (error instanceof PngError) return null;
    throw error;
  }
}

/** Embeds a picture blended with white, with white masked out: PDF/A-1 forbids transparency by SMask. */
function embed(context: PDFContext, { width, height, colour, alpha }: Planes): PDFRef {
  const onWhite = new Uint8Array(colour.length).fill(255);
  alpha.forEach((opacity, pixel) => {
    if (opacity === 0) return;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++)
      onWhite[at] = 255 - ((255 - (colour[at] ?? 0)) * opacity) / 255;
  });
  return context.register(
    context.stream(deflateSync(onWhite), {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ColorSpace: 'DeviceRGB',
      BitsPerComponent: 8,
      Filter: 'FlateDecode',
      Mask: [255, 255, 255, 255, 255, 255],
    }),
  );
}
