import { allRuns, busySeconds, sumOf } from './capacity.ts';
import { markdownTable } from './markdown-table.ts';
import { httpCalls, life } from './page.ts';

/** The load of a steady rate of creates on AWS, if every request is like the measured one: a table in docs/scale.md. */

const RATES = [10, 100, 1_000];

function loadTable(): string {
  const rows: [what: string, each: number][] = [
    ['API calls a second', httpCalls],
    ['mails a second', life.mails],
    ['function invocations a second', sumOf(allRuns, ({ invocations }) => invocations)],
    ['concurrent functions (estimated)', sumOf(allRuns, busySeconds)],
    ['DynamoDB read units a second', sumOf(allRuns, ({ cost }) => cost.readUnits)],
    ['DynamoDB write units a second', sumOf(allRuns, ({ cost }) => cost.writeUnits)],
    ['seals and timestamps a second', 1],
    ['events delivered a second', life.events],
  ];
  return markdownTable(
    ['', ...RATES.map((rate) => `${rate.toLocaleString('en-US')} creates a second`)],
    rows.map(([what, each]) => [
      what,
      ...RATES.map((rate) => Math.round(rate * each).toLocaleString('en-US')),
    ]),
  );
}

/** Replaces the first table of the page, which is the old load table. */
export const withLoadTable = (page: string): string =>
  page.replace(/^(?:\|.*\n)+/m, () => `${loadTable()}\n`);
