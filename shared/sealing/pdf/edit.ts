import type { DictEntry, PdfArray, PdfDict } from './values.ts';

/** A piece of a source to be replaced. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

/** The source between two offsets with the edits done, as chunks that share the source's memory. */
export function splice(source: Uint8Array, from: number, to: number, edits: readonly Edit[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = from;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    chunks.push(source.subarray(at, edit.from), Buffer.from(edit.text, 'latin1'));
    at = edit.to;
  }
  chunks.push(source.subarray(at, to));
  return chunks;
}

/** Gives a key a value: in the place of the old one (of each, if the key is written twice), or before the ">>". */
export function setEntry(dict: PdfDict, key: string, text: string): Edit[] {
  const old = dict.entries.filter((entry) => entry.key === key);
  if (old.length === 0) return [{ from: dict.to - 2, to: dict.to - 2, text: `\n/${key} ${text}` }];
  return old.map(({ from, to }) => ({ from, to, text: ` ${text}` }));
}

export function removeEntry(dict: PdfDict, key: string): Edit[] {
  const remove = ({ keyFrom, to }: DictEntry): Edit => ({ from: keyFrom, to, text: ' ' });
  return dict.entries.filter((entry) => entry.key === key).map(remove);
}

/** The array as text with more items at its end. */
export function extendedArray(array: PdfArray | null, items: string): string {
  if (array === null) return `[${items}]`;
  return `${sourceText(array, array.from, array.to - 1)}\n${items}]`;
}

/** A part of a dictionary or array as it stands in the file; latin1 keeps every byte. */
export const sourceText = (container: PdfDict | PdfArray, from: number, to: number): string =>
  Buffer.from(container.source.subarray(from, to)).toString('latin1');
