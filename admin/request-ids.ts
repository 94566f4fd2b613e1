import type { Item } from '../shared/store/items.ts';
import { outboxKey } from '../shared/store/keys.ts';
import type { Table } from '../shared/store/table.ts';

/** The request of each item of the outbox that is not done yet. */
export async function requestsOfOutbox(ids: readonly string[], table: Table): Promise<Map<string, string>> {
  const items = await table.getAll(ids.map(outboxKey));
  return new Map(items.map(({ id, requestId }) => [String(id), String(requestId)]));
}

/** The requests of entries of the index of due work, in their order. */
export async function requestsOfDue(entries: readonly Item[], table: Table): Promise<string[]> {
  const partitions = entries.map(({ pk }) => String(pk).split('#'));
  const outbox = partitions.flatMap(([kind, id = '']) => (kind === 'OUTBOX' ? [id] : []));
  const requests = await requestsOfOutbox(outbox, table);
  return [
    ...new Set(
      partitions.flatMap(([kind, id = '']) => (kind === 'OUTBOX' ? (requests.get(id) ?? []) : [id])),
    ),
  ];
}
