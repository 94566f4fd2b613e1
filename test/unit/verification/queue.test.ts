import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { queueSignInMail, signInMailOf } from '../../../shared/verification/sign-in/queue.ts';

const sqs = mockClient(SQSClient);
const sent = () => sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input);
const queueFrom = (ipAddress: string) =>
  queueSignInMail(new SQSClient({}), 'queue-url', 'attempt-1', { ipAddress });

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageCommand).resolves({});
});

it('the mail job learns the attempt’s id and a random seed, and nothing else', async () => {
  await queueFrom('203.0.113.7');
  expect(sent()).toEqual([
    { QueueUrl: 'queue-url', MessageBody: expect.any(String), MessageGroupId: expect.any(String) },
  ]);
  const message: unknown = JSON.parse(sent()[0]?.MessageBody ?? '');
  expect(signInMailOf(message)).toEqual({
    attemptId: 'attempt-1',
    seed: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  expect(Object.keys(message as object)).toHaveLength(2);
});

it('the mails that one network asks for wait for each other, and no other network’s for them', async () => {
  for (const from of ['2001:db8:0:1::7', '2001:db8:0:1::8', '2001:db8:0:2::7']) await queueFrom(from);
  const [first, second, other] = sent().map(({ MessageGroupId }) => MessageGroupId);
  expect(second).toBe(first);
  expect(other).not.toBe(first);
});

it('other messages of the queue name no attempt', () => {
  for (const message of [null, {}, { outbox_id: 'outbox-1' }, { attempt_id: 7 }, 'text'])
    expect(signInMailOf(message)).toBeUndefined();
});
