import { signal } from '@preact/signals';
import { asError } from '../../client/src/http.ts';
import type { AppTexts } from '../../shared/texts/en/app.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { keepLocale } from '../parts/language.ts';

/** The page loads the file of one language. The tests' `app-texts.ts` has the compiler check that each is there. */
const load = (locale: Locale): Promise<{ APP: AppTexts }> => import(`../../shared/texts/${locale}/app.ts`);

interface Language {
  locale: Locale;
  texts: AppTexts;
}

export const language = signal<Language | null>(null);

/** The language asked for last. A file that arrives late must not replace it. */
let wanted: Locale | null = null;

/** Returns false if another language was asked for meanwhile. */
export async function loadLanguage(locale: Locale): Promise<boolean> {
  wanted = locale;
  try {
    const { APP } = await load(locale);
    if (wanted !== locale) return false;
    language.value = { locale, texts: APP };
    return true;
  } catch (thrown) {
    throw asError(thrown);
  }
}

/** Chosen on this page since it was opened. */
let chosen: Locale | null = null;

/** Returns false if another language was chosen meanwhile. */
export async function chooseLanguage(locale: Locale, memory: Pick<Storage, 'setItem'>): Promise<boolean> {
  const isLoaded = await loadLanguage(locale);
  if (isLoaded) {
    chosen = locale;
    keepLocale(memory, locale);
  }
  return isLoaded;
}

/** `keep` stores the language in the user's profile, for every browser and for the mails with codes. */
interface Keeper {
  user: { locale: Locale | null };
  keep(locale: Locale): Promise<unknown>;
  memory: Pick<Storage, 'setItem'>;
}

let keeping: Promise<unknown> = Promise.resolve();

/** Stores the chosen language for the user. One call at a time: of two at once, the earlier may be carried out last. */
export function keepChosen(keep: Keeper['keep']): Promise<unknown> {
  const locale = chosen;
  const kept = keeping.then(() => locale && locale === chosen && keep(locale));
  keeping = kept.catch(() => undefined);
  return kept;
}

/** After sign-in, a language that was chosen before is stored for the user; otherwise the page takes the user's. */
export async function settleLanguage({ user, keep, memory }: Keeper): Promise<void> {
  if (chosen) {
    if (chosen !== user.locale) await keep(chosen);
  } else if (user.locale && user.locale !== language.peek()?.locale) {
    if (await loadLanguage(user.locale)) keepLocale(memory, user.locale);
  }
}
