import { LANGUAGE_TEXTS, LOCALES, type Locale } from '../../shared/texts/languages.ts';

interface LanguageChoiceProps {
  locale: Locale;
  onChoose(locale: Locale): void;
}

export const LanguageChoice = ({ locale, onChoose }: LanguageChoiceProps) => (
  <label class="language">
    <span class="visually-hidden">{LANGUAGE_TEXTS[locale].label}</span>
    <select value={locale} onChange={(event) => onChoose(event.currentTarget.value as Locale)}>
      <LocaleOptions />
    </select>
  </label>
);

export const LocaleOptions = () =>
  LOCALES.map((offered) => (
    <option key={offered} value={offered} lang={offered}>
      {LANGUAGE_TEXTS[offered].name}
    </option>
  ));
