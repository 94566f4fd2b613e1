import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';

interface SentMessage {
  queue: string | undefined;
  group: string | undefined;
  body: unknown;
}

/** An in-memory SQS for unit tests that accepts and records every message. */
export class SentMessages {
  readonly sqs = new SQSClient({ region: 'eu-north-1' });
  readonly mock = mockClient(this.sqs);
  readonly batches: SentMessage[][] = [];

  constructor() {
    this.mock.on(SendMessageBatchCommand).callsFake(({ QueueUrl, Entries = [] }) => {
      this.batches.push(
        Entries.map(({ MessageBody, MessageGroupId }: { MessageBody: string; MessageGroupId?: string }) => ({
          queue: QueueUrl,
          group: MessageGroupId,
          body: JSON.parse(MessageBody),
        })),
      );
      return {};
    });
  }

  get all(): SentMessage[] {
    return this.batches.flat();
  }
}
