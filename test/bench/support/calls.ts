import type { Tally } from '../../../docs/cost/measured.ts';
import type { CallRecord } from '../../../local/ports.ts';

const READS = new Set(['GetItem', 'Query', 'BatchGetItem', 'TransactGetItems']);

/** Capacity units are multiples of 0.5; removes floating-point errors from their sums. */
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

/** So many calls ran one after another, at most: none of them began before the one before it had ended. */
export function steps(calls: CallRecord[]): number {
  let count = 0;
  let end = Number.NEGATIVE_INFINITY;
  const ended = calls.map(({ started_ms, ended_ms }) => ({ started_ms, ended_ms: ended_ms ?? Infinity }));
  for (const call of ended.sort((a, b) => a.ended_ms - b.ended_ms)) {
    if (call.started_ms < end) continue;
    count += 1;
    end = call.ended_ms;
  }
  return count;
}

const each = (a: Record<string, number>, combine: (value: number, name: string) => number) =>
  Object.fromEntries(
    Object.entries(a)
      .map(([name, value]) => [name, combine(value, name)] as const)
      .filter(([, value]) => value !== 0),
  );

/** The difference between a run and an idle one. */
export const difference = (run: Tally, idle: Tally): Tally => ({
  roundTrips: run.roundTrips - idle.roundTrips,
  readUnits: rounded(run.readUnits - idle.readUnits),
  writeUnits: rounded(run.writeUnits - idle.writeUnits),
  operations: each(run.operations, (count, name) => count - (idle.operations[name] ?? 0)),
});

/** The cost of one of several equal runs. */
export const average = (run: Tally, count: number): Tally => ({
  roundTrips: rounded(run.roundTrips / count),
  readUnits: rounded(run.readUnits / count),
  writeUnits: rounded(run.writeUnits / count),
  operations: each(run.operations, (total) => rounded(total / count)),
});

export const operationsText = ({ operations }: Tally): string =>
  Object.entries(operations)
    .map(([name, count]) => `${name.replace(/^dynamodb\./, '')}${count === 1 ? '' : ` ×${count}`}`)
    .join(', ');
