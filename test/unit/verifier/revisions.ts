import { compareRevisions } from '../../../client/verifier/changes.ts';
import { inflate } from '../../../client/verifier/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { craft, revise } from '../sealing/craft.ts';

/** Two revisions of a document with a signature field, and what the second one may add. */

export type Objects = Record<string, string>;

export const CATALOG = '/Type /Catalog /Pages 2 0 R';
export const PAGE = '/Type /Page /Parent 2 0 R /MediaBox [0 0 200 300]';
export const STREAM = (text: string, dict = '') =>
  `<<${dict} /Length ${text.length}>>\nstream\n${text}\nendstream`;

export const BEFORE: Objects = {
  1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R] /SigFlags 3>>>>`,
  2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
  3: `<<${PAGE} /Contents 6 0 R /Annots 7 0 R>>`,
  4: '<</FT /Sig /T (Empty) /Rect [0 0 0 0]>>',
  5: '<</FT /Tx /T (Price) /V (1)>>',
  6: STREAM('1 g'),
  7: '[4 0 R 5 0 R]',
};

export function compare(changed: Objects, before: Objects = BEFORE, trailers = { before: '', after: '' }) {
  const original = craft({ objects: before, trailer: trailers.before, size: 20 });
  const after = revise(original, { objects: changed, trailer: trailers.after, size: 40 });
  const budget = new Budget(inflate);
  return compareRevisions(new PdfFile(original, budget), new PdfFile(after, budget));
}

/** The references by which a file names its new field 20. */
export const NAMED = {
  1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R 20 0 R] /SigFlags 3>>>>`,
  7: '[4 0 R 5 0 R 20 0 R]',
};

export const NEW_FIELD = {
  ...NAMED,
  20: '<</Type /Annot /Subtype /Widget /FT /Sig /T (Next) /V 21 0 R /Rect [0 0 0 0] /P 3 0 R>>',
  21: '<</Type /Sig>>',
};

export const SHOWN = '/Rect [0 0 200 300] /AP <</N 22 0 R>>';
export const LOOK = { 22: STREAM('0 g') };
export const NO_SIZE = '/Rect [9 9 9 50] /AP <</N 22 0 R>>';
export const SIGNATURE = '<</Type /Sig /SubFilter /ETSI.CAdES.detached /Contents <00>>>';
export const DOCUMENT_TIMESTAMP = '<</Type /DocTimeStamp /SubFilter /ETSI.RFC3161 /Contents <00>>>';
export const PLACE = '/FT /Sig /T (Empty) /Rect [0 0 200 300]';
export const WITH_PLACE = { ...BEFORE, 4: `<<${PLACE}>>` };

/** An empty signature field with its place in an object of its own, as form designers write it. */
export const WITH_WIDGET = {
  ...BEFORE,
  3: `<<${PAGE} /Contents 6 0 R /Annots [5 0 R 10 0 R]>>`,
  4: '<</FT /Sig /T (Empty) /Kids [10 0 R]>>',
  10: '<</Subtype /Widget /Parent 4 0 R /Rect [0 0 200 300]>>',
};
export const FILLED = { 4: '<</FT /Sig /T (Empty) /Kids [10 0 R] /V 21 0 R>>' };
export const SHOWN_WIDGET = { ...LOOK, 10: `<</Subtype /Widget /Parent 4 0 R ${SHOWN}>>` };
