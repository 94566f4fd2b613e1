import { render } from 'preact';
import { firstLocale } from '../parts/language.ts';
import { pageRoot } from '../parts/page-root.ts';
import { App } from './app.tsx';
import { loadLanguage } from './language.ts';
import { browserMemory, ownMemory, tabMemory } from './memory.ts';
import { forgetDrafts } from './new/draft-store.ts';
import { Session } from './session.ts';
import { forgetAttempt } from './shell/open-attempt.ts';

const session = new Session({
  baseUrl: location.origin,
  fetch: window.fetch.bind(window),
  memory: tabMemory,
  restart(userId, onStay) {
    forgetAttempt(ownMemory);
    // The timer waits while the browser asks whether to leave.
    const wasAsked = (event: Event) => event.defaultPrevented && setTimeout(() => onStay?.());
    addEventListener('beforeunload', wasAsked, { once: true });
    void forgetDrafts(userId).finally(() => location.assign('/app'));
  },
});

// A page from the back/forward cache may belong to a user who has signed out since.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

/** No top-level await: the bundler would move what lazy chunks share with this file into a third file. */
async function show() {
  // Without texts, the static document stays; it says that the page has not loaded.
  const isLoaded = await loadLanguage(firstLocale(browserMemory, navigator.languages)).catch(() => false);
  const root = isLoaded ? pageRoot() : null;
  if (root) render(<App session={session} />, root);
}

void session.start();
void show();
