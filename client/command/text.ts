export { shownJson } from '../../shared/runtime/shown-json.ts';

/** Texts from files, the service and users must not send control sequences to the terminal or change a line's direction. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}]/gu;

export const printable = (text: string): string => text.replace(CONTROL, ' ');

const cell = (value: unknown): string => printable(String(value ?? '–'));

/** Formats rows in columns. The first row sets the number of columns. */
export function table(...rows: unknown[][]): string {
  const cells = rows.map((row) => row.map(cell));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Local date and time. */
export const when = (stamp: string | null): string | null =>
  stamp && new Date(stamp).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' });

/** With the time zone: people pass deadlines on, and a server is often in another zone than its user. */
export const deadline = (stamp: string): string =>
  new Date(stamp).toLocaleString('sv', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
