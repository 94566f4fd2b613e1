export { shownJson } from '../../shared/runtime/shown-json.ts';

/** Texts of files, of the service and of users must not send control sequences to the terminal, nor turn the direction of a line. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}]/gu;

export const printable = (text: string): string => text.replace(CONTROL, ' ');

const cell = (value: unknown): string => printable(String(value ?? '–'));

/** Rows in columns; the first row is the head. */
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

/** A point in time as people write it, in their own zone. */
export const when = (stamp: string | null): string | null =>
  stamp && new Date(stamp).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' });

/** Names the zone: people pass a deadline on, and the clock of a server is often in another zone than its user. */
export const deadline = (stamp: string): string =>
  new Date(stamp).toLocaleString('sv', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
