import type { MessageTag } from '@aws-sdk/client-ses';
import * as z from 'zod';
import { mailKind } from '../contract/fields.ts';
import type { ReturnedMail } from '../requests/model.ts';
import { log } from '../runtime/log.ts';
import { string } from '../runtime/schemas.ts';
import type { MailContext } from './mailer.ts';

/** The tags that SES keeps with a mail and hands back with its bounce. */
export const tagsOf = ({ requestId, signerId, kind }: MailContext): MessageTag[] =>
  Object.entries({ request: requestId, signer: signerId, kind }).flatMap(([Name, Value]) =>
    Value === undefined ? [] : { Name, Value },
  );

const json = string.transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('The message is no JSON.');
    return z.NEVER;
  }
});
const one = <T extends z.ZodType>(schema: T) => z.tuple([schema]).transform(([value]) => value);

/** Addresses, subject and diagnosis are left out: nothing of them is needed. */
const event = z.object({
  eventType: z.enum(['Bounce', 'Complaint']),
  bounce: z.object({ bounceType: string }).optional(),
  complaint: z.object({ complaintFeedbackType: string.nullish() }).optional(),
  mail: z.object({
    messageId: string.max(200),
    timestamp: z.iso.datetime({ offset: true }),
    tags: z.object({
      request: one(z.uuid()),
      signer: one(z.uuid()).optional(),
      kind: one(mailKind).optional(),
    }),
  }),
});
/** SNS puts its own envelope around the event. */
const notification = z.object({ Message: json.pipe(event) });

/** A complaint may also say that a mail is not spam. Only permanent bounces count. */
function outcomeOf({ bounce, complaint }: z.output<typeof event>): ReturnedMail['outcome'] | undefined {
  if (bounce?.bounceType === 'Permanent') return 'bounced';
  if (complaint && complaint.complaintFeedbackType !== 'not-spam') return 'complained';
  return undefined;
}

/**
 * Reads SES's message about a mail to a signer that bounced permanently or was reported as spam. Drops every other
 * message: SES tests a new destination with plain text, and mails to the sender have no signer.
 */
export function readReturnedMail(
  message: unknown,
): ({ requestId: string; signerId: string } & Omit<ReturnedMail, 'at'>) | undefined {
  const read = notification.safeParse(message);
  if (!read.success) {
    log.warn('Message dropped: it is about no mail of ours');
    return undefined;
  }
  const { Message } = read.data;
  const { messageId: id, timestamp, tags } = Message.mail;
  const outcome = outcomeOf(Message);
  const about = { signature_request_id: tags.request, signer_id: tags.signer, mail_id: id };
  if (!tags.signer || !tags.kind || !outcome) {
    log.info('Bounce or complaint without effect', {
      ...about,
      type: Message.bounce?.bounceType ?? 'Complaint',
    });
    return undefined;
  }
  const sentAt = new Date(timestamp).toISOString();
  return { requestId: tags.request, signerId: tags.signer, id, kind: tags.kind, sentAt, outcome };
}
