import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { errorFields, log, withLogFields } from '../runtime/log.ts';

/** Works through a batch, each message alone: one that fails comes back, the others are done with. */
export const consume =
  (work: (message: unknown, record: SQSRecord) => Promise<void>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const outcomes = await Promise.all(
      event.Records.map((record) =>
        withLogFields({ message_id: record.messageId }, async () => {
          try {
            await work(JSON.parse(record.body), record);
            return undefined;
          } catch (error) {
            log.error('A message could not be worked on', errorFields(error));
            return { itemIdentifier: record.messageId };
          }
        }),
      ),
    );
    return { batchItemFailures: outcomes.filter((outcome) => outcome !== undefined) };
  };

/** What the outbox sends. */
export const outboxIdOf = (message: unknown): string => {
  const id = (message as { outbox_id?: unknown } | null)?.outbox_id;
  if (typeof id !== 'string') throw new Error('The message names no outbox item.');
  return id;
};
