import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Attempt } from '../../store/sign-ins.ts';

/** The message by which the mail job learns of an attempt to sign in. It holds neither the address nor the cookie. */

/** A failure fails the call, so that the user sees it and asks again. */
export async function queueSignInMail(
  sqs: SQSClient,
  queueUrl: string,
  { id, address }: Attempt,
): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify({ attempt_id: id }),
      // One message group for each address: SQS fair queues then keep one that is flooded from delaying others.
      MessageGroupId: address,
    }),
  );
}

/** Undefined for the other messages of the queue. */
export function attemptIdOf(message: unknown): string | undefined {
  const id = (message as { attempt_id?: unknown } | null)?.attempt_id;
  return typeof id === 'string' ? id : undefined;
}
