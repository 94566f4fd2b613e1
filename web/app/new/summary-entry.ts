import { effect } from '@preact/signals';
import { stepHistory, type TabHistory } from '../../parts/step-history.ts';
import type { NewRequest } from './new-request.ts';

type Browser = Pick<EventTarget, 'addEventListener'> & { document: Pick<Document, 'readyState'> };

/** Gives the summary its own history entry, so that the back button leads from the summary to the form. */
export function summaryEntry(
  request: Pick<NewRequest, 'step' | 'review' | 'backToEditing'>,
  history: TabHistory,
  browser: Browser,
) {
  const { step } = request;
  const steps = stepHistory(history, ['reviewing']);

  const leaveSummary = () => {
    if (step.peek() === 'editing' && steps.current()) steps.goBack();
  };
  /** Going back while the page loads would interrupt that. */
  const onceLoaded = (act: () => void) => {
    if (browser.document.readyState === 'complete') act();
    else browser.addEventListener('load', act, { once: true });
  };
  const navigated = async () => {
    if (!steps.current()) return request.backToEditing();
    if (step.peek() === 'editing') await request.review();
    // The form is incomplete by now.
    if (step.peek() === 'editing') steps.goBack();
  };

  return {
    /** Keeps the history entry and the step in sync. Returns a function that stops this. */
    follow(): () => void {
      const ending = new AbortController();
      browser.addEventListener('popstate', () => void navigated(), { signal: ending.signal });
      const stop = effect(() => {
        if (step.value !== 'editing') steps.enter('reviewing', 'push');
        // After the page's own back button, and after a reload, which starts with the form.
        else if (steps.current()) onceLoaded(leaveSummary);
      });
      return () => {
        ending.abort();
        stop();
      };
    },

    /** Goes back to the form's entry, which the sent request then replaces: back must not show an empty form. */
    leave: (): Promise<void> =>
      new Promise((resolve) => {
        if (!steps.current()) return resolve();
        browser.addEventListener('popstate', () => resolve(), { once: true });
        steps.goBack();
      }),
  };
}
