import { APP as de } from '../../shared/texts/de/app.ts';
import { type AppTexts, APP as en } from '../../shared/texts/en/app.ts';
import { APP as fi } from '../../shared/texts/fi/app.ts';
import { APP as fr } from '../../shared/texts/fr/app.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { APP as sv } from '../../shared/texts/sv/app.ts';

/** All catalogues of the dashboard, whose page loads one. */
export const APP_TEXTS: Record<Locale, AppTexts> = { en, fi, fr, de, sv };
