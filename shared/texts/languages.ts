import * as de from './de/service.ts';
import * as en from './en/service.ts';
import * as fi from './fi/service.ts';
import * as fr from './fr/service.ts';
import * as sv from './sv/service.ts';

/** Every language of the service, in the order in which the page offers them. */
export const LOCALES = ['en', 'fi', 'fr', 'de', 'sv'] as const;

export type Locale = (typeof LOCALES)[number];

// Each bundle keeps only the catalogues that it uses: the others are plain constants, which bundlers drop.
export const LANGUAGE_TEXTS: Record<Locale, typeof en.LANGUAGE> = {
  en: en.LANGUAGE,
  fi: fi.LANGUAGE,
  fr: fr.LANGUAGE,
  de: de.LANGUAGE,
  sv: sv.LANGUAGE,
};
export const INSTEAD_TEXTS: Record<Locale, en.InsteadTexts> = {
  en: en.INSTEAD,
  fi: fi.INSTEAD,
  fr: fr.INSTEAD,
  de: de.INSTEAD,
  sv: sv.INSTEAD,
};
export const PAGE_TEXTS: Record<Locale, en.PageTexts> = {
  en: en.PAGE,
  fi: fi.PAGE,
  fr: fr.PAGE,
  de: de.PAGE,
  sv: sv.PAGE,
};
export const VERIFY_TEXTS: Record<Locale, en.VerifyTexts> = {
  en: en.VERIFY,
  fi: fi.VERIFY,
  fr: fr.VERIFY,
  de: de.VERIFY,
  sv: sv.VERIFY,
};
export const MAIL_TEXTS: Record<Locale, en.MailTexts> = {
  en: en.MAIL,
  fi: fi.MAIL,
  fr: fr.MAIL,
  de: de.MAIL,
  sv: sv.MAIL,
};
export const PDF_TEXTS: Record<Locale, en.PdfTexts> = {
  en: en.PDF,
  fi: fi.PDF,
  fr: fr.PDF,
  de: de.PDF,
  sv: sv.PDF,
};
export const EVIDENCE_TEXTS: Record<Locale, en.EvidenceTexts> = {
  en: en.EVIDENCE,
  fi: fi.EVIDENCE,
  fr: fr.EVIDENCE,
  de: de.EVIDENCE,
  sv: sv.EVIDENCE,
};
export const AUDIT_TEXTS: Record<Locale, en.AuditTexts> = {
  en: en.AUDIT,
  fi: fi.AUDIT,
  fr: fr.AUDIT,
  de: de.AUDIT,
  sv: sv.AUDIT,
};
export const CONSENT_TEXTS: Record<Locale, string> = {
  en: en.CONSENT,
  fi: fi.CONSENT,
  fr: fr.CONSENT,
  de: de.CONSENT,
  sv: sv.CONSENT,
};

/** The version that each signature records in the audit trail. Each language has its own: adding one outdates no other. */
export const CONSENT_VERSIONS: Record<Locale, string> = {
  en: '2026-11-01',
  fi: '2026-11-01',
  fr: '2026-11-01',
  de: '2026-11-01',
  sv: '2026-11-22',
};

/** English dates follow British usage: the day before the month, and a 24-hour clock. */
export const dateLocale = (locale: Locale): string => (locale === 'en' ? 'en-GB' : locale);

/** By default the language's name for itself. */
export const languageName = (locale: Locale, inLocale = locale): string =>
  new Intl.DisplayNames([inLocale], { type: 'language' }).of(locale) ?? locale;
