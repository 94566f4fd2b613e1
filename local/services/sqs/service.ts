/** SQS in the JSON protocol of the current SDK. Functions receive messages through event source mappings. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Permission } from '../iam/authorization.ts';
import { type JsonOperation, jsonService, operation } from '../json-protocol.ts';
import { type Service, ServiceError } from '../service.ts';
import type { Queues } from './queues.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_ENTRIES = 10;

interface SqsNaming {
  arnOf(name: string): string;
  urlOf(name: string): string;
  nowMs(): number;
}

const queue = z.strictObject({ QueueUrl: z.string() });
const newMessage = z.strictObject({
  MessageBody: z.string(),
  // Letters, digits and punctuation.
  MessageGroupId: z
    .string()
    .regex(/^[!-~]{1,128}$/)
    .optional(),
});
type NewMessage = z.infer<typeof newMessage>;

/** Error codes of the older query protocol, which the SDK returns as `Code`. */
const QUERY_CODES: Record<string, string> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  PurgeQueueInProgress: 'AWS.SimpleQueueService.PurgeQueueInProgress',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  AccessDeniedException: 'AccessDenied',
};

export function sqsService(queues: Queues, naming: SqsNaming): Service {
  return jsonService({
    name: 'sqs',
    contentType: 'application/x-amz-json-1.0',
    operations: {
      ...messageOperations(queues, naming),
      ...queueOperations(queues, naming),
      ...moveOperations(queues, naming),
    },
    validationCode: 'InvalidParameterValue',
    errorHeaders: (error) => ({ 'x-amzn-query-error': `${QUERY_CODES[error.code] ?? error.code};Sender` }),
  });
}

const nameOf = (url: string) => url.split('/').at(-1) ?? '';

const onQueue = (queues: Queues, naming: SqsNaming, action: string, name: string): Permission => ({
  action: `sqs:${action}`,
  resources: [naming.arnOf(name)],
  resourcePolicy: queues.policy(name),
});

function may(queues: Queues, naming: SqsNaming, action: string) {
  return ({ QueueUrl }: { QueueUrl: string }) => [onQueue(queues, naming, action, nameOf(QueueUrl))];
}

function messageOperations(queues: Queues, naming: SqsNaming): Record<string, JsonOperation> {
  const send = (url: string, message: NewMessage, senderId: string) => {
    assertSendable(message);
    const sent = queues.send(nameOf(url), {
      body: message.MessageBody,
      groupId: message.MessageGroupId,
      senderId,
    });
    return { MessageId: sent.id, MD5OfMessageBody: sent.md5 };
  };

  return {
    SendMessage: operation(
      newMessage.extend(queue.shape),
      may(queues, naming, 'SendMessage'),
      (input, call) => send(input.QueueUrl, input, call.accessKeyId),
    ),
    SendMessageBatch: operation(
      queue.extend({ Entries: z.array(newMessage.extend({ Id: z.string() })).default([]) }),
      may(queues, naming, 'SendMessage'),
      (input, call) => {
        queues.settings(nameOf(input.QueueUrl));
        const bytes = input.Entries.reduce((total, entry) => total + Buffer.byteLength(entry.MessageBody), 0);
        if (bytes > MAX_BYTES) {
          throw new ServiceError(
            'BatchRequestTooLong',
            `Batch requests cannot be longer than ${MAX_BYTES} bytes.`,
          );
        }
        return eachEntry(input.Entries, (entry) => send(input.QueueUrl, entry, call.accessKeyId));
      },
    ),
    ReceiveMessage: operation(
      queue.extend({
        MaxNumberOfMessages: z.int().min(1).max(10).default(1),
        VisibilityTimeout: z.int().min(0).max(43_200).optional(),
        WaitTimeSeconds: z.int().min(0).max(20).default(0),
      }),
      may(queues, naming, 'ReceiveMessage'),
      async ({ QueueUrl, MaxNumberOfMessages, VisibilityTimeout, WaitTimeSeconds }) => {
        const messages = await queues.receive(
          nameOf(QueueUrl),
          MaxNumberOfMessages,
          1_000 * WaitTimeSeconds,
          new AbortController().signal,
          VisibilityTimeout,
        );
        return {
          Messages: messages.map(({ messageId, receiptHandle, body, md5OfBody }) => ({
            MessageId: messageId,
            ReceiptHandle: receiptHandle,
            Body: body,
            MD5OfBody: md5OfBody,
          })),
        };
      },
    ),
    ChangeMessageVisibility: operation(
      queue.extend({ ReceiptHandle: z.string(), VisibilityTimeout: z.int().min(0).max(43_200) }),
      may(queues, naming, 'ChangeMessageVisibility'),
      (input) =>
        queues.changeVisibility(nameOf(input.QueueUrl), input.ReceiptHandle, input.VisibilityTimeout),
    ),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that SQS refuses
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function assertSendable({ MessageBody }: NewMessage): void {
  if (MessageBody === '')
    throw new ServiceError('MissingParameter', 'The request must contain the parameter MessageBody.');
  if (FORBIDDEN_CHARACTERS.test(MessageBody)) {
    throw new ServiceError('InvalidMessageContents', 'Invalid characters found in the message body.');
  }
  if (Buffer.byteLength(MessageBody) > MAX_BYTES) {
    throw new ServiceError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${MAX_BYTES} bytes.`,
    );
  }
}

/** Checks the batch as a whole; then each entry succeeds or fails on its own. */
function eachEntry<T extends { Id: string }>(entries: T[], run: (entry: T) => object) {
  const ids = entries.map(({ Id }) => Id);
  if (ids.length === 0)
    throw new ServiceError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (ids.length > MAX_ENTRIES) {
    throw new ServiceError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${MAX_ENTRIES}. You have sent ${ids.length}.`,
    );
  }
  if (!ids.every((id) => /^[\w-]{1,80}$/.test(id))) {
    throw new ServiceError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
    );
  }
  if (new Set(ids).size < ids.length)
    throw new ServiceError('BatchEntryIdsNotDistinct', 'Two or more batch entries have the same Id.');
  const result: { Successful: object[]; Failed: object[] } = { Successful: [], Failed: [] };
  for (const entry of entries) {
    try {
      result.Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const Code = QUERY_CODES[error.code] ?? error.code;
      result.Failed.push({ Id: entry.Id, Code, Message: error.message, SenderFault: true });
    }
  }
  return result;
}

function queueOperations(queues: Queues, naming: SqsNaming): Record<string, JsonOperation> {
  return {
    GetQueueUrl: operation(
      z.strictObject({ QueueName: z.string() }),
      ({ QueueName }) => [onQueue(queues, naming, 'GetQueueUrl', QueueName)],
      ({ QueueName }) => ({ QueueUrl: naming.urlOf(queues.settings(QueueName).name) }),
    ),
    GetQueueAttributes: operation(
      queue.extend({ AttributeNames: z.array(z.string()).default([]) }),
      may(queues, naming, 'GetQueueAttributes'),
      ({ QueueUrl, AttributeNames }) => {
        const all = Object.entries(queueAttributes(queues, naming, nameOf(QueueUrl)));
        const asked = all.filter(([name]) => AttributeNames.includes('All') || AttributeNames.includes(name));
        return asked.length > 0 ? { Attributes: Object.fromEntries(asked) } : {};
      },
    ),
    PurgeQueue: operation(queue, may(queues, naming, 'PurgeQueue'), ({ QueueUrl }) =>
      queues.purge(nameOf(QueueUrl)),
    ),
  };
}

/** Redrive of a dead-letter queue. A task is complete when StartMessageMoveTask returns. */
function moveOperations(queues: Queues, naming: SqsNaming): Record<string, JsonOperation> {
  const tasks: { source: string; task: Record<string, unknown> }[] = [];
  const source = z.strictObject({ SourceArn: z.string() });
  const nameOfArn = (arn: string) => arn.split(':').at(-1) ?? '';
  const maySource = (action: string) => (input: { SourceArn: string }) => [
    onQueue(queues, naming, action, nameOfArn(input.SourceArn)),
  ];

  return {
    StartMessageMoveTask: operation(source, maySource('StartMessageMoveTask'), (input) => {
      const name = nameOfArn(input.SourceArn);
      if (queues.sourcesOf(queues.settings(name).name).length === 0) {
        throw new ServiceError(
          'InvalidParameterValue',
          'Source queue must be configured as a Dead Letter Queue.',
        );
      }
      const moved = queues.move(name);
      const task = {
        Status: 'COMPLETED',
        SourceArn: input.SourceArn,
        ApproximateNumberOfMessagesMoved: moved,
        ApproximateNumberOfMessagesToMove: moved,
        StartedTimestamp: naming.nowMs(),
      };
      tasks.unshift({ source: input.SourceArn, task });
      return { TaskHandle: Buffer.from(randomUUID()).toString('base64') };
    }),
    ListMessageMoveTasks: operation(
      source.extend({ MaxResults: z.int().min(1).max(10).default(1) }),
      maySource('ListMessageMoveTasks'),
      ({ SourceArn, MaxResults }) => ({
        Results: tasks
          .filter(({ source }) => source === SourceArn)
          .slice(0, MaxResults)
          .map(({ task }) => task),
      }),
    ),
  };
}

function queueAttributes(queues: Queues, naming: SqsNaming, name: string): Record<string, string> {
  const { deadLetter } = queues.settings(name);
  const counts = queues.counts(name);
  return {
    QueueArn: naming.arnOf(name),
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
    ...(deadLetter && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: naming.arnOf(deadLetter.queueName),
        maxReceiveCount: deadLetter.maxReceiveCount,
      }),
    }),
  };
}
