import type { Locale } from '../../../shared/texts/languages.ts';
import { chosenLocale, keepLocale } from '../../parts/language.ts';
import { stepHistory, type TabHistory } from '../../parts/step-history.ts';
import { type PageStorage, readJson, safeStorage } from '../../parts/storage.ts';
import type { Draft } from './draft.ts';
import { STEPS, type Step } from './flow.ts';

/** The step in the tab's history, and the input in session storage: phones unload a page while its signer reads a mail. */
export interface Memory {
  rememberedStep(): Step | null;
  enterStep(step: Step, how: 'push' | 'replace'): void;
  /** Goes back to the previous step. Returns false if the signer did not come from one. */
  goBack(): boolean;
  loadDraft(signerId: string): Draft | null;
  saveDraft(signerId: string, draft: Draft): void;
  forgetDraft(signerId: string): void;
  loadLanguage(): Locale | null;
  saveLanguage(locale: Locale): void;
}

const DRAFT = 'draft:';

export const browserMemory = (history: TabHistory, storage: () => PageStorage): Memory => {
  const steps = stepHistory(history, STEPS);
  const stored = safeStorage(storage);
  return {
    rememberedStep: steps.current,
    enterStep: steps.enter,
    goBack: steps.goBack,
    loadDraft: (signerId) => readJson(stored, DRAFT + signerId),
    saveDraft: (signerId, draft) => stored.setItem(DRAFT + signerId, JSON.stringify(draft)),
    forgetDraft: (signerId) => stored.removeItem(DRAFT + signerId),
    loadLanguage: () => chosenLocale(stored),
    saveLanguage: (locale) => keepLocale(stored, locale),
  };
};
