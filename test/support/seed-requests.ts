import { randomUUID } from 'node:crypto';
import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { LocalCloud } from '../../local/cloud.ts';
import { cancel } from '../../shared/requests/ending.ts';
import { SECOND } from '../../shared/runtime/time.ts';
import type { Item } from '../../shared/store/items.ts';
import { creationWrites } from '../../shared/store/requests.ts';
import { database, output } from './aws.ts';
import { applied, invitationsMailed, newRequest, OWNER } from './requests.ts';

/** Fills the table with requests of one owner, created by the product's own rules. */

/** The local database syncs to disk once for a transaction, but once for each item of a batch write. */
const BATCH_SIZE = 100;
const CONCURRENCY = 4;
/** The time between two creations: short enough that none of the requests expires. */
const INTERVAL_MS = 8 * SECOND;
/** The number of requests stored completely; of the others only what the caller needs. */
const COMPLETE_REQUESTS = 200;

export interface Seeded {
  /** Requests that are stored completely. */
  ids: string[];
  /** The creation time of the middle request. */
  middle: string;
}

/** The items of a request; every second one is cancelled. */
function itemsOf(ownerId: string, index: number, createdAt: Date): { id: string; items: Item[] } {
  const { request, change } = newRequest(
    1,
    {
      owner: { ...OWNER, id: ownerId, name: 'Acme Oy', reminders: false },
      title: `Contract ${index}`,
      reminders: false,
      signers: [
        {
          id: randomUUID(),
          email: `signer${index}@example.com`,
          name: 'Ann Example',
          locale: 'en',
          accessToken: randomUUID(),
          codeHash: 'a'.repeat(64),
        },
      ],
    },
    createdAt,
  );
  const sent = invitationsMailed(request, createdAt);
  const settled =
    index % 2 ? cancel(applied(request, sent), { actor: 'client', reason: null }, createdAt) : sent;
  const { writes } = creationWrites(
    { ...change, state: settled.state, signers: settled.signers, effects: [] },
    request.content,
    createdAt,
  );
  return { id: request.state.id, items: writes.flatMap((write) => ('put' in write ? [write.put] : [])) };
}

/** The item that lists read. */
const isListed = (item: Item) => item.sk === 'R#META';
/** The items that lists and searches by title read. */
export const isFoundByTitle = (item: Item) => isListed(item) || String(item.pk).startsWith('TITLE#');

export async function seed(
  cloud: LocalCloud,
  ownerId: string,
  count: number,
  isStored = isListed,
): Promise<Seeded> {
  const client = database({ cloud });
  const TableName = output({ cloud }, 'TableName');
  const newest = cloud.clock.now() - SECOND;
  const timeOf = (index: number) => new Date(newest - (count - 1 - index) * INTERVAL_MS);
  const ids: string[] = [];
  let index = 0;
  let pending: TransactWriteItem[] = [];

  const nextBatch = (): TransactWriteItem[] => {
    while (pending.length < BATCH_SIZE && index < count) {
      const { id, items } = itemsOf(ownerId, index, timeOf(index));
      const whole = index % Math.ceil(count / COMPLETE_REQUESTS) === 0;
      if (whole) ids.push(id);
      for (const item of whole ? items : items.filter(isStored))
        pending.push({ Put: { TableName, Item: marshall(item, { removeUndefinedValues: true }) } });
      index += 1;
    }
    const batch = pending.slice(0, BATCH_SIZE);
    pending = pending.slice(BATCH_SIZE);
    return batch;
  };
  const work = async () => {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch())
      await client.send(new TransactWriteItemsCommand({ TransactItems: batch }));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  client.destroy();
  return { ids, middle: timeOf(Math.floor(count / 2)).toISOString() };
}
