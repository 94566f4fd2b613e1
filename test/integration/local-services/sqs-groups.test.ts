import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Cloud, queue, startCloud } from './harness.ts';

let cloud: Cloud;
let sqs: SQSClient;
let QueueUrl: string;

beforeAll(async () => {
  cloud = await startCloud();
  await cloud.services.createQueue(queue('groups'));
  QueueUrl = cloud.services.queueUrl('groups');
  sqs = new SQSClient(cloud.operator);
});
afterAll(() => cloud.stop());

const send = (MessageGroupId: string, MessageBody: string) =>
  sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId }));

async function receive(MaxNumberOfMessages: number) {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages,
      MessageSystemAttributeNames: ['MessageGroupId'],
    }),
  );
  return Messages.map(({ Body, Attributes }) => `${Attributes?.MessageGroupId}: ${Body}`);
}

it('hands out the messages of quiet groups before the rest of a busy one', async () => {
  for (const body of ['1', '2', '3', '4']) await send('busy', body);
  expect(await receive(2)).toEqual(['busy: 1', 'busy: 2']);
  await send('quiet', '1');
  expect(await receive(2)).toEqual(['quiet: 1', 'busy: 3']);
  expect(await receive(10)).toEqual(['busy: 4']);
});
