import { randomUUID } from 'node:crypto';
import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { LocalCloud } from '../../../local/cloud.ts';
import { create } from '../../../shared/requests/creating.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import { invitationsAttempted, invited } from '../../../shared/requests/inviting.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { SECOND } from '../../../shared/runtime/time.ts';
import { creationWrites } from '../../../shared/store/requests.ts';
import type { Item } from '../../../shared/store/table.ts';
import { operatorTable } from './operator-table.ts';

/** Fills the table with requests of one owner, in the shapes that the product's own rules give them. */

/** Transactions, since the local database waits for the disk once for each, and for a batch once an item. */
const BATCH = 100;
const AT_ONCE = 4;
/** Their creation times lie this far apart; the newest is the youngest, and none is old enough to expire. */
const APART = 8 * SECOND;
/** So many of them are stored whole; of the others only what lists read, since nothing else is read of them. */
const WHOLE = 200;

export interface Seeded {
  /** Requests that can be got. */
  ids: string[];
  /** The creation time of the one in the middle. */
  middle: string;
}

/** A sent request, or every second time a cancelled one, as items. */
function itemsOf(ownerId: string, index: number, createdAt: Date): { id: string; items: Item[] } {
  const at = createdAt.toISOString();
  const { request, change } = create(
    {
      id: randomUUID(),
      owner: {
        id: ownerId,
        type: 'organization',
        name: 'Acme Oy',
        mode: 'live',
        archive: false,
        reminders: false,
      },
      title: `Contract ${index}`,
      locale: 'en',
      reminders: false,
      content: {
        message: 'Please sign.',
        metadataJson: '{}',
        filename: 'contract.pdf',
        documentSize: 100_000,
        documentSha256: 'a'.repeat(64),
        documentKey: 'requests/x/original.pdf',
        pageCount: 1,
        alreadySigned: false,
      },
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
  const signers = request.signers.map((signer) => invited(request, signer, { sent: true, error: null }, at));
  const sent = invitationsAttempted({ ...request, signers }, createdAt);
  const mailed: SignatureRequest = { ...request, state: sent.state, signers: sent.signers };
  const settled = index % 2 ? cancel(mailed, { actor: 'client', reason: null }, createdAt) : sent;
  const { writes } = creationWrites(
    { ...change, state: settled.state, signers: settled.signers, follow: [] },
    request.content,
    createdAt,
  );
  return { id: request.state.id, items: writes.flatMap((write) => ('put' in write ? [write.put] : [])) };
}

const isListed = (item: Item) => item.sk === 'R#META';

export async function seed(cloud: LocalCloud, ownerId: string, count: number): Promise<Seeded> {
  const { client, name: TableName } = operatorTable(cloud);
  const newest = cloud.clock.now() - SECOND;
  const timeOf = (index: number) => new Date(newest - (count - 1 - index) * APART);
  const ids: string[] = [];
  let index = 0;
  let waiting: TransactWriteItem[] = [];

  const nextBatch = (): TransactWriteItem[] => {
    while (waiting.length < BATCH && index < count) {
      const { id, items } = itemsOf(ownerId, index, timeOf(index));
      const whole = index % Math.ceil(count / WHOLE) === 0;
      if (whole) ids.push(id);
      for (const item of whole ? items : items.filter(isListed))
        waiting.push({ Put: { TableName, Item: marshall(item, { removeUndefinedValues: true }) } });
      index += 1;
    }
    const batch = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH);
    return batch;
  };
  const work = async () => {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch())
      await client.send(new TransactWriteItemsCommand({ TransactItems: batch }));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  client.destroy();
  return { ids, middle: timeOf(Math.floor(count / 2)).toISOString() };
}
