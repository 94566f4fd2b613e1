/** SES's events about bounces and spam complaints, for configuration sets that publish them. */
import { randomUUID } from 'node:crypto';
import type { ConfigurationSetSettings, Location, ReturnedMail, StoredMail } from '../../ports.ts';
import type { Mails, Sent } from './mails.ts';

interface Parts extends Location {
  mails: Mails;
  nowMs(): number;
  publish(topicArn: string, subject: string, message: string): void;
}

const SIMULATOR = /^(bounce|complaint)(?:\+[^@]*)?@simulator\.amazonses\.com$/i;
const SUBJECT = 'Amazon SES Email Event Notification';

export function openReturnedMails({ mails, nowMs, publish, region, account }: Parts) {
  const sets = new Map<string, ConfigurationSetSettings>();

  const eventOf = ({ mail, configurationSet, tags }: Sent, type: ReturnedMail) => {
    const timestamp = new Date(nowMs()).toISOString();
    const domain = /@([^>]+)>?$/.exec(mail.from)?.[1] ?? '';
    return {
      eventType: type === 'bounce' ? 'Bounce' : 'Complaint',
      ...(type === 'bounce'
        ? { bounce: bounce(mail, timestamp) }
        : { complaint: complaint(mail, timestamp) }),
      mail: {
        timestamp: mail.sent_at,
        source: mail.from,
        sourceArn: `arn:aws:ses:${region}:${account}:identity/${domain}`,
        sendingAccountId: account,
        messageId: mail.id,
        destination: mail.to,
        headersTruncated: false,
        headers: [
          { name: 'From', value: mail.from },
          { name: 'To', value: mail.to.join(', ') },
          { name: 'Subject', value: mail.subject },
        ],
        commonHeaders: { from: [mail.from], to: mail.to, messageId: mail.id, subject: mail.subject },
        tags: {
          'ses:configuration-set': [configurationSet],
          'ses:from-domain': [domain],
          ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]])),
        },
      },
    };
  };

  /** Publishes to the topics of the mail's configuration set. Returns their number; undefined if there is no such mail. */
  const returned = (id: string, type: ReturnedMail): number | undefined => {
    const sent = mails.find(id);
    if (!sent) return undefined;
    const set = sets.get(sent.configurationSet ?? '');
    const topics = (set?.destinations ?? []).filter(({ events }) => events.includes(type));
    const message = JSON.stringify(eventOf(sent, type));
    for (const { topicArn } of topics) publish(topicArn, SUBJECT, message);
    return topics.length;
  };

  return {
    addConfigurationSet(settings: ConfigurationSetSettings): void {
      sets.set(settings.name, settings);
    },

    hasConfigurationSet: (name: string): boolean => sets.has(name),

    returned,

    /** The mailbox simulator's reaction to a mail that was just sent. */
    simulate({ id, to }: Pick<StoredMail, 'id' | 'to'>): void {
      for (const address of to) {
        const type = SIMULATOR.exec(address)?.[1]?.toLowerCase();
        if (type === 'bounce' || type === 'complaint') returned(id, type);
      }
    },
  };
}

export type ReturnedMails = ReturnType<typeof openReturnedMails>;

const bounce = ({ to }: StoredMail, timestamp: string) => ({
  feedbackId: randomUUID(),
  bounceType: 'Permanent',
  bounceSubType: 'General',
  bouncedRecipients: to.map((emailAddress) => ({
    emailAddress,
    action: 'failed',
    status: '5.1.1',
    diagnosticCode: 'smtp; 550 5.1.1 user unknown',
  })),
  timestamp,
  reportingMTA: 'dsn; localhost',
});

const complaint = ({ to }: StoredMail, timestamp: string) => ({
  feedbackId: randomUUID(),
  complaintSubType: null,
  complainedRecipients: to.map((emailAddress) => ({ emailAddress })),
  timestamp,
  userAgent: 'Amazon SES Mailbox Simulator',
  complaintFeedbackType: 'abuse',
  arrivalDate: timestamp,
});
