import { SendMessageBatchCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { CLIENT_SETTINGS } from '../runtime/clients.ts';
import { errorFields, log } from '../runtime/log.ts';
import type { OutboxItem } from './outbox.ts';

/** The queues of outbox items. A function passes those that its role may send to. */
type QueueUrls = Partial<Record<'event' | 'seal' | 'mail', string>>;

/** Sends committed work, and returns how many messages were not taken. */
export type Send = (items: OutboxItem[]) => Promise<number>;

export function dispatchTo(queues: QueueUrls, settings: SQSClientConfig = CLIENT_SETTINGS): Send {
  const sqs = new SQSClient(settings);
  return (items) => dispatch(sqs, queues, items);
}

/** Everything that is mailed shares one queue. */
const queueOf = ({ kind }: OutboxItem): keyof QueueUrls =>
  kind === 'event' || kind === 'seal' ? kind : 'mail';

const BATCH = 10;

/**
 * Sends committed work to its queues, and returns how many messages they did not take. That is only logged: the work is in
 * the table, and the sweep sends it one to two minutes later.
 */
export async function dispatch(sqs: SQSClient, queues: QueueUrls, items: OutboxItem[]): Promise<number> {
  const left = await Promise.all(
    Object.entries(queues).map(([name, url]) =>
      send(
        sqs,
        url,
        items.filter((item) => queueOf(item) === name),
      ),
    ),
  );
  return left.reduce((sum, count) => sum + count, 0);
}

async function send(sqs: SQSClient, url: string, items: OutboxItem[]): Promise<number> {
  let left = 0;
  for (let start = 0; start < items.length; start += BATCH) {
    const entries = items.slice(start, start + BATCH).map((item) => ({
      Id: item.id,
      // Events of one owner are published together, and the owner read with them.
      MessageBody: JSON.stringify({
        outbox_id: item.id,
        ...(item.kind === 'event' && { owner_id: item.ownerId, mode: item.mode }),
      }),
      // One message group for each owner: SQS fair queues then keep a busy owner from delaying others.
      MessageGroupId: item.ownerId,
    }));
    try {
      const { Failed = [] } = await sqs.send(
        new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }),
      );
      left += Failed.length;
      if (Failed.length > 0)
        log.warn('Some messages were not taken; the sweep will send them', { failed: Failed.length });
    } catch (error) {
      left += entries.length;
      log.warn('Messages could not be sent; the sweep will send them', errorFields(error));
    }
  }
  return left;
}
