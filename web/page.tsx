import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Locale } from '../shared/contract/fields.ts';
import { PAGE_TEXTS, type PageTexts } from '../shared/texts/page.ts';
import type { Conductor } from './flow/conductor.ts';

/** What every part of the page has at hand. */
export interface Page {
  conductor: Conductor;
  texts: PageTexts;
  locale: Locale;
  /** Says a sentence to those who listen rather than look. */
  announce(sentence: string): void;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('outside of the page');
  return page;
}

export const textsOf = (locale: Locale) => PAGE_TEXTS[locale];

/** The time, each second, while there is something to count down to. */
export function useNow(running: boolean): number {
  const { conductor } = usePage();
  const [now, setNow] = useState(conductor.now());
  useEffect(() => {
    setNow(conductor.now());
    if (!running) return;
    const timer = setInterval(() => setNow(conductor.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
