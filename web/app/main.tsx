import { render } from 'preact';
import { App } from './app.tsx';
import { firstLocale, speak } from './language.ts';
import { forgetDrafts } from './new/draft-store.ts';
import { Session } from './session.ts';

/** Of this tab alone; a new tab starts with what the last one chose. */
const memory = {
  getItem: (key: string) => sessionStorage.getItem(key) ?? localStorage.getItem(key),
  setItem(key: string, value: string) {
    sessionStorage.setItem(key, value);
    localStorage.setItem(key, value);
  },
};

const session = new Session({
  baseUrl: location.origin,
  fetch: window.fetch.bind(window),
  memory,
  restart() {
    void forgetDrafts().finally(() => location.assign('/app'));
  },
});

const root = document.getElementById('page');
await Promise.all([speak(firstLocale(localStorage, navigator.languages)), session.start()]);
if (root) render(<App session={session} />, root);
