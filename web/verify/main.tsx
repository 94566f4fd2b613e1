import { render } from 'preact';
import { preferredLocale } from '../parts/language.ts';
import { pageRoot } from '../parts/page-root.ts';
import { App } from './app.tsx';
import { checkInWorker } from './check.ts';

// A file dropped beside its field would replace the page.
for (const type of ['dragover', 'drop']) {
  window.addEventListener(type, (event) => {
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
  });
}

const root = pageRoot();
if (root) render(<App check={checkInWorker} firstLocale={preferredLocale(navigator.languages)} />, root);
