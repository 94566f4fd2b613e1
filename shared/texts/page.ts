import type { Locale } from '../contract/fields.ts';
import { de } from './page/de.ts';
import { en } from './page/en.ts';
import { fi } from './page/fi.ts';
import { fr } from './page/fr.ts';

export type PageTexts = typeof en;

/** Every word of the signing page. English gives the form: a key that another language lacks does not compile. */
export const PAGE_TEXTS: Record<Locale, PageTexts> = { en, fi, fr, de };
