import { attempt } from '../../shared/sealing/faults.ts';
import { Budget, COST } from '../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { readPageTree } from '../../shared/sealing/pdf/pages.ts';
import { latin1 } from '../../shared/sealing/pdf/text.ts';
import { PdfStream, type PdfValue } from '../../shared/sealing/pdf/values.ts';
import { inflate } from './inflate.ts';

/** Of a signature page: the texts of each of 20 signers may fill one, and the anchor is printed before them. */
const MAX_SHEETS = 30;

/** True if one of the last pages prints this ASCII text, according to its text for copying (/ActualText). */
export function isPrinted(bytes: Uint8Array, text: string): boolean {
  const wanted = `FEFF${[...text].map((character) => `00${character.charCodeAt(0).toString(16)}`).join('')}`;
  const isFound = attempt(() => {
    const file = new PdfFile(bytes, new Budget(inflate));
    const sheets = readPageTree(file).pages.slice(-MAX_SHEETS).reverse();
    return sheets.some((page) => prints(file, page, wanted.toUpperCase()));
  });
  return isFound ?? false;
}

/** Checks stream by stream: a page may refer to a stream of 60 MB a hundred thousand times. */
function prints(file: PdfFile, page: PdfValue, wanted: string): boolean {
  const contents = file.dict(page, 'a page').get('Contents');
  return file.itemsOrItself(contents).some((part) => {
    const stream = file.resolve(part);
    if (!(stream instanceof PdfStream)) return false;
    const data = file.decodedData(stream);
    file.budget.spend(COST.scannedByte, data.length);
    return latin1(data).toUpperCase().includes(wanted);
  });
}
