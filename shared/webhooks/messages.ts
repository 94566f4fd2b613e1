import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { MODES } from '../contract/fields.ts';
import { repeat } from '../runtime/repeat.ts';
import { nullableString, string } from '../runtime/schemas.ts';

/** A message of the deliveries queues: one event for one endpoint. All endpoints of an event get the same body. */
export const deliveryMessage = z.object({
  eventId: string,
  eventType: string,
  /** Null for a test event. */
  requestId: nullableString,
  ownerId: string,
  mode: z.enum(MODES),
  endpointId: string,
  body: string,
  /** Of a delivery that a client asked for; the first one has none. */
  manualId: string.optional(),
  /** Moved to the queue of endpoints that hang; it is delivered from there even if the endpoint has recovered. */
  slow: z.literal(true).optional(),
});

export type DeliveryMessage = z.output<typeof deliveryMessage>;

const BATCH_SIZE = 10;

class DeliveriesRefused extends Error {
  override name = 'DeliveriesRefused';
}
const isRefusal = (error: unknown) => error instanceof DeliveriesRefused;

/** SQS refuses these two characters, and JSON does not escape them. */
const textOf = (message: DeliveryMessage) =>
  JSON.stringify(message).replace(/[\ufffe\uffff]/g, (character) =>
    character === '\ufffe' ? '\\ufffe' : '\\uffff',
  );

/** Sends a batch, and again what the queue refused of it: the SDK repeats only batches that failed as a whole. */
async function sendBatch(
  sqs: SQSClient,
  QueueUrl: string,
  batch: SendMessageBatchRequestEntry[],
): Promise<void> {
  let unsent = batch;
  await repeat(async () => {
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: unsent }));
    unsent = unsent.filter((entry) => Failed.some(({ Id }) => Id === entry.Id));
    if (unsent.length > 0) throw new DeliveriesRefused(`The queue refused ${unsent.length} deliveries.`);
  }, isRefusal);
}

/**
 * Sends messages to a deliveries queue; throws unless it accepts all. Each endpoint is a message group of its own,
 * so that an SQS fair queue serves the others first while one has a backlog.
 */
export async function sendDeliveries(
  sqs: SQSClient,
  queueUrl: string,
  messages: DeliveryMessage[],
): Promise<void> {
  const entries = messages.map((message, index) => ({
    Id: String(index),
    MessageBody: textOf(message),
    MessageGroupId: message.endpointId,
  }));
  const batches = Array.from({ length: Math.ceil(entries.length / BATCH_SIZE) }, (_, n) =>
    entries.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
  );
  await Promise.all(batches.map((batch) => sendBatch(sqs, queueUrl, batch)));
}
