import { type SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { errorFields, log } from '../runtime/log.ts';
import { SECOND, sleep, systemNow } from '../runtime/time.ts';
import { fromHeader } from './from-header.ts';
import type { Mailer } from './mailer.ts';

/** Why a mail was not sent, as `email_error` gives it. */
export type MailError =
  /** The mail service refused the mail, most often because the address bounced before. */
  | 'rejected'
  | 'invalid_address'
  /** The sender's domain, or in SES's sandbox the recipient, is not verified. */
  | 'sender_not_verified'
  | 'sending_paused'
  | 'quota_exceeded'
  /** Asked to slow down until the time was over. */
  | 'throttled'
  /** Failed or could not be reached until the time was over. */
  | 'unavailable'
  | 'not_permitted';

/** What may pass by itself is tried again while there is time; the rest is final at once. */
const PASSING: ReadonlySet<MailError> = new Set(['throttled', 'unavailable']);

const BY_NAME: Record<string, MailError> = {
  MessageRejected: 'rejected',
  InvalidParameterValue: 'invalid_address',
  MailFromDomainNotVerifiedException: 'sender_not_verified',
  AccountSendingPausedException: 'sending_paused',
  ConfigurationSetSendingPausedException: 'sending_paused',
  Throttling: 'throttled',
  ThrottlingException: 'throttled',
  TooManyRequestsException: 'throttled',
  AccessDenied: 'not_permitted',
  AccessDeniedException: 'not_permitted',
};

function diagnose(error: unknown): MailError {
  if (!(error instanceof Error)) return 'unavailable';
  // The one name stands for "slow down" and for "no more today"; only the words tell them apart.
  if (error.name === 'Throttling' && /daily/i.test(error.message)) return 'quota_exceeded';
  if (error.name === 'MessageRejected' && /not verified/i.test(error.message)) return 'sender_not_verified';
  return BY_NAME[error.name] ?? 'unavailable';
}

interface Timing {
  now: () => Date;
  sleep: (milliseconds: number) => Promise<void>;
  random: () => number;
}

const FIRST_WAIT = 200;
const LONGEST_WAIT = 4 * SECOND;
const ATTEMPT_LIMIT = 5 * SECOND;
/** With less time than this left, an attempt would only be cut off with its outcome unknown. */
const WORTH_AN_ATTEMPT = 300;

/** Grows by the attempt; half of it is left to chance, so that those who were refused together do not return together. */
const waitAfter = (attempt: number, random: number) =>
  Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.5 + random / 2);

/** Sends by SES. `mailFrom` is the configured sender; the mail names the one who asks in front of it. */
export function sesMailer(
  ses: SESClient,
  mailFrom: string,
  { now, sleep: wait, random }: Timing = { now: systemNow, sleep, random: Math.random },
): Mailer {
  return async ({ to, senderName, content }, deadline) => {
    const left = () => deadline.getTime() - now().getTime();
    const command = new SendEmailCommand({
      Source: fromHeader(senderName, mailFrom),
      Destination: { ToAddresses: [to] },
      Message: {
        Subject: { Data: content.subject, Charset: 'UTF-8' },
        Body: {
          Text: { Data: content.text, Charset: 'UTF-8' },
          Html: { Data: content.html, Charset: 'UTF-8' },
        },
      },
    });
    for (let attempt = 0; ; attempt += 1) {
      try {
        const limit = Math.max(1, Math.min(ATTEMPT_LIMIT, left()));
        const { MessageId } = await ses.send(command, { abortSignal: AbortSignal.timeout(limit) });
        log.info('mail handed over', { message_id: MessageId, attempts: attempt + 1 });
        return { sent: true };
      } catch (error) {
        const reason = diagnose(error);
        const pause = waitAfter(attempt, random());
        const { error_name } = errorFields(error);
        if (!PASSING.has(reason) || left() < pause + WORTH_AN_ATTEMPT) {
          log.warn('mail not handed over', { mail_error: reason, error_name, attempts: attempt + 1 });
          return { sent: false, error: reason };
        }
        await wait(pause);
      }
    }
  };
}
