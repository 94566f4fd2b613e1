import faces from '../../../shared/typesetting/fonts/faces.json' with { type: 'json' };
import { type Family, fitsFace, printable, readCharacters } from '../../../shared/typesetting/scripts.ts';
import type { TypedStyle } from '../contract.ts';

/** The font family of each style; see `style/signature.css`. */
const FAMILY_OF = { italic: 'Signature', serif: 'Signature Serif', sans: 'Signature Sans' } as const;

const COVERED = {
  italic: readCharacters(faces['serif-italic']),
  serif: readCharacters(faces.serif),
  sans: readCharacters(faces.sans),
} satisfies Record<TypedStyle, unknown>;

/** Sets a typed signature as `setParagraph` of the PDFs does; see `shared/typesetting/paragraph.ts`. */
export function printedSignature(text: string, style: TypedStyle, families: readonly Family[] | null) {
  let needsScripts = false;
  const { pieces } = printable(text, COVERED.sans, () => {
    needsScripts = true;
    return families ?? [];
  });
  return {
    face: FAMILY_OF[fitsFace(pieces, COVERED[style]) ? style : 'sans'],
    /** Each in the font of a script's file, or without one in the face of the whole signature. */
    parts: pieces,
    /** Until the fonts of other scripts are loaded, the parts spell code points. */
    needsScripts,
  };
}
