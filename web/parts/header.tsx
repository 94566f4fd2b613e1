import { LOCALES, type Locale, PAGE_TEXTS } from '../../shared/texts/languages.ts';
import { Logo } from './icons.tsx';

interface Brand {
  name: string;
  logo: { path: string; width: number; height: number } | null;
}

interface HeaderProps {
  /** Without one the service names itself. */
  brand?: Brand | undefined;
  locale: Locale;
  onLanguage(locale: Locale): void;
}

export const Header = ({ brand, locale, onLanguage }: HeaderProps) => (
  <header class="head">
    {brand ? (
      <p class="wordmark">
        {brand.logo && (
          <img
            class="brand-logo"
            src={brand.logo.path}
            width={brand.logo.width}
            height={brand.logo.height}
            alt=""
          />
        )}
        <bdi>{brand.name}</bdi>
      </p>
    ) : (
      <p class="wordmark" lang="en">
        <Logo />
        <span>Signature requests</span>
      </p>
    )}
    <label class="language">
      <span class="visually-hidden">{PAGE_TEXTS[locale].language}</span>
      <select value={locale} onChange={(event) => onLanguage(event.currentTarget.value as Locale)}>
        {LOCALES.map((offered) => (
          <option key={offered} value={offered} lang={offered}>
            {PAGE_TEXTS[offered].languageName}
          </option>
        ))}
      </select>
    </label>
  </header>
);
