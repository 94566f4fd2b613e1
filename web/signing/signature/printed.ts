import faces from '../../../shared/typesetting/fonts/faces.json' with { type: 'json' };
import { type Family, fitsFace, printable, readCharacters } from '../../../shared/typesetting/scripts.ts';
import type { TypedStyle } from '../contract.ts';

/** A stretch of a signature in one font. */
interface PrintedPart {
  readonly text: string;
  /** A file of a script, or null for the face of the whole signature. */
  readonly file: string | null;
}

/** The font family of each style; see `style/signature.css`. */
const FAMILY_OF = { italic: 'Signature', serif: 'Signature Serif', sans: 'Signature Sans' } as const;

interface Printed {
  readonly face: (typeof FAMILY_OF)[TypedStyle];
  readonly parts: readonly PrintedPart[];
  /** True if fonts of other scripts are needed. Until they are loaded, the parts spell code points. */
  readonly needsScripts: boolean;
}

const COVERED = {
  italic: readCharacters(faces['serif-italic']),
  serif: readCharacters(faces.serif),
  sans: readCharacters(faces.sans),
} satisfies Record<TypedStyle, unknown>;

/** Sets a typed signature as `setParagraph` of the PDFs does; see `shared/typesetting/paragraph.ts`. */
export function printedSignature(
  text: string,
  style: TypedStyle,
  families: readonly Family[] | null,
): Printed {
  let needsScripts = false;
  const { pieces } = printable(text, COVERED.sans, () => {
    needsScripts = true;
    return families ?? [];
  });
  return {
    face: FAMILY_OF[fitsFace(pieces, COVERED[style]) ? style : 'sans'],
    parts: pieces,
    needsScripts,
  };
}
