import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import type { Attempt } from '../../../shared/store/sign-ins.ts';
import { queueSignInMail, signInMailOf } from '../../../shared/verification/sign-in/queue.ts';

const ATTEMPT: Attempt = {
  id: 'attempt-1',
  address: 'address-hash',
  locale: 'en',
  createdAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2026-11-21T12:10:00.000Z',
  code: null,
  wrongCodes: 0,
  known: null,
  version: 1,
};

it('the mail job learns the attempt’s id and a random seed, and nothing else, one address after the other', async () => {
  const sqs = mockClient(SQSClient);
  sqs.on(SendMessageCommand).resolves({});
  await queueSignInMail(new SQSClient({}), 'queue-url', ATTEMPT);
  const sent = sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input);
  expect(sent).toEqual([
    { QueueUrl: 'queue-url', MessageBody: expect.any(String), MessageGroupId: 'address-hash' },
  ]);
  const message: unknown = JSON.parse(sent[0]?.MessageBody ?? '');
  expect(signInMailOf(message)).toEqual({
    attemptId: 'attempt-1',
    seed: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  expect(Object.keys(message as object)).toHaveLength(2);
});

it('other messages of the queue name no attempt', () => {
  for (const message of [null, {}, { outbox_id: 'outbox-1' }, { attempt_id: 7 }, 'text'])
    expect(signInMailOf(message)).toBeUndefined();
});
