/** The history of a tab, which tells `browser` when its user goes back or forward. */
export function fakeHistory(browser = new EventTarget()) {
  const entries: unknown[] = [null];
  let at = 0;
  const go = (to: number) => {
    at = to;
    browser.dispatchEvent(new Event('popstate'));
  };
  return {
    get entries() {
      return entries.slice(0, at + 1);
    },
    get state() {
      return entries[at];
    },
    pushState: (state: unknown) => {
      at += 1;
      entries.splice(at, Number.POSITIVE_INFINITY, state);
    },
    replaceState: (state: unknown) => {
      entries[at] = state;
    },
    back: () => go(at - 1),
    forward: () => go(at + 1),
  };
}
