import { CODE_MINUTES } from '../requests/creating.ts';
import type { MailTexts } from '../texts/en/service.ts';
import { isolated } from '../texts/isolate.ts';
import { type Locale, MAIL_TEXTS } from '../texts/languages.ts';
import { type MaybeBrand, shownSender } from './brand.ts';
import { html } from './html.ts';
import type { MailContent } from './mailer.ts';
import { formatMoment } from './moment.ts';
import { button, type Part, paragraph, quotation, small } from './parts.ts';
import { plainText } from './plain-text.ts';
import { blockText, inlineText, oneLine } from './sender-text.ts';

/** Pure functions that render the mails. Input times are ISO strings; mails show them in the sender's zone and in UTC. */

interface NoticeInput {
  locale: Locale;
  /** The owner, who is named where the brand has no name. */
  senderName: string;
  brand: MaybeBrand;
  title: string;
  sentAt: string;
  test: boolean;
}

export interface LinkMailInput extends NoticeInput {
  signerName: string;
  signUrl: string;
  expiresAt: string;
}

export interface CodeMailInput extends LinkMailInput {
  message: string;
  code: string;
  codeExpiresAt: string;
}

export interface SealedInput extends NoticeInput {
  signerName: string;
  /** The link with which this signer downloads the sealed files until then. */
  copyUrl: string;
  availableUntil: string;
}

/** A notice to a signer of an ending. */
interface SignerNoticeInput extends NoticeInput {
  reason: keyof MailTexts['signerNotices'];
  signerName: string;
}

interface SenderNoticeInput extends NoticeInput {
  reason: keyof MailTexts['senderNotices'];
  requestId: string;
  /** Its page on the dashboard. */
  requestUrl: string;
  /** The signers whom it is about. */
  about: readonly { name: string; email: string }[];
  /** A signer's own words. */
  declineReason: string | null;
  /** True if no reminders are sent to them until they are sent the invitation again. */
  awaitsInvitation: boolean;
  /** When a sealed document is removed; null if there is none, or if it is archived. */
  availableUntil: string | null;
}

type OwnTexts = Pick<MailTexts['reminder'], 'subject' | 'intro'>;

const MAX_LENGTHS = {
  subject: 160,
  sender: 80,
  title: 200,
  titleInSubject: 80,
  name: 80,
  email: 254,
} as const;

/** Input of a mail's own parts. */
interface Words {
  texts: MailTexts;
  sender: string;
  date: (time: string) => string;
}

const LINKS = ['imprintUrl', 'privacyUrl', 'supportUrl'] as const;

/** `more` follows the intro beside the subject, where mail programs show the beginning of a mail. */
function compose(
  ownOf: (texts: MailTexts) => OwnTexts,
  input: NoticeInput & { signerName?: string },
  parts: (words: Words) => Part[],
  more: (words: Words) => string = () => '',
): MailContent {
  const { locale, brand } = input;
  const texts = MAIL_TEXTS[locale];
  const senderName = shownSender(input.senderName, brand);
  const sender = isolated(inlineText(senderName, MAX_LENGTHS.sender));
  const words = {
    texts,
    sender,
    date: (time: string) => formatMoment(time, locale, brand?.timeZone ?? null),
  };
  const own = ownOf(texts);
  const subject = own.subject(
    oneLine(senderName, MAX_LENGTHS.sender),
    oneLine(input.title, MAX_LENGTHS.titleInSubject),
  );
  const layout = {
    locale,
    colon: texts.colon,
    subject: oneLine(input.test ? `[${texts.testMark}] ${subject}` : subject, MAX_LENGTHS.subject),
    preheader: `${own.intro(sender)} ${more(words)}`.trim(),
    sender,
    accent: brand?.accent ?? null,
    parts: [
      ...(input.test ? [{ kind: 'notice', text: texts.testNotice } as const] : []),
      paragraph(greeting(texts, input.signerName ?? '')),
      paragraph(own.intro(sender)),
      quotation(texts.document, inlineText(input.title, MAX_LENGTHS.title)),
      ...parts(words),
      small(texts.footer(sender)),
      // Of mails in one thread, Gmail folds away the end that equals the one before, and the button with it.
      small(words.date(input.sentAt)),
    ],
    links: LINKS.flatMap((member) => {
      const url = brand?.[member];
      return url ? [{ label: texts.links[member], url }] : [];
    }),
  };
  return { subject: layout.subject, text: plainText(layout), html: html(layout) };
}

/** A quotation, unless there is nothing to quote. */
const quotations = (label: string, text: string): Part[] => (text ? [quotation(label, text)] : []);

/** A signer without a name has the address as their name; it is not used in a greeting. */
const greeting = (texts: MailTexts, signerName: string) =>
  texts.greeting(
    signerName.includes('@') ? null : isolated(inlineText(signerName, MAX_LENGTHS.name)) || null,
  );

/** Once the time to sign has ended a code within its minutes, nobody can ask for a new one either. */
const codePart = ({ texts, date }: Words, { code, codeExpiresAt, expiresAt }: CodeMailInput): Part => ({
  kind: 'code',
  label: texts.code,
  code,
  notes:
    codeExpiresAt === expiresAt
      ? [texts.signUntil(date(expiresAt))]
      : [texts.codeValidity(CODE_MINUTES, date(codeExpiresAt)), texts.codeEnded],
});

/** The invitation and its resend differ only in their intro and subject. */
const renderRequest = (kind: 'invitation' | 'resend') => (input: CodeMailInput) =>
  compose(
    (texts) => texts[kind],
    input,
    (words) => [
      ...quotations(words.texts.messageFrom(words.sender), blockText(input.message)),
      codePart(words, input),
      button(words.texts.invitation.button, input.signUrl, words.texts.linkBelow),
      paragraph(words.texts.signUntil(words.date(input.expiresAt))),
      small(words.texts.unexpected.request),
    ],
    ({ texts, date }) => texts.signUntil(date(input.expiresAt)),
  );

export const renderInvitation = renderRequest('invitation');
export const renderResend = renderRequest('resend');

export const renderCode = (input: CodeMailInput): MailContent =>
  compose(
    (texts) => texts.code_on_request,
    input,
    (words) => [
      codePart(words, input),
      button(words.texts.code_on_request.button, input.signUrl, words.texts.linkBelow),
      small(words.texts.unexpected.code),
    ],
  );

export const renderReminder = (input: LinkMailInput): MailContent =>
  compose(
    (texts) => texts.reminder,
    input,
    ({ texts, date }) => [
      button(texts.invitation.button, input.signUrl, texts.linkBelow),
      paragraph(texts.codeOnThePage),
      paragraph(texts.signUntil(date(input.expiresAt))),
      small(texts.unexpected.reminder),
    ],
    ({ texts, date }) => texts.signUntil(date(input.expiresAt)),
  );

export const renderSealed = (input: SealedInput): MailContent =>
  compose(
    (texts) => texts.sealed,
    input,
    ({ texts, date }) => [
      button(texts.sealed.button, input.copyUrl, texts.linkBelow),
      paragraph(texts.keptUntil(date(input.availableUntil))),
      small(texts.unexpected.sealed),
    ],
    ({ texts, date }) => texts.keptUntil(date(input.availableUntil)),
  );

export const renderSignerNotice = (input: SignerNoticeInput): MailContent =>
  compose(
    (texts) => texts.signerNotices[input.reason],
    input,
    ({ texts }) => [small(texts.unexpected.notice)],
  );

/** A name with its address, or only the address if nobody gave a name. */
const person = ({ name, email }: SenderNoticeInput['about'][number]): string => {
  const address = oneLine(email, MAX_LENGTHS.email);
  return name === email ? address : `${isolated(inlineText(name, MAX_LENGTHS.name))} (${address})`;
};

const RETURNED: readonly SenderNoticeInput['reason'][] = ['mail_bounced', 'mail_complained'];

/** The sender's next step. For a returned mail it names the invitation only while reminders wait for it. */
function nextStep(
  { texts: { senderNotices, keptUntil }, date }: Words,
  { reason, awaitsInvitation, about, availableUntil }: SenderNoticeInput,
): string | undefined {
  if (availableUntil !== null) return keptUntil(date(availableUntil));
  const own = senderNotices[RETURNED.includes(reason) && !awaitsInvitation ? 'mail_failed' : reason];
  const next = 'next' in own ? own.next : undefined;
  return typeof next === 'function' ? next(about.length) : next;
}

export const renderSenderNotice = (input: SenderNoticeInput): MailContent =>
  compose(
    (texts) => texts.senderNotices[input.reason],
    input,
    (words) => {
      const { texts } = words;
      const next = nextStep(words, input);
      return [
        ...quotations(texts.signers(input.about.length), input.about.map(person).join('\n')),
        ...quotations(texts.declineReason, blockText(input.declineReason ?? '')),
        ...(next ? [paragraph(next)] : []),
        button(texts.openRequest, input.requestUrl, texts.linkBelow),
        small(texts.unexpected.senderNotice(input.requestId)),
      ];
    },
  );
