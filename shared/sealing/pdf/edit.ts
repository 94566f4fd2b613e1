import { type DictEntry, PdfArray, PdfDict, type PdfObject } from './values.ts';

/** Replaces part of a source. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

/** Chunks become arguments of a call, whose number is limited, and a hostile dictionary may need many edits. */
const MAX_CHUNKS = 1_000;

/** The source between two offsets with the edits applied, as chunks that share the source's memory. */
export function splice(source: Uint8Array, from: number, to: number, edits: readonly Edit[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = from;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    chunks.push(source.subarray(at, edit.from), Buffer.from(edit.text, 'latin1'));
    at = edit.to;
  }
  chunks.push(source.subarray(at, to));
  return chunks.length > MAX_CHUNKS ? [Buffer.concat(chunks)] : chunks;
}

export const withEdits = (dict: PdfDict, edits: readonly Edit[]): Uint8Array[] =>
  splice(dict.source, dict.from, dict.to, edits);

/** Sets a key: replaces its value and removes duplicates of the key, or adds it before the ">>". */
export function setEntry(dict: PdfDict, key: string, text: string): Edit[] {
  const old = dict.entries.filter((entry) => entry.key === key);
  const last = old.pop();
  if (last === undefined) return [{ from: dict.to - 2, to: dict.to - 2, text: `\n/${key} ${text}` }];
  return [...old.map(removal), { from: last.from, to: last.to, text: ` ${text}` }];
}

export const removeEntry = (dict: PdfDict, key: string): Edit[] =>
  dict.entries.filter((entry) => entry.key === key).map(removal);

const removal = ({ keyFrom, to }: DictEntry): Edit => ({ from: keyFrom, to, text: ' ' });

/** The array as text, with more items at its end. */
export function extendedArray(array: PdfArray | null, items: string): string {
  if (array === null) return `[${items}]`;
  return `${sourceText(array, array.from, array.to - 1)}\n${items}]`;
}

/** Part of a dictionary or array as written; latin1 keeps every byte. */
export const sourceText = (container: PdfDict | PdfArray, from: number, to: number): string =>
  Buffer.from(container.source.subarray(from, to)).toString('latin1');

/** The total size of dictionaries and arrays as written. */
export const writtenBytes = (values: readonly PdfObject[]): number =>
  values.reduce<number>(
    (sum, value) => sum + (value instanceof PdfDict || value instanceof PdfArray ? value.to - value.from : 0),
    0,
  );
