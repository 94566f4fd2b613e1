import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { VerifyTexts } from '../../shared/texts/en/page.ts';
import type { Locale } from '../../shared/texts/languages.ts';

/** Context that every component of the verify page can read. */
export interface Page {
  texts: VerifyTexts;
  locale: Locale;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage needs a PageContext.');
  return page;
}
