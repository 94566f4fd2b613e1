import { LOCALES, type Locale } from '../../../shared/texts/languages.ts';
import type { Draft } from './draft.ts';
import { STEPS, type Step } from './flow.ts';

/**
 * State that this tab keeps until it is closed: the step in its history, so that back and reload work, and the input in its
 * session storage, because phones unload a page while the signer reads the mail with the code.
 */
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
const LANGUAGE = 'language';

/** Some browsers deny storage in private mode. The signer can sign without it. */
const orNull = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** The parts of the browser API that are used. */
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
    orNull(() => {
      const stored = storage().getItem(DRAFT + signerId);
      return stored === null ? null : (JSON.parse(stored) as Draft);
    }),
  saveDraft: (signerId, draft) =>
    void orNull(() => storage().setItem(DRAFT + signerId, JSON.stringify(draft))),
  forgetDraft: (signerId) => void orNull(() => storage().removeItem(DRAFT + signerId)),
  loadLanguage: () => orNull(() => LOCALES.find((locale) => locale === storage().getItem(LANGUAGE)) ?? null),
  saveLanguage: (locale) => void orNull(() => storage().setItem(LANGUAGE, locale)),
});

export const stepOf = (state: unknown): Step | null => {
  if (typeof state !== 'object' || state === null || !('step' in state)) return null;
  return STEPS.find((step) => step === state.step) ?? null;
};
