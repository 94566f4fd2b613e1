import type { VerifyTexts } from '../../shared/texts/en/service.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { pageContext } from '../parts/page-context.ts';

interface Page {
  texts: VerifyTexts;
  locale: Locale;
}

export const { PageContext, usePage } = pageContext<Page>();
