import type { SnapshotRequest, TrailEvent } from '../snapshot.ts';

/** A broken promise: which rule, of which request, and what was seen. */
export interface Violation {
  rule: string;
  request: string | null;
  saw: string;
}

export const violation = (rule: string, { id }: { id: string | null }, saw: string): Violation => ({
  rule,
  request: id,
  saw,
});

export const eventsOf = ({ events }: Pick<SnapshotRequest, 'events'>, ...types: string[]): TrailEvent[] =>
  events.filter(({ type }) => types.includes(type));

/** The events of one signer in the trail. */
export const ownEvents = (
  { events }: SnapshotRequest,
  signerId: string,
): Pick<SnapshotRequest, 'events'> => ({
  events: events.filter((event) => event.signerId === signerId),
});

/** The request's status by the event that ended it. */
export const ENDINGS: Readonly<Record<string, string>> = {
  document_sealed: 'signed',
  request_cancelled: 'cancelled',
  signer_declined: 'declined',
  request_expired: 'expired',
};

export const endingsOf = (request: SnapshotRequest): TrailEvent[] =>
  eventsOf(request, ...Object.keys(ENDINGS));

export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
