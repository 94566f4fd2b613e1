import { APP as de } from './de/app.ts';
import { type AppTexts, APP as en } from './en/app.ts';
import { APP as fi } from './fi/app.ts';
import { APP as fr } from './fr/app.ts';
import type { Locale } from './languages.ts';
import { APP as sv } from './sv/app.ts';

/** All catalogues of the dashboard. The page itself loads one: it must not import this file. */
export const APP_TEXTS: Record<Locale, AppTexts> = { en, fi, fr, de, sv };
