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

/** Something of each face. */
export async function ofEachFace<T>(make: (name: FaceName) => Promise<T>): Promise<Record<FaceName, T>> {
  const names = Object.keys(FILES) as FaceName[];
  const made = await Promise.all(names.map(async (name) => [name, await make(name)] as const));
  return Object.fromEntries(made) as Record<FaceName, T>;
}

let loaded: Promise<Faces> | undefined;

/**
 * Reads and parses the faces once in a process. The files are in `fonts/` beside this module, or beside the bundle:
 * esbuild leaves `import.meta.url` alone in ESM output.
 */
export function loadFaces(): Promise<Faces> {
  loaded ??= ofEachFace(readFace);
  return loaded;
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

/** The font reader handed to pdf-lib; documents share the fonts that are already parsed. */
export function sharedFontkit(faces: Faces): Fontkit {
  const read = new Map(Object.values(faces).map((face) => [face.bytes, face.font]));
  // pdf-lib's type describes all of fontkit; it only calls what `TrueTypeFont` has.
  return { create: (bytes: Uint8Array) => read.get(bytes) ?? readFont(bytes) } as unknown as Fontkit;
}
