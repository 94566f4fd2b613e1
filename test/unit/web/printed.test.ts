import { TYPED_STYLES, type TypedStyle } from '../../../shared/contract/fields.ts';
import { loadFaces } from '../../../shared/typesetting/fonts.ts';
import { setParagraph } from '../../../shared/typesetting/paragraph.ts';
import { ScriptFonts, scriptFamilies } from '../../../shared/typesetting/script-fonts.ts';
import { INK } from '../../../shared/typesetting/style.ts';
import { printedSignature } from '../../../web/signing/signature/printed.ts';

/** The fonts that the PDF sets a signature in, in reading order of its one line. */
async function fontsOnPaper(text: string, face: TypedStyle): Promise<Set<string>> {
  const fonts = { faces: await loadFaces(), scripts: new ScriptFonts() };
  const style = { face, size: 20, leading: 25, ink: INK.signature } as const;
  const { lines } = setParagraph(fonts, text, style, 2000);
  return new Set(
    lines.flatMap(({ runs }) => runs.map((run) => ('face' in run ? run.face.name : run.font.file))),
  );
}

const FACE_NAMES = { Signature: 'italic', 'Signature Serif': 'serif', 'Signature Sans': 'sans' } as const;

function fontsOnPage(text: string, style: TypedStyle): Set<string> {
  const { face, parts } = printedSignature(text, style, scriptFamilies());
  const name = FACE_NAMES[face];
  return new Set(parts.map(({ file }) => file ?? name));
}

describe('a typed signature on the page', () => {
  it.each(['Aino', 'Name Ԕ', 'Q\u0303ed', 'Щукин', 'Anna 山田', 'محمد Ԕ', '👍🏽 ok', 'A\ue000', 'Ａｎｎａ'])(
    'the typed signature %j is shown in the fonts that print it, in every style',
    async (text) => {
      for (const style of TYPED_STYLES)
        expect([style, fontsOnPage(text, style)]).toEqual([style, await fontsOnPaper(text, style)]);
    },
  );

  it('a typed signature needs the fonts of other scripts only if the faces lack its characters', () => {
    expect(printedSignature('Þórður Щукин', 'italic', null)).toMatchObject({ needsScripts: false });
    expect(printedSignature('山田', 'italic', null)).toMatchObject({ needsScripts: true });
  });
});
