import { inColumns, indented, printable } from '../shared/runtime/columns.ts';
import { isRecord } from '../shared/runtime/value-paths.ts';

/** Answers as text for a terminal. In a pipe they are JSON. */

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value) && value.length === 0) return '–';
  const isListOfScalars = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  const text = isListOfScalars ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : value;
  return printable(String(text));
}

export const table = (head: readonly string[], rows: readonly unknown[][]): string =>
  indented(inColumns([head, ...rows.map((row) => row.map(cellText))]));

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row => isRecord(value) && !Array.isArray(value);
const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

const rowsText = (rows: readonly Row[]): string => {
  const head = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table(
    head,
    rows.map((row) => head.map((name) => row[name])),
  );
};

/** An object as lines of name and value; lists of objects, and objects in it, as tables below. */
function recordText(record: Row): string {
  const isBelow = (value: unknown) => isTable(value) || isRow(value);
  const lines = Object.entries(record).filter(([, value]) => !isBelow(value));
  const width = Math.max(0, ...lines.map(([name]) => name.length));
  const own = lines.map(([name, value]) => `  ${name.padEnd(width)}  ${cellText(value)}`).join('\n');
  const below = Object.entries(record)
    .filter(([, value]) => isBelow(value))
    .map(([name, value]) => `${name}:\n${isTable(value) ? rowsText(value) : recordText(value as Row)}`);
  return [...(own ? [own] : []), ...below].join('\n\n');
}

export function textOf(answer: unknown): string {
  if (isTable(answer)) return `${rowsText(answer)}\n`;
  if (Array.isArray(answer)) return answer.length === 0 ? 'None.\n' : `${answer.map(cellText).join('\n')}\n`;
  return `${isRow(answer) ? recordText(answer) : cellText(answer)}\n`;
}
