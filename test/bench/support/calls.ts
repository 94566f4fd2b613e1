import type { CallRecord } from '../../../local/ports.ts';

/** What calls of AWS cost: how many there were of each, and DynamoDB's capacity units. */
export interface Tally {
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** `service.Operation` → number. */
  operations: Record<string, number>;
}

const READS = new Set(['GetItem', 'Query', 'BatchGetItem', 'TransactGetItems']);

/** Sums of halves, without the dust of floating point. */
const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

export function tally(calls: CallRecord[]): Tally {
  const units = (reading: boolean) =>
    rounded(
      calls
        .filter(({ service, operation }) => service === 'dynamodb' && READS.has(operation) === reading)
        .reduce((sum, { consumed_capacity: consumed }) => sum + (consumed ?? 0), 0),
    );
  const operations: Record<string, number> = {};
  for (const { service, operation } of calls)
    operations[`${service}.${operation}`] = (operations[`${service}.${operation}`] ?? 0) + 1;
  return { roundTrips: calls.length, readUnits: units(true), writeUnits: units(false), operations };
}

const each = (a: Record<string, number>, combine: (value: number, name: string) => number) =>
  Object.fromEntries(
    Object.entries(a)
      .map(([name, value]) => [name, combine(value, name)] as const)
      .filter(([, value]) => value !== 0),
  );

/** What one run cost more than another. */
export const beyond = (run: Tally, idle: Tally): Tally => ({
  roundTrips: run.roundTrips - idle.roundTrips,
  readUnits: rounded(run.readUnits - idle.readUnits),
  writeUnits: rounded(run.writeUnits - idle.writeUnits),
  operations: each(run.operations, (count, name) => count - (idle.operations[name] ?? 0)),
});

/** The share of one of several alike. */
export const perOne = (run: Tally, count: number): Tally => ({
  roundTrips: rounded(run.roundTrips / count),
  readUnits: rounded(run.readUnits / count),
  writeUnits: rounded(run.writeUnits / count),
  operations: each(run.operations, (total) => rounded(total / count)),
});

export const operationsText = ({ operations }: Tally): string =>
  Object.entries(operations)
    .map(([name, count]) => `${name.replace(/^dynamodb\./, '')}${count === 1 ? '' : ` ×${count}`}`)
    .join(', ');
