import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { isErasedEmail } from '../requests/erasing.ts';
import { MAIL_CLIENT_SETTINGS } from '../runtime/clients.ts';
import { setting } from '../runtime/config.ts';
import { errorFields, log } from '../runtime/log.ts';
import { measure } from '../runtime/metrics.ts';
import { SECOND, sleep, systemNow } from '../runtime/time.ts';
import { shownSender } from './brand.ts';
import { fromHeader, parseMailFrom } from './from-header.ts';
import type { Mailer } from './mailer.ts';
import { tagsOf } from './returned-mail.ts';

/** The values of `email_error`. */
type MailError =
  /** SES refused the mail, usually because the address bounced before. */
  | 'rejected'
  | 'invalid_address'
  /** The sender's domain is not verified, or in SES's sandbox the recipient. */
  | 'sender_not_verified'
  | 'sending_paused'
  | 'quota_exceeded'
  /** Still throttled at the deadline. */
  | 'throttled'
  /** Still failing or unreachable at the deadline. */
  | 'unavailable'
  | 'not_permitted';

/** Errors worth a retry; all others are final. */
const RETRYABLE: ReadonlySet<MailError> = new Set<MailError>(['throttled', 'unavailable']);

/** SES may refuse all mail of the account for hours: worth a later run, but no retry. */
const LASTING: ReadonlySet<MailError> = new Set<MailError>([
  'quota_exceeded',
  'sending_paused',
  'not_permitted',
]);

/**
 * True if the sender is not verified. In the sandbox SES refuses unverified recipients too, which may never be
 * verified.
 */
function isUnverifiedSender(error: unknown, from: string): boolean {
  const { name, message } = error as { name?: unknown; message?: unknown };
  const { address } = parseMailFrom(from);
  return name === 'MailFromDomainNotVerifiedException' || String(message).includes(address);
}

/** Errors that concern one mail only. All others concern every mail, or in SES's sandbox every unverified recipient. */
const OF_ADDRESS: ReadonlySet<MailError> = new Set<MailError>(['rejected', 'invalid_address']);

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

/** SES gives several causes one name; only their messages differ. */
const BY_MESSAGE: readonly [named: MailError, message: RegExp, error: MailError][] = [
  ['throttled', /daily/i, 'quota_exceeded'],
  ['rejected', /not verified/i, 'sender_not_verified'],
  // AWS itself has stopped the account; the exceptions above say that its owner has.
  ['rejected', /\bsending\b.*\b(?:paused|suspended)\b/i, 'sending_paused'],
];

function diagnose(error: unknown): MailError {
  if (!(error instanceof Error)) return 'unavailable';
  const named = BY_NAME[error.name] ?? 'unavailable';
  const exact = BY_MESSAGE.find(([name, message]) => name === named && message.test(error.message));
  return exact?.[2] ?? named;
}

/** The connection was never made. */
const NOT_CONNECTED: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
/** The SDK's time-out of a connection, which differs from that of an answer only in its words. */
const NO_CONNECTION = /did not establish a connection/;

/** False if SES may have taken the mail, though its answer did not come. */
function isNotTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: unknown; $metadata?: { httpStatusCode?: number } };
  const wasConnected = !NOT_CONNECTED.includes(code) && !NO_CONNECTION.test(error.message);
  return error.name in BY_NAME || $metadata?.httpStatusCode !== undefined || !wasConnected;
}

interface Timing {
  now: () => Date;
  sleep: (milliseconds: number) => Promise<void>;
  random: () => number;
}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 4 * SECOND;
const ATTEMPT_TIMEOUT_MS = 5 * SECOND;
/** An attempt with less time would be aborted with its outcome unknown. */
const MIN_ATTEMPT_MS = 300;

/** Exponential back-off with jitter, so that callers throttled together do not retry together. */
const retryDelay = (attempts: number, random: number) =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1)) * (0.5 + random / 2);

interface Sending {
  /** The configured sender; the From header puts the sender's name in front of it. */
  from: string;
  /** SES reports bounces and complaints through it. */
  configurationSet: string;
}

export function sesMailer(
  ses: SESClient,
  sending: Sending,
  timing: Timing = { now: systemNow, sleep, random: Math.random },
): Mailer {
  return async (mail, deadline) =>
    isErasedEmail(mail.to)
      ? { sent: false, error: 'invalid_address' }
      : send(ses, { command: commandFor(mail, sending), from: sending.from }, deadline, timing);
}

async function send(
  ses: SESClient,
  { command, from }: { command: SendEmailCommand; from: string },
  deadline: Date,
  { now, sleep: wait, random }: Timing,
): ReturnType<Mailer> {
  const remainingMs = () => deadline.getTime() - now().getTime();
  let attempts = 0;
  let failure: Failure = { error: 'unavailable', error_name: undefined, isLasting: false };
  let mayBeTaken = false;
  while (remainingMs() >= MIN_ATTEMPT_MS) {
    attempts += 1;
    try {
      const timeoutMs = Math.min(ATTEMPT_TIMEOUT_MS, remainingMs());
      const { MessageId } = await ses.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
      log.info('Mail accepted by SES', { message_id: MessageId, attempts });
      return { sent: true, error: null, messageId: MessageId };
    } catch (thrown) {
      failure = failureOf(thrown, from);
      mayBeTaken ||= !isNotTaken(thrown);
      const delay = retryDelay(attempts, random());
      if (!RETRYABLE.has(failure.error) || remainingMs() < delay + MIN_ATTEMPT_MS) break;
      await wait(delay);
    }
  }
  const { error, error_name, isLasting } = failure;
  log.warn('Mail not sent', { mail_error: error, error_name, attempts });
  if (!OF_ADDRESS.has(error)) measure({ MailFailures: 1 });
  const isPostponed = (RETRYABLE.has(error) || isLasting) && !mayBeTaken;
  return { sent: false, error, ...(isPostponed && { isPostponed }) };
}

function commandFor(
  { to, senderName, brand, content, about }: Parameters<Mailer>[0],
  { from, configurationSet }: Sending,
): SendEmailCommand {
  return new SendEmailCommand({
    Source: fromHeader(senderName === null ? null : shownSender(senderName, brand), from),
    ...(brand?.replyTo && { ReplyToAddresses: [brand.replyTo] }),
    Destination: { ToAddresses: [to] },
    ConfigurationSetName: configurationSet,
    ...(about && { Tags: tagsOf(about) }),
    Message: {
      Subject: { Data: content.subject, Charset: 'UTF-8' },
      Body: {
        Text: { Data: content.text, Charset: 'UTF-8' },
        Html: { Data: content.html, Charset: 'UTF-8' },
      },
    },
  });
}

interface Failure {
  error: MailError;
  error_name: unknown;
  /** Worth a later run, but no retry. */
  isLasting: boolean;
}

function failureOf(thrown: unknown, from: string): Failure {
  const error = diagnose(thrown);
  const isLasting =
    LASTING.has(error) || (error === 'sender_not_verified' && isUnverifiedSender(thrown, from));
  return { error, error_name: errorFields(thrown).error_name, isLasting };
}

/** The mailer of a function, by its settings. */
export const configuredMailer = (): Mailer =>
  sesMailer(new SESClient(MAIL_CLIENT_SETTINGS), {
    from: setting('MAIL_FROM'),
    configurationSet: setting('MAIL_CONFIGURATION_SET'),
  });
