import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Mode } from '../store/keys.ts';

/** One event for one endpoint, as it waits in the deliveries queue. The body's bytes are those of every endpoint. */
export interface DeliveryMessage {
  eventId: string;
  eventType: string;
  /** Null for a test event. */
  requestId: string | null;
  ownerId: string;
  mode: Mode;
  endpointId: string;
  body: string;
}

const BATCH = 10;

/** SQS refuses these two characters, which JSON leaves as they are. */
const textOf = (message: DeliveryMessage) =>
  JSON.stringify(message).replace(/[\ufffe\uffff]/g, (character) =>
    character === '\ufffe' ? '\\ufffe' : '\\uffff',
  );

/**
 * Puts messages into the deliveries queue; throws unless all were taken. Each endpoint is a group of its own: while one
 * has many messages under way, the queue hands out the others' first (fair queues).
 */
export async function sendDeliveries(
  sqs: SQSClient,
  queueUrl: string,
  messages: DeliveryMessage[],
): Promise<void> {
  const entries = messages.map((message, place) => ({
    Id: String(place),
    MessageBody: textOf(message),
    MessageGroupId: message.endpointId,
  }));
  const batches = Array.from({ length: Math.ceil(entries.length / BATCH) }, (_, n) =>
    entries.slice(n * BATCH, (n + 1) * BATCH),
  );
  const answers = await Promise.all(
    batches.map((Entries) => sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }))),
  );
  const refused = answers.flatMap(({ Failed = [] }) => Failed);
  if (refused.length > 0) throw new Error(`The queue did not take ${refused.length} deliveries.`);
}
