import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type JsonOperation, jsonService, operation } from '../json-protocol.ts';
import { type Service, ServiceError } from '../service.ts';
import { md5OfAttributes, messageAttributes, sizeOfAttributes } from './message-attributes.ts';
import type { Message, Queues } from './queues.ts';

/** SQS in the JSON protocol of the current SDK. */

const maxBytes = 1024 * 1024;
const maxEntries = 10;

export interface SqsNaming {
  arnOf(name: string): string;
  urlOf(name: string): string;
  nowMs(): number;
}

const queue = z.object({ QueueUrl: z.string() });
const delay = z.int().min(0).max(900).optional();
const visibility = z.int().min(0).max(43_200);
const content = z.object({
  MessageBody: z.string(),
  DelaySeconds: delay,
  MessageGroupId: z.string().min(1).max(128).optional(),
  MessageAttributes: messageAttributes.optional(),
});
const id = z.object({ Id: z.string() });
const batch = <T>(entry: z.ZodType<T & { Id: string }>) =>
  queue.extend({ Entries: z.array(entry).default([]) });
const handle = z.object({ ReceiptHandle: z.string() });
const handleAndTimeout = handle.extend({ VisibilityTimeout: visibility });
const namesOf = z.array(z.string()).optional();

/** The names of errors as the older query protocol has them; the SDK still hands them on as `Code`. */
const queryCodes: Record<string, string> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  AccessDeniedException: 'AccessDenied',
};

export function sqsService(queues: Queues, naming: SqsNaming): Service {
  return jsonService({
    name: 'sqs',
    contentType: 'application/x-amz-json-1.0',
    operations: { ...messageOperations(queues, naming), ...queueOperations(queues, naming) },
    rename: (error) =>
      error.code === 'ValidationException'
        ? new ServiceError('InvalidParameterValue', error.message, error.status)
        : error,
    errorHeaders: (error) => ({ 'x-amzn-query-error': `${queryCodes[error.code] ?? error.code};Sender` }),
  });
}

const nameOf = (url: string) => url.split('/').at(-1) ?? '';

function may(naming: SqsNaming, action: string) {
  return ({ QueueUrl }: { QueueUrl: string }) => [
    { action: `sqs:${action}`, resources: [naming.arnOf(nameOf(QueueUrl))], context: { values: {} } },
  ];
}

function messageOperations(queues: Queues, naming: SqsNaming): Record<string, JsonOperation> {
  const send = (url: string, entry: z.infer<typeof content>, senderId: string) => {
    assertSendable(entry);
    const attributes = entry.MessageAttributes ?? {};
    const sent = queues.send(nameOf(url), {
      body: entry.MessageBody,
      delaySeconds: entry.DelaySeconds,
      groupId: entry.MessageGroupId,
      messageAttributes: attributes,
      senderId,
    });
    return {
      MessageId: sent.id,
      MD5OfMessageBody: sent.md5,
      MD5OfMessageAttributes: md5OfAttributes(attributes),
    };
  };

  return {
    SendMessage: operation(queue.extend(content.shape), may(naming, 'SendMessage'), (input, call) =>
      send(input.QueueUrl, input, call.accessKeyId),
    ),
    SendMessageBatch: operation(
      batch(content.extend(id.shape)),
      may(naming, 'SendMessage'),
      (input, call) => {
        queues.settings(nameOf(input.QueueUrl));
        if (input.Entries.reduce((total, entry) => total + sizeOf(entry), 0) > maxBytes) {
          throw new ServiceError(
            'BatchRequestTooLong',
            `Batch requests cannot be longer than ${maxBytes} bytes.`,
          );
        }
        return eachEntry(input.Entries, (entry) => send(input.QueueUrl, entry, call.accessKeyId));
      },
    ),
    ReceiveMessage: operation(
      queue.extend({
        MaxNumberOfMessages: z.int().min(1).max(maxEntries).default(1),
        VisibilityTimeout: visibility.optional(),
        WaitTimeSeconds: z.int().min(0).max(20).default(0),
        AttributeNames: namesOf,
        MessageSystemAttributeNames: namesOf,
        MessageAttributeNames: namesOf,
      }),
      may(naming, 'ReceiveMessage'),
      async (input, call) => {
        const messages = await queues.receive(
          nameOf(input.QueueUrl),
          input.MaxNumberOfMessages,
          1000 * input.WaitTimeSeconds,
          call.gone,
          input.VisibilityTimeout,
        );
        const system = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])];
        const shown = messages.map((message) => show(message, system, input.MessageAttributeNames ?? []));
        return shown.length > 0 ? { Messages: shown } : {};
      },
    ),
    DeleteMessage: operation(queue.extend(handle.shape), may(naming, 'DeleteMessage'), (input) =>
      queues.delete(nameOf(input.QueueUrl), input.ReceiptHandle),
    ),
    DeleteMessageBatch: operation(batch(handle.extend(id.shape)), may(naming, 'DeleteMessage'), (input) => {
      queues.settings(nameOf(input.QueueUrl));
      return eachEntry(input.Entries, (entry) => queues.delete(nameOf(input.QueueUrl), entry.ReceiptHandle));
    }),
    ChangeMessageVisibility: operation(
      queue.extend(handleAndTimeout.shape),
      may(naming, 'ChangeMessageVisibility'),
      (input) =>
        queues.changeVisibility(nameOf(input.QueueUrl), input.ReceiptHandle, input.VisibilityTimeout),
    ),
    ChangeMessageVisibilityBatch: operation(
      batch(handleAndTimeout.extend(id.shape)),
      may(naming, 'ChangeMessageVisibility'),
      (input) => {
        queues.settings(nameOf(input.QueueUrl));
        return eachEntry(input.Entries, (entry) =>
          queues.changeVisibility(nameOf(input.QueueUrl), entry.ReceiptHandle, entry.VisibilityTimeout),
        );
      },
    ),
  };
}

const sizeOf = (entry: z.infer<typeof content>) =>
  Buffer.byteLength(entry.MessageBody) + sizeOfAttributes(entry.MessageAttributes ?? {});

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are just the characters that SQS refuses
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function assertSendable(entry: z.infer<typeof content>): void {
  if (entry.MessageBody === '')
    throw new ServiceError('MissingParameter', 'The request must contain the parameter MessageBody.');
  if (forbidden.test(entry.MessageBody)) {
    throw new ServiceError('InvalidMessageContents', 'Invalid characters found in the message body.');
  }
  if (sizeOf(entry) > maxBytes) {
    throw new ServiceError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxBytes} bytes.`,
    );
  }
  if (Object.keys(entry.MessageAttributes ?? {}).length > 10) {
    throw new ServiceError(
      'InvalidParameterValue',
      'Number of message attributes exceeds the allowed maximum [10].',
    );
  }
}

/** A batch as a whole is judged first; then each entry succeeds or fails for itself. */
function eachEntry<T extends { Id: string }>(entries: T[], run: (entry: T) => unknown) {
  const ids = entries.map(({ Id }) => Id);
  if (ids.length === 0)
    throw new ServiceError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (ids.length > maxEntries) {
    throw new ServiceError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${maxEntries}. You have sent ${ids.length}.`,
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
      const outcome = run(entry);
      result.Successful.push({ Id: entry.Id, ...(outcome instanceof Object && outcome) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const Code = queryCodes[error.code] ?? error.code;
      result.Failed.push({ Id: entry.Id, Code, Message: error.message, SenderFault: true });
    }
  }
  return result;
}

function show(message: Message, system: string[], custom: string[]) {
  const attributes = Object.entries(message.attributes).filter(
    ([name]) => system.includes('All') || system.includes(name),
  );
  const chosen = Object.entries(message.messageAttributes).filter(([name]) => isAskedFor(name, custom));
  const messageAttributes = Object.fromEntries(chosen);
  return {
    MessageId: message.id,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: message.md5,
    ...(attributes.length > 0 && { Attributes: Object.fromEntries(attributes) }),
    ...(chosen.length > 0 && {
      MessageAttributes: messageAttributes,
      MD5OfMessageAttributes: md5OfAttributes(messageAttributes),
    }),
  };
}

/** `All`, `.*`, a name, or a prefix such as `trace.*`. */
const isAskedFor = (name: string, asked: string[]) =>
  asked.some(
    (wish) => wish === 'All' || wish === name || (wish.endsWith('.*') && name.startsWith(wish.slice(0, -2))),
  );

function queueOperations(queues: Queues, naming: SqsNaming): Record<string, JsonOperation> {
  const tasks: { source: string; task: Record<string, unknown> }[] = [];
  const source = z.object({ SourceArn: z.string(), DestinationArn: z.string().optional() });
  const mayAtSource = (action: string) => (input: { SourceArn: string }) => [
    { action: `sqs:${action}`, resources: [input.SourceArn], context: { values: {} } },
  ];
  const nameOfArn = (arn: string) => arn.split(':').at(-1) ?? '';

  return {
    GetQueueUrl: operation(
      z.object({ QueueName: z.string() }),
      ({ QueueName }) => may(naming, 'GetQueueUrl')({ QueueUrl: QueueName }),
      ({ QueueName }) => ({ QueueUrl: naming.urlOf(queues.settings(QueueName).name) }),
    ),
    ListQueues: operation(
      z.object({ QueueNamePrefix: z.string().default('') }),
      () => may(naming, 'ListQueues')({ QueueUrl: '*' }),
      ({ QueueNamePrefix }) => ({
        QueueUrls: queues
          .names()
          .filter((name) => name.startsWith(QueueNamePrefix))
          .map(naming.urlOf),
      }),
    ),
    GetQueueAttributes: operation(
      queue.extend({ AttributeNames: z.array(z.string()).default([]) }),
      may(naming, 'GetQueueAttributes'),
      ({ QueueUrl, AttributeNames }) => {
        const all = Object.entries(queueAttributes(queues, naming, nameOf(QueueUrl)));
        const asked = all.filter(([name]) => AttributeNames.includes('All') || AttributeNames.includes(name));
        return asked.length > 0 ? { Attributes: Object.fromEntries(asked) } : {};
      },
    ),
    PurgeQueue: operation(queue, may(naming, 'PurgeQueue'), ({ QueueUrl }) => queues.purge(nameOf(QueueUrl))),
    ListDeadLetterSourceQueues: operation(
      queue,
      may(naming, 'ListDeadLetterSourceQueues'),
      ({ QueueUrl }) => ({
        queueUrls: queues.sourcesOf(queues.settings(nameOf(QueueUrl)).name).map(naming.urlOf),
      }),
    ),
    StartMessageMoveTask: operation(source, mayAtSource('StartMessageMoveTask'), (input) => {
      const name = nameOfArn(input.SourceArn);
      const destination = input.DestinationArn && queues.settings(nameOfArn(input.DestinationArn)).name;
      if (queues.sourcesOf(queues.settings(name).name).length === 0) {
        throw new ServiceError(
          'InvalidParameterValue',
          'Source queue must be configured as a Dead Letter Queue.',
        );
      }
      const moved = queues.move(name, destination);
      const task = {
        Status: 'COMPLETED',
        SourceArn: input.SourceArn,
        DestinationArn: input.DestinationArn,
        ApproximateNumberOfMessagesMoved: moved,
        ApproximateNumberOfMessagesToMove: moved,
        StartedTimestamp: naming.nowMs(),
      };
      tasks.unshift({ source: input.SourceArn, task });
      return { TaskHandle: Buffer.from(randomUUID()).toString('base64') };
    }),
    ListMessageMoveTasks: operation(
      source.extend({ MaxResults: z.int().min(1).max(10).default(1) }),
      mayAtSource('ListMessageMoveTasks'),
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
  const settings = queues.settings(name);
  const counts = queues.counts(name);
  const { deadLetter } = settings;
  return {
    QueueArn: naming.arnOf(name),
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
    VisibilityTimeout: String(settings.visibilityTimeoutSeconds),
    DelaySeconds: String(settings.delaySeconds),
    MessageRetentionPeriod: String(settings.retentionSeconds),
    MaximumMessageSize: String(maxBytes),
    ReceiveMessageWaitTimeSeconds: '0',
    ...(deadLetter && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: naming.arnOf(deadLetter.queueName),
        maxReceiveCount: deadLetter.maxReceiveCount,
      }),
    }),
  };
}
