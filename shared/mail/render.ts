import { CODE_MINUTES } from '../requests/creating.ts';
import type { MailTexts } from '../texts/en/service.ts';
import { isolated } from '../texts/isolate.ts';
import { type Locale, MAIL_TEXTS } from '../texts/languages.ts';
import { type MaybeBrand, shownSender } from './brand.ts';
import { html } from './html.ts';
import type { MailContent } from './mailer.ts';
import { formatMoment } from './moment.ts';
import type { Part } from './parts.ts';
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
      { kind: 'paragraph', text: greeting(texts, input.signerName ?? '') } as const,
      { kind: 'paragraph', text: own.intro(sender) } as const,
      { kind: 'quotation', label: texts.document, text: inlineText(input.title, MAX_LENGTHS.title) } as const,
      ...parts(words),
      { kind: 'small', text: texts.footer(sender) } as const,
      // Of mails in one thread, Gmail folds away the end that equals the one before, and the button with it.
      { kind: 'small', text: words.date(input.sentAt) } as const,
    ],
    links: LINKS.flatMap((member) => {
      const url = brand?.[member];
      return url ? [{ label: texts.links[member], url }] : [];
    }),
  };
  return { subject: layout.subject, text: plainText(layout), html: html(layout) };
}

const button = (texts: MailTexts, label: string, url: string): Part => ({
  kind: 'link',
  label,
  url,
  hint: texts.linkBelow,
});

/** A signer without a name has the address as their name; it is not used in a greeting. */
const greeting = (texts: MailTexts, signerName: string) =>
  texts.greeting(
    signerName.includes('@') ? null : isolated(inlineText(signerName, MAX_LENGTHS.name)) || null,
  );

/** Once the time to sign has ended a code within its minutes, nobody can ask for a new one either. */
const codeParts = (texts: MailTexts, input: CodeMailInput, date: (time: string) => string): Part[] => [
  {
    kind: 'code',
    label: texts.code,
    code: input.code,
    notes:
      input.codeExpiresAt === input.expiresAt
        ? [texts.signUntil(date(input.expiresAt))]
        : [texts.codeValidity(CODE_MINUTES, date(input.codeExpiresAt)), texts.codeEnded],
  },
];

/** The invitation and its resend differ only in their intro and subject. */
const renderRequest = (kind: 'invitation' | 'resend') => (input: CodeMailInput) =>
  compose(
    (texts) => texts[kind],
    input,
    ({ texts, sender, date }) => {
      const message = blockText(input.message);
      return [
        ...(message ? [{ kind: 'quotation', label: texts.messageFrom(sender), text: message } as const] : []),
        ...codeParts(texts, input, date),
        button(texts, texts.invitation.button, input.signUrl),
        { kind: 'paragraph', text: texts.signUntil(date(input.expiresAt)) },
        { kind: 'small', text: texts.unexpected.request },
      ];
    },
    ({ texts, date }) => texts.signUntil(date(input.expiresAt)),
  );

export const renderInvitation = renderRequest('invitation');
export const renderResend = renderRequest('resend');

export const renderCode = (input: CodeMailInput): MailContent =>
  compose(
    (texts) => texts.code_on_request,
    input,
    ({ texts, date }) => [
      ...codeParts(texts, input, date),
      button(texts, texts.code_on_request.button, input.signUrl),
      { kind: 'small', text: texts.unexpected.code },
    ],
  );

export const renderReminder = (input: LinkMailInput): MailContent =>
  compose(
    (texts) => texts.reminder,
    input,
    ({ texts, date }) => [
      button(texts, texts.invitation.button, input.signUrl),
      { kind: 'paragraph', text: texts.codeOnThePage },
      { kind: 'paragraph', text: texts.signUntil(date(input.expiresAt)) },
      { kind: 'small', text: texts.unexpected.reminder },
    ],
    ({ texts, date }) => texts.signUntil(date(input.expiresAt)),
  );

export const renderSealed = (input: SealedInput): MailContent =>
  compose(
    (texts) => texts.sealed,
    input,
    ({ texts, date }) => [
      button(texts, texts.sealed.button, input.copyUrl),
      { kind: 'paragraph', text: texts.keptUntil(date(input.availableUntil)) },
      { kind: 'small', text: texts.unexpected.sealed },
    ],
    ({ texts, date }) => texts.keptUntil(date(input.availableUntil)),
  );

export const renderSignerNotice = (input: SignerNoticeInput): MailContent =>
  compose(
    (texts) => texts.signerNotices[input.reason],
    input,
    ({ texts }) => [{ kind: 'small', text: texts.unexpected.notice }],
  );

/** A name with its address, or only the address if nobody gave a name. */
const person = ({ name, email }: SenderNoticeInput['about'][number]): string => {
  const address = oneLine(email, MAX_LENGTHS.email);
  return name === email ? address : `${isolated(inlineText(name, MAX_LENGTHS.name))} (${address})`;
};

const RETURNED: readonly SenderNoticeInput['reason'][] = ['mail_bounced', 'mail_complained'];

/** The sender's next step. For a returned mail it names the invitation only while reminders wait for it. */
function nextStep(
  { senderNotices }: MailTexts,
  { reason, awaitsInvitation, about }: SenderNoticeInput,
): string | undefined {
  const own = senderNotices[RETURNED.includes(reason) && !awaitsInvitation ? 'mail_failed' : reason];
  const next = 'next' in own ? own.next : undefined;
  return typeof next === 'function' ? next(about.length) : next;
}

export const renderSenderNotice = (input: SenderNoticeInput): MailContent =>
  compose(
    (texts) => texts.senderNotices[input.reason],
    input,
    ({ texts }) => {
      const next = nextStep(texts, input);
      const reason = blockText(input.declineReason ?? '');
      return [
        ...(input.about.length > 0
          ? [
              {
                kind: 'quotation',
                label: texts.signers(input.about.length),
                text: input.about.map(person).join('\n'),
              } as const,
            ]
          : []),
        ...(reason ? [{ kind: 'quotation', label: texts.declineReason, text: reason } as const] : []),
        ...(next ? [{ kind: 'paragraph', text: next } as const] : []),
        button(texts, texts.openRequest, input.requestUrl),
        { kind: 'small', text: texts.unexpected.senderNotice(input.requestId) },
      ];
    },
  );
