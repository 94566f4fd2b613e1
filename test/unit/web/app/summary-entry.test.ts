import { signal } from '@preact/signals';
import type { NewRequest } from '../../../../web/app/new/new-request.ts';
import { summaryEntry } from '../../../../web/app/new/summary-entry.ts';
import { fakeHistory } from '../fake-history.ts';

/** A page with a new request, which can go on to the summary while it is complete. */
function stage() {
  const page: { readyState: DocumentReadyState } = { readyState: 'complete' };
  const browser = Object.assign(new EventTarget(), { document: page });
  const history = fakeHistory(browser);
  const step: NewRequest['step'] = signal('editing');
  const state = { isComplete: true };
  const request = {
    step,
    async review() {
      if (state.isComplete) step.value = 'reviewing';
      return state.isComplete;
    },
    backToEditing() {
      if (step.peek() === 'reviewing') step.value = 'editing';
    },
  };
  const open = () => {
    const entry = summaryEntry(request, history, browser);
    return { entry, close: entry.follow() };
  };
  return { browser, history, page, request, step, state, open };
}
const pause = () => new Promise(setImmediate);

it('the browser’s buttons lead back from the summary to the form, and forward again', async () => {
  const { history, request, step, open } = stage();
  open();
  await request.review();
  history.back();
  expect(step.value).toBe('editing');
  history.forward();
  await pause();
  expect(step.value).toBe('reviewing');
  expect(history.entries).toHaveLength(2);
});

it('the page’s own back button uses the same history entry', async () => {
  const { history, request, step, open } = stage();
  open();
  await request.review();
  request.backToEditing();
  expect([step.value, history.entries]).toEqual(['editing', [null]]);
});

it('the forward button does not lead to the summary of an incomplete draft', async () => {
  const { history, request, step, state, open } = stage();
  open();
  await request.review();
  history.back();
  state.isComplete = false;
  history.forward();
  await pause();
  expect([step.value, history.entries]).toEqual(['editing', [null]]);
});

it('a reload of the summary leads to the form', async () => {
  const { history, request, step, open } = stage();
  const { close } = open();
  await request.review();
  close();
  step.value = 'editing';
  open();
  expect(history.entries).toEqual([null]);
});

it('a reload leads to the form only once the page is loaded, and not if the summary is open again by then', async () => {
  for (const isReviewedAgain of [false, true]) {
    const { browser, history, page, request, step, open } = stage();
    const { close } = open();
    await request.review();
    close();
    step.value = 'editing';
    page.readyState = 'interactive';
    open();
    if (isReviewedAgain) await request.review();
    const before = history.entries.length;
    page.readyState = 'complete';
    browser.dispatchEvent(new Event('load'));
    expect(before - history.entries.length).toBe(isReviewedAgain ? 0 : 1);
    expect(step.value).toBe(isReviewedAgain ? 'reviewing' : 'editing');
  }
});

it('going back while the request is sent shows the summary until the outcome is known, with an entry if it failed', async () => {
  const { history, request, step, open } = stage();
  open();
  await request.review();
  step.value = 'sending';
  history.back();
  expect(step.value).toBe('sending');
  step.value = 'reviewing';
  expect(history.entries).toHaveLength(2);
});

it('a sent request replaces its form in the history', async () => {
  const { history, request, step, open } = stage();
  const { entry } = open();
  await request.review();
  step.value = 'sending';
  await entry.leave();
  expect(history.entries).toEqual([null]);
  await entry.leave();
  expect(history.entries).toEqual([null]);
});
