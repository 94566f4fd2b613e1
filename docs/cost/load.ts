import { markdownTable } from './markdown-table.ts';
import { httpCalls, life, seconds, share } from './page.ts';

/** The load of a steady rate of creates on AWS, if every request is like the measured one: a table in docs/scale.md. */

const RATES = [10, 100, 1_000];

export function loadTable(): string {
  const shares = Object.entries(life.functions);
  const sum = (value: (name: string, run: (typeof shares)[number][1]) => number) =>
    shares.reduce((total, [name, run]) => total + value(name, run), 0);
  const rows: [what: string, each: number][] = [
    ['API calls a second', httpCalls],
    ['mails a second', life.mails],
    ['function invocations a second', sum((_, { invocations }) => invocations)],
    [
      'concurrent functions (estimated)',
      sum((name, { invocations, cost }) => invocations * seconds(name, share(cost, invocations))),
    ],
    ['DynamoDB read units a second', sum((_, { cost }) => cost.readUnits)],
    ['DynamoDB write units a second', sum((_, { cost }) => cost.writeUnits)],
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
