import { render } from 'preact';
import { App } from './app.tsx';
import { firstLocale, speak } from './language.ts';
import { browserMemory, tabMemory } from './memory.ts';
import { forgetDrafts } from './new/draft-store.ts';
import { Session } from './session.ts';

const session = new Session({
  baseUrl: location.origin,
  fetch: window.fetch.bind(window),
  memory: tabMemory,
  restart() {
    void forgetDrafts().finally(() => location.assign('/app'));
  },
});

const root = document.getElementById('page');
void session.start();
await speak(firstLocale(browserMemory, navigator.languages));
if (root) render(<App session={session} />, root);
