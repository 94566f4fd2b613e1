import type { Locale } from '../../shared/contract/fields.ts';
import { LOCALES_SHOWN } from '../language.ts';
import type { Draft } from './draft.ts';
import { STEPS, type Step } from './flow.ts';

/**
 * What this tab remembers: the step (in its history, so that back and reload work) and what was entered (in its
 * session storage, since phones drop a page while its owner looks up the code in the mail). Both go with the tab.
 */
export interface Memory {
  rememberedStep(): Step | null;
  enterStep(step: Step, how: 'push' | 'replace'): void;
  /** Goes back where the signer came from; false if this step was not reached by going forward. */
  goBack(): boolean;
  loadDraft(signerId: string): Draft | null;
  saveDraft(signerId: string, draft: Draft): void;
  forgetDraft(signerId: string): void;
  loadLanguage(): Locale | null;
  saveLanguage(locale: Locale): void;
}

const DRAFT = 'draft:';
const LANGUAGE = 'language';

/** A browser that refuses storage (a strict private mode) costs the comfort, never the signature. */
const tolerant = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** As much of the browser's own as is used. */
type TabHistory = Pick<History, 'state' | 'pushState' | 'replaceState' | 'back'>;
type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export const browserMemory = (history: TabHistory, storage: () => TabStorage): Memory => ({
  rememberedStep: () => stepOf(history.state),
  enterStep(step, how) {
    if (stepOf(history.state) === step) return;
    if (how === 'push') history.pushState({ step, forward: true }, '');
    else history.replaceState({ ...history.state, step }, '');
  },
  goBack() {
    const forward = history.state?.forward === true;
    if (forward) history.back();
    return forward;
  },
  loadDraft: (signerId) =>
    tolerant(() => {
      const stored = storage().getItem(DRAFT + signerId);
      return stored === null ? null : (JSON.parse(stored) as Draft);
    }),
  saveDraft: (signerId, draft) =>
    void tolerant(() => storage().setItem(DRAFT + signerId, JSON.stringify(draft))),
  forgetDraft: (signerId) => void tolerant(() => storage().removeItem(DRAFT + signerId)),
  loadLanguage: () =>
    tolerant(() => LOCALES_SHOWN.find((locale) => locale === storage().getItem(LANGUAGE)) ?? null),
  saveLanguage: (locale) => void tolerant(() => storage().setItem(LANGUAGE, locale)),
});

export const stepOf = (state: unknown): Step | null => {
  if (typeof state !== 'object' || state === null || !('step' in state)) return null;
  return STEPS.find((step) => step === state.step) ?? null;
};
