/** Texts from files, the service and users must not send control sequences to a terminal or change a line's direction. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}]/gu;

export const printable = (text: string): string => text.replace(CONTROL, ' ');

/** Rows in columns for a terminal. The first row sets the number of columns. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => lineOf(row).trimEnd()).join('\n');
}

export const indented = (text: string): string => text.replaceAll(/^/gm, '  ');
