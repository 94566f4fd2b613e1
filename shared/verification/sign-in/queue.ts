import { randomUUID } from 'node:crypto';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Visitor } from '../../requests/model.ts';
import { networkHash } from '../../runtime/network.ts';

/** The message by which the mail job learns of an attempt to sign in. It holds neither the address nor the cookie. */
export interface SignInMail {
  attemptId: string;
  /** Random. The code is made from it, so that a message that SQS delivers twice mails one code. */
  seed: string;
}

/** A failure fails the call, so that the user sees it and asks again. */
export async function queueSignInMail(
  sqs: SQSClient,
  queueUrl: string,
  attemptId: string,
  { ipAddress }: Pick<Visitor, 'ipAddress'>,
): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify({ attempt_id: attemptId, seed: randomUUID() }),
      // One message group for each network: SQS fair queues then keep somebody who asks with ever new addresses from delaying
      // all other mails.
      MessageGroupId: networkHash(ipAddress),
    }),
  );
}

/** Undefined for the other messages of the queue. One that an earlier version has sent has no seed. */
export function signInMailOf(message: unknown): SignInMail | undefined {
  const { attempt_id: attemptId, seed } = Object(message);
  return typeof attemptId === 'string' ? { attemptId, seed: String(seed) } : undefined;
}
