import type { MailContent, Mailer } from '../../shared/mail/mailer.ts';
import type { MailOutcome } from '../../shared/requests/mails.ts';

interface Mail {
  to: string;
  senderName: string | null;
  content: MailContent;
  about: Parameters<Mailer>[0]['about'];
  deadline: Date;
}

/** A mailer for unit tests that records its mails. */
export class FakeMailer {
  readonly mails: Mail[] = [];
  /** The outcome of each mail; the mail is in progress until it resolves. */
  outcome: (mail: Mail) => Promise<MailOutcome> | MailOutcome = () => ({ sent: true, error: null });

  readonly mailer: Mailer = async (given, deadline) => {
    const mail = { ...given, deadline };
    this.mails.push(mail);
    return this.outcome(mail);
  };

  /** The codes in the mails, in order. */
  get codes(): string[] {
    return this.mails.map(({ content }) => /\b\d{6}\b/.exec(content.text)?.[0] ?? 'none');
  }

  fail(error: string, more: Pick<MailOutcome, 'isPostponed'> = {}): void {
    this.outcome = () => ({ sent: false, error, ...more });
  }
}
