import type { Locale } from '../../shared/texts/languages.ts';
import { Logo } from './icons.tsx';
import { LanguageChoice } from './language-choice.tsx';

interface Brand {
  name: string;
  logo: { path: string; width: number; height: number } | null;
}

interface HeaderProps {
  /** Without a brand, the header shows the service's name. */
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
    <LanguageChoice locale={locale} onChoose={onLanguage} />
  </header>
);
