import type { MailKind } from '../contract/fields.ts';
import type { MailOutcome } from '../requests/mails.ts';
import type { MaybeBrand } from './brand.ts';

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** Leads a bounce back to the mail. SES keeps it with the mail, so it holds ids and no personal data. */
export interface MailContext {
  requestId: string;
  /** Absent for a mail to the sender, as the kind is. */
  signerId?: string;
  kind?: MailKind;
}

/** Sends one mail before the deadline. A delivery failure is an outcome, not an exception. */
export type Mailer = (
  mail: {
    to: string;
    /** The owner, who is named where the brand has no name; null for a mail of the service itself. */
    senderName: string | null;
    brand: MaybeBrand;
    content: MailContent;
    /** Null for a mail that is about no request. */
    about: MailContext | null;
  },
  deadline: Date,
) => Promise<MailOutcome>;

/** Thrown if SES has not taken a mail: the mail stays due, and a later run sends it. */
class MailPostponed extends Error {
  override name = 'MailPostponed';
}

/** Leaves a mail to a later run if SES has not taken it by the deadline. */
export function assertNotPostponed({ error, isPostponed }: MailOutcome): void {
  if (isPostponed) throw new MailPostponed(`SES could not take the mail yet: ${error}.`);
}
