import type { PageTexts } from '../../shared/texts/en/service.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { pageContext } from '../parts/page-context.ts';
import { useClock } from '../parts/use-clock.ts';
import type { SigningController } from './flow/controller.ts';

export interface Page {
  controller: SigningController;
  texts: PageTexts;
  locale: Locale;
  /** Makes screen readers announce the sentence. */
  announce(sentence: string): void;
}

export const { PageContext, usePage } = pageContext<Page>();

/** Every second, for the countdown. */
export const useNow = () => useClock(usePage().controller.now, 1_000);
