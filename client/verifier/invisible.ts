import { attempt } from '../../shared/sealing/faults.ts';
import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { latin1 } from '../../shared/sealing/pdf/text.ts';
import { isName, type PdfDict, PdfStream, type PdfValue } from '../../shared/sealing/pdf/values.ts';
import { dictOf } from './difference.ts';

/**
 * True without a size, border and background, and with an appearance that draws nothing. The size alone is not enough: Ghostscript
 * ignores it, and so does PDFium for appearances without /BBox. Programs draw other annotations by themselves.
 */
export function isInvisible(file: PdfFile, widget: PdfDict): boolean {
  const type = widget.get('Subtype');
  const look = widget.get('AP');
  const style = widget.get('MK');
  return (
    (type === null || isName(type, 'Widget')) &&
    hasNoSize(file, widget) &&
    (look === null || isEmpty(file, look)) &&
    (style === null || dictOf(file, style)?.entries.length === 0)
  );
}

function hasNoSize(file: PdfFile, widget: PdfDict): boolean {
  const place = widget.get('Rect');
  if (place === null) return true;
  const [left, bottom, right, top, ...more] = file.items(place);
  const isPlace = [left, bottom, right, top].every((number) => typeof number === 'number');
  return isPlace && more.length === 0 && (left === right || bottom === top);
}

function isEmpty(file: PdfFile, look: PdfValue): boolean {
  const states = dictOf(file, look)?.entries.map(({ value }) => file.resolve(value));
  return states?.every((stream) => stream instanceof PdfStream && holdsNothing(file, stream)) ?? false;
}

const holdsNothing = (file: PdfFile, stream: PdfStream): boolean =>
  attempt(() => latin1(file.decodedData(stream)).trim()) === '';
