import type { Locale } from '../../../shared/texts/languages.ts';
import { chosenLocale, keepLocale } from '../../parts/language.ts';
import { stepHistory, type TabHistory } from '../../parts/step-history.ts';
import { type PageStorage, readJson, safeStorage } from '../../parts/storage.ts';
import type { Draft } from './draft.ts';
import { STEPS } from './flow.ts';

const DRAFT = 'draft:';

/** The step in the tab's history, and the input in session storage: phones unload a page while its signer reads a mail. */
export function browserMemory(history: TabHistory, storage: () => PageStorage) {
  const steps = stepHistory(history, STEPS);
  const stored = safeStorage(storage);
  return {
    rememberedStep: steps.current,
    enterStep: steps.enter,
    goBack: steps.goBack,
    loadDraft: (signerId: string) => readJson<Draft>(stored, DRAFT + signerId),
    saveDraft: (signerId: string, draft: Draft) => stored.setItem(DRAFT + signerId, JSON.stringify(draft)),
    forgetDraft: (signerId: string) => stored.removeItem(DRAFT + signerId),
    loadLanguage: () => chosenLocale(stored),
    saveLanguage: (locale: Locale) => keepLocale(stored, locale),
  };
}

export type Memory = ReturnType<typeof browserMemory>;
