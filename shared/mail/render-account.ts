import { CODE_MINUTES } from '../requests/creating.ts';
import type { MailTexts } from '../texts/en/service.ts';
import { isolated } from '../texts/isolate.ts';
import { type Locale, MAIL_TEXTS } from '../texts/languages.ts';
import { SERVICE_NAME } from './from-header.ts';
import { html } from './html.ts';
import type { MailContent } from './mailer.ts';
import { formatMoment } from './moment.ts';
import { button, type Part, paragraph, small } from './parts.ts';
import { plainText } from './plain-text.ts';
import { inlineText, oneLine } from './sender-text.ts';

const NAME_LENGTH = 80;

/** Mails of the service itself, to users of the dashboard. */

function compose(
  locale: Locale,
  texts: MailTexts,
  { subject, intro, sentAt }: { subject: string; intro: string; sentAt: string },
  parts: Part[],
): MailContent {
  const layout = {
    locale,
    colon: texts.colon,
    subject,
    preheader: intro,
    sender: SERVICE_NAME,
    accent: null,
    parts: [
      paragraph(texts.greeting(null)),
      paragraph(intro),
      ...parts,
      small(formatMoment(sentAt, locale, null)),
    ],
    links: [],
  };
  return { subject, text: plainText(layout), html: html(layout) };
}

interface SignInInput {
  locale: Locale;
  code: string;
  codeExpiresAt: string;
  sentAt: string;
}

export function renderSignIn({ locale, code, codeExpiresAt, sentAt }: SignInInput): MailContent {
  const texts = MAIL_TEXTS[locale];
  const own = texts.account.signIn;
  const until = formatMoment(codeExpiresAt, locale, null);
  return compose(locale, texts, { ...own, sentAt }, [
    { kind: 'code', label: own.code, code, notes: [texts.codeValidity(CODE_MINUTES, until)] },
    small(own.unexpected),
  ]);
}

interface NewMemberInput {
  locale: Locale;
  organization: string;
  /** The dashboard's address. */
  url: string;
  sentAt: string;
}

export function renderNewMember({ locale, organization, url, sentAt }: NewMemberInput): MailContent {
  const texts = MAIL_TEXTS[locale];
  const own = texts.account.newMember;
  const words = {
    subject: own.subject(oneLine(organization, NAME_LENGTH)),
    intro: own.intro(isolated(inlineText(organization, NAME_LENGTH))),
    sentAt,
  };
  return compose(locale, texts, words, [
    button(own.button, url, texts.linkBelow),
    paragraph(own.howTo),
    small(own.unexpected),
  ]);
}
