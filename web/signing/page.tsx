import { useEffect, useState } from 'preact/hooks';
import type { PageTexts } from '../../shared/texts/en/page.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { pageContext } from '../parts/page-context.ts';
import type { SigningController } from './flow/controller.ts';

/** Context that every component of the signing page can read. */
export interface Page {
  controller: SigningController;
  texts: PageTexts;
  locale: Locale;
  /** Makes screen readers say this sentence. */
  announce(sentence: string): void;
}

export const { PageContext, usePage } = pageContext<Page>();

/** The current time, updated each second. */
export function useNow(): number {
  const { controller } = usePage();
  const [now, setNow] = useState(controller.now());
  useEffect(() => {
    setNow(controller.now());
    const timer = setInterval(() => setNow(controller.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
