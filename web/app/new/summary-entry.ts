import { effect } from '@preact/signals';
import { stepHistory, type TabHistory } from '../../parts/step-history.ts';
import type { NewRequest } from './new-request.ts';

type Browser = Pick<EventTarget, 'addEventListener'> & { document: Pick<Document, 'readyState'> };

/** Gives the summary its own history entry, so that the back button leads from the summary to the form. */
export class SummaryEntry {
  readonly #request: Pick<NewRequest, 'step' | 'review' | 'backToEditing'>;
  readonly #steps;
  readonly #browser: Browser;

  constructor(
    request: Pick<NewRequest, 'step' | 'review' | 'backToEditing'>,
    history: TabHistory,
    browser: Browser,
  ) {
    this.#request = request;
    this.#steps = stepHistory(history, ['reviewing']);
    this.#browser = browser;
  }

  /** Keeps the history entry and the step in sync. Returns a function that stops this. */
  follow(): () => void {
    const ending = new AbortController();
    this.#browser.addEventListener('popstate', () => void this.#navigated(), { signal: ending.signal });
    const stop = effect(() => {
      if (this.#request.step.value !== 'editing') this.#steps.enter('reviewing', 'push');
      // After the page's own back button, and after a reload, which starts with the form.
      else if (this.#steps.current()) this.#onceLoaded(() => this.#leaveSummary());
    });
    return () => {
      ending.abort();
      stop();
    };
  }

  /** Goes back to the form's entry, which the sent request then replaces: back must not show an empty form. */
  leave(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#steps.current()) return resolve();
      this.#browser.addEventListener('popstate', () => resolve(), { once: true });
      this.#steps.goBack();
    });
  }

  #leaveSummary(): void {
    if (this.#request.step.peek() === 'editing' && this.#steps.current()) this.#steps.goBack();
  }

  /** Going back while the page loads would interrupt that. */
  #onceLoaded(act: () => void): void {
    if (this.#browser.document.readyState === 'complete') act();
    else this.#browser.addEventListener('load', act, { once: true });
  }

  async #navigated() {
    const { step } = this.#request;
    if (!this.#steps.current()) return this.#request.backToEditing();
    if (step.peek() === 'editing') await this.#request.review();
    // The form is incomplete by now.
    if (step.peek() === 'editing') this.#steps.goBack();
  }
}
