/** The parts of the browser API that are used. */
export type TabHistory = Pick<History, 'state' | 'pushState' | 'replaceState' | 'back'>;

/** Keeps the step in the tab's history, so that the back button leads to the previous step. */
export function stepHistory<Step extends string>(history: TabHistory, steps: readonly Step[]) {
  /** Null if the page did not write this entry. */
  const current = (): Step | null => steps.find((step) => step === history.state?.step) ?? null;
  return {
    current,
    enter(step: Step, how: 'push' | 'replace') {
      if (current() === step) return;
      if (how === 'push') history.pushState({ step, forward: true }, '');
      else history.replaceState({ ...history.state, step }, '');
    },
    /** Goes back to the previous step. Returns false if the user did not come from one. */
    goBack(): boolean {
      const forward = history.state?.forward === true;
      if (forward) history.back();
      return forward;
    },
  };
}
