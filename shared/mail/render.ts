import type { Locale } from '../contract/fields.ts';
import { MAIL_TEXTS, type MailTexts } from '../texts/mail.ts';
import { html } from './html.ts';
import type { MailContent } from './mailer.ts';
import type { Part } from './parts.ts';
import { plainText } from './plain-text.ts';
import { oneLine, passage, phrase } from './sender-words.ts';

/** The mails, as pure functions of what they say. Times are ISO strings; people get them in UTC, with the zone named. */

interface MailInput {
  locale: Locale;
  senderName: string;
  title: string;
  signerName: string;
  signUrl: string;
  test: boolean;
}

export interface CodeMailInput extends MailInput {
  message: string;
  code: string;
  codeExpiresAt: string;
  expiresAt: string;
}

export interface ReminderInput extends MailInput {
  expiresAt: string;
}

export interface SealedInput extends MailInput {
  /** Null: kept without an end. */
  availableUntil: string | null;
}

type Kind = 'invitation' | 'resend' | 'code_on_request' | 'reminder' | 'sealed';

/** The contract's: a code is good for ten minutes from sending. */
const CODE_MINUTES = 10;

const LENGTHS = { subject: 160, sender: 80, title: 200, titleInSubject: 80, name: 80 } as const;

/** The way dates are written; where English is not the reader's own language, the day comes before the month. */
const DATE_LOCALES: Record<Locale, string> = { en: 'en-GB', fi: 'fi', fr: 'fr', de: 'de' };

function inWords(time: string, locale: Locale): string {
  const written = new Intl.DateTimeFormat(DATE_LOCALES[locale], {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(time));
  // French has an ordinal for the first of a month, which the formatter does not know.
  return `${locale === 'fr' ? written.replace(/^1 /, '1er ') : written} UTC`;
}

function compose(
  kind: Kind,
  input: MailInput,
  parts: (texts: MailTexts, sender: string, date: (time: string) => string) => Part[],
): MailContent {
  const texts = MAIL_TEXTS[input.locale];
  const sender = phrase(input.senderName, LENGTHS.sender);
  const says = texts[kind];
  const subject = says.subject(
    oneLine(input.senderName, LENGTHS.sender),
    oneLine(input.title, LENGTHS.titleInSubject),
  );
  const layout = {
    locale: input.locale,
    colon: texts.colon,
    subject: oneLine(input.test ? `[${texts.testMark}] ${subject}` : subject, LENGTHS.subject),
    parts: [
      ...(input.test ? [{ kind: 'notice', text: texts.testNotice } as const] : []),
      { kind: 'paragraph', text: greeting(texts, input.signerName) } as const,
      { kind: 'paragraph', text: says.intro(sender) } as const,
      { kind: 'quotation', label: texts.document, text: phrase(input.title, LENGTHS.title) } as const,
      ...parts(texts, sender, (time) => inWords(time, input.locale)),
      { kind: 'small', text: texts.footer(sender) } as const,
    ],
  };
  return { subject: layout.subject, text: plainText(layout), html: html(layout) };
}

/** A signer without a name goes by the address; nobody is greeted by that. */
const greeting = (texts: MailTexts, signerName: string) =>
  texts.greeting(signerName.includes('@') ? null : phrase(signerName, LENGTHS.name));

const codeParts = (texts: MailTexts, input: CodeMailInput, date: (time: string) => string): Part[] => [
  {
    kind: 'code',
    label: texts.code,
    code: input.code,
    notes: [texts.codeValidity(CODE_MINUTES, date(input.codeExpiresAt)), texts.codeEnded],
  },
];

/** The sender's first mail and the sender's resend say the same beside their opening words. */
const fromSender = (kind: 'invitation' | 'resend') => (input: CodeMailInput) =>
  compose(kind, input, (texts, sender, date) => {
    const message = passage(input.message);
    return [
      ...(message ? [{ kind: 'quotation', label: texts.messageFrom(sender), text: message } as const] : []),
      ...codeParts(texts, input, date),
      { kind: 'link', label: texts[kind].button, url: input.signUrl },
      { kind: 'paragraph', text: texts.signUntil(date(input.expiresAt)) },
      { kind: 'small', text: texts.unexpected.request },
    ];
  });

export const renderInvitation = fromSender('invitation');
export const renderResend = fromSender('resend');

export const renderCode = (input: CodeMailInput): MailContent =>
  compose('code_on_request', input, (texts, _sender, date) => [
    ...codeParts(texts, input, date),
    { kind: 'link', label: texts.code_on_request.button, url: input.signUrl },
    { kind: 'small', text: texts.unexpected.code },
  ]);

export const renderReminder = (input: ReminderInput): MailContent =>
  compose('reminder', input, (texts, _sender, date) => [
    { kind: 'link', label: texts.reminder.button, url: input.signUrl },
    { kind: 'paragraph', text: texts.codeOnThePage },
    { kind: 'paragraph', text: texts.signUntil(date(input.expiresAt)) },
    { kind: 'small', text: texts.unexpected.reminder },
  ]);

export const renderSealed = (input: SealedInput): MailContent =>
  compose('sealed', input, (texts, _sender, date) => [
    { kind: 'link', label: texts.sealed.button, url: input.signUrl },
    { kind: 'paragraph', text: texts.codeOnThePage },
    ...(input.availableUntil
      ? [{ kind: 'paragraph', text: texts.keptUntil(date(input.availableUntil)) } as const]
      : []),
    { kind: 'small', text: texts.unexpected.sealed },
  ]);
