import { render } from 'preact';
import { firstLocale } from '../parts/language.ts';
import { pageRoot } from '../parts/page-root.ts';
import { App } from './app.tsx';
import { speak } from './language.ts';
import { browserMemory, ownMemory, tabMemory } from './memory.ts';
import { forgetDrafts } from './new/draft-store.ts';
import { Session } from './session.ts';
import { forgetAttempt } from './shell/open-attempt.ts';

const session = new Session({
  baseUrl: location.origin,
  fetch: window.fetch.bind(window),
  memory: tabMemory,
  restart(userId) {
    forgetAttempt(ownMemory);
    void forgetDrafts(userId).finally(() => location.assign('/app'));
  },
});

// The browser shows a page that it kept as it was, and its user may have signed out meanwhile.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

/** Nothing is awaited outside of a function: what a later file shares with this one would become a third file. */
async function show() {
  // Without its words the page stays as the document has it, which says that it has not loaded.
  const isSpoken = await speak(firstLocale(browserMemory, navigator.languages)).catch(() => false);
  const root = isSpoken ? pageRoot() : null;
  if (root) render(<App session={session} />, root);
}

void session.start();
void show();
