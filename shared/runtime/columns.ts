import { graphemesOf } from './graphemes.ts';

/** Texts from files, the service and users must not send control sequences to a terminal or change a line's direction. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}]/gu;

export const printable = (text: string): string => text.replace(CONTROL, ' ');

/** East Asian letters and emoji take two cells of a terminal (UAX 11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

const widthOf = (text: string): number =>
  graphemesOf(text).reduce((sum, grapheme) => sum + (WIDE.test(grapheme) ? 2 : 1), 0);

/** Rows in columns for a terminal. The first row sets the number of columns. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const lineOf = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd((widths[column] ?? 0) + cell.length - widthOf(cell))).join('  ');
  return rows.map((row) => lineOf(row).trimEnd()).join('\n');
}

export const indented = (text: string): string => text.replaceAll(/^/gm, '  ');
