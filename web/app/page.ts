import type { AppTexts } from '../../shared/texts/en/app.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { pageContext } from '../parts/page-context.ts';
import { useClock } from '../parts/use-clock.ts';
import type { Service } from './service.ts';
import type { Session } from './session.ts';

interface Page {
  session: Session;
  service: Service;
  texts: AppTexts;
  locale: Locale;
  /** Shows and announces a short message. An empty one removes the previous message. */
  say(sentence: string): void;
}

export const { PageContext, usePage } = pageContext<Page>();

export const useNow = () => useClock(usePage().session.now, 10_000);
