import { readFile } from 'node:fs/promises';
import type { PDFDocument } from 'pdf-lib';
import { readFont, type TrueTypeFont } from './truetype.ts';

const FILES = {
  sans: 'sans.ttf',
  semibold: 'sans-semibold.ttf',
  serif: 'serif.ttf',
  italic: 'serif-italic.ttf',
  mono: 'mono.ttf',
} as const;

export type FaceName = keyof typeof FILES;

export interface Face {
  readonly name: FaceName;
  readonly bytes: Uint8Array;
  readonly font: TrueTypeFont;
  covers(codePoint: number): boolean;
  /** The width of a character, in thousandths of the font size. */
  advance(codePoint: number): number;
}

export type Faces = Readonly<Record<FaceName, Face>>;

let loaded: Promise<Faces> | undefined;

/**
 * The faces, read and parsed once for the life of the process. The files lie in `fonts/` beside this module, and
 * in a bundle in `fonts/` beside the bundle: esbuild leaves `import.meta.url` alone in ESM output.
 */
export function loadFaces(): Promise<Faces> {
  loaded ??= readFaces();
  return loaded;
}

async function readFaces(): Promise<Faces> {
  const [sans, semibold, serif, italic, mono] = await Promise.all([
    readFace('sans'),
    readFace('semibold'),
    readFace('serif'),
    readFace('italic'),
    readFace('mono'),
  ]);
  return { sans, semibold, serif, italic, mono };
}

async function readFace(name: FaceName): Promise<Face> {
  const bytes = await readFile(new URL(`./fonts/${FILES[name]}`, import.meta.url));
  const font = readFont(bytes);
  const covered = new Set(font.characterSet);
  const advances = new Map<number, number>();
  return {
    name,
    bytes,
    font,
    covers: (codePoint) => covered.has(codePoint),
    advance(codePoint) {
      const known = advances.get(codePoint);
      if (known !== undefined) return known;
      const advance = (font.glyphForCodePoint(codePoint).advanceWidth * 1000) / font.unitsPerEm;
      advances.set(codePoint, advance);
      return advance;
    },
  };
}

type Fontkit = Parameters<PDFDocument['registerFontkit']>[0];

/** What pdf-lib reads fonts with: every document shares those that are read already. */
export function sharedFontkit(faces: Faces): Fontkit {
  const read = new Map(Object.values(faces).map((face) => [face.bytes, face.font]));
  // pdf-lib's type describes all of fontkit; it calls what `TrueTypeFont` has.
  return { create: (bytes: Uint8Array) => read.get(bytes) ?? readFont(bytes) } as Fontkit;
}
