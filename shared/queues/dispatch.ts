import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { errorFields, log } from '../runtime/log.ts';
import type { OutboxItem } from '../store/outbox.ts';

/** Which queue does what work. A function gives those that its role may send to. */
export type QueueUrls = Partial<Record<OutboxItem['kind'], string>>;

const BATCH = 10;

/**
 * Sends committed work to its queues. A failure is logged and not thrown: the work is in the table,
 * and the sweep sends within the minute what did not go now.
 */
export async function dispatch(sqs: SQSClient, queues: QueueUrls, items: OutboxItem[]): Promise<void> {
  await Promise.all(
    Object.entries(queues).map(([kind, url]) =>
      send(
        sqs,
        url,
        items.filter((item) => item.kind === kind),
      ),
    ),
  );
}

async function send(sqs: SQSClient, url: string, items: OutboxItem[]): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH) {
    const entries = items.slice(start, start + BATCH).map((item) => ({
      Id: item.id,
      MessageBody: JSON.stringify({ outbox_id: item.id }),
      // Each owner is a group of its own: while one has much under way, the queue hands out the others' first.
      MessageGroupId: item.ownerId,
    }));
    try {
      const { Failed = [] } = await sqs.send(
        new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }),
      );
      if (Failed.length > 0)
        log.warn('Some messages were not taken; the sweep will send them', { failed: Failed.length });
    } catch (error) {
      log.warn('Messages could not be sent; the sweep will send them', errorFields(error));
    }
  }
}
