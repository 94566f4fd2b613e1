/** A mail as it is handed over, and what became of it. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

export type MailOutcome = { sent: true } | { sent: false; error: string };

/** Sends one mail before the deadline. Never throws for what a mail can suffer: that is an outcome. */
export type Mailer = (
  mail: { to: string; senderName: string; content: MailContent },
  deadline: Date,
) => Promise<MailOutcome>;
