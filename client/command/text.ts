import { inColumns, printable } from '../../shared/runtime/columns.ts';

export { shownJson } from '../../shared/runtime/shown-json.ts';

export const table = (...rows: unknown[][]): string =>
  inColumns(rows.map((row) => row.map((value) => printable(String(value ?? '–')))));

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
