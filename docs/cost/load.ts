import { markdownTable } from '../../test/bench/support/report.ts';
import { httpCalls, life, seconds, share } from './page.ts';

/** What a steady number of creates a second asks of AWS, each request living as the measured one did: docs/scale.md. */

const RATES = [10, 100, 1_000];

export function loadTable(): string {
  const shares = Object.entries(life.functions);
  const sum = (value: (name: string, run: (typeof shares)[number][1]) => number) =>
    shares.reduce((total, [name, run]) => total + value(name, run), 0);
  const rows: [what: string, each: number][] = [
    ['calls of the API a second', httpCalls],
    ['mails a second', life.mails],
    ['runs of functions a second', sum((_, { invocations }) => invocations)],
    [
      'functions running at once (estimated)',
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

/** Puts the table into the page, in the place of the old one, which is the page's first. */
export const withLoadTable = (page: string): string =>
  page.replace(/^(?:\|.*\n)+/m, () => `${loadTable()}\n`);
