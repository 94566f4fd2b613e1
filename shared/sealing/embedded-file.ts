import { attempt } from './faults.ts';
import { type Budget, COST } from './pdf/budget.ts';
import { PdfFile } from './pdf/file.ts';
import { nameTreeValues } from './pdf/name-tree.ts';
import { readTextString } from './pdf/text.ts';
import { PdfDict, PdfStream, PdfString } from './pdf/values.ts';

/** The content of the file that a PDF embeds under this name; undefined if there is none or the PDF cannot be read. */
export const embeddedFile = (bytes: Uint8Array, name: string, budget: Budget): Uint8Array | undefined =>
  attempt(() => find(new PdfFile(bytes, budget), name));

function find(file: PdfFile, name: string): Uint8Array | undefined {
  for (const value of nameTreeValues(file, 'EmbeddedFiles')) {
    const specification = file.resolve(value);
    if (!(specification instanceof PdfDict)) continue;
    const stated = file.resolve(specification.get('UF'));
    if (!(stated instanceof PdfString)) continue;
    // The tree may name one file many times.
    file.budget.spend(COST.decodedByte, stated.raw.length);
    if (readTextString(stated.raw) !== name) continue;
    const stream = file.entry(specification.get('EF'), 'F');
    if (stream instanceof PdfStream) return file.decodedData(stream);
  }
  return undefined;
}
