import type { MaybeBrand } from './brand.ts';

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** `error` is null for a mail that was sent. */
export interface MailOutcome {
  sent: boolean;
  error: string | null;
}

/** Sends one mail before the deadline. A delivery failure is an outcome, not an exception. */
export type Mailer = (
  mail: {
    to: string;
    /** The owner, who is named where the brand has no name. */
    senderName: string;
    brand: MaybeBrand;
    content: MailContent;
  },
  deadline: Date,
) => Promise<MailOutcome>;
