import { CODE_MINUTES } from '../requests/creating.ts';
import type { MailTexts } from '../texts/en/service.ts';
import { type Locale, MAIL_TEXTS } from '../texts/languages.ts';
import { SERVICE_NAME } from './from-header.ts';
import { html } from './html.ts';
import type { MailContent } from './mailer.ts';
import { formatMoment } from './moment.ts';
import type { Part } from './parts.ts';
import { plainText } from './plain-text.ts';

/** Mails of the service itself, to users of the dashboard. */

function compose(
  locale: Locale,
  texts: MailTexts,
  { subject, intro }: { subject: string; intro: string },
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
      { kind: 'paragraph', text: texts.greeting(null) } as const,
      { kind: 'paragraph', text: intro } as const,
      ...parts,
    ],
    links: [],
  };
  return { subject, text: plainText(layout), html: html(layout) };
}

interface SignInInput {
  locale: Locale;
  code: string;
  codeExpiresAt: string;
}

export function renderSignIn({ locale, code, codeExpiresAt }: SignInInput): MailContent {
  const texts = MAIL_TEXTS[locale];
  const own = texts.account.signIn;
  const until = formatMoment(codeExpiresAt, locale, null);
  return compose(locale, texts, own, [
    { kind: 'code', label: own.code, code, notes: [texts.codeValidity(CODE_MINUTES, until)] },
    { kind: 'small', text: own.unexpected },
  ]);
}
