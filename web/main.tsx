import { render } from 'preact';
import { SignerApi } from './api.ts';
import { App } from './app.tsx';
import { Conductor } from './flow/conductor.ts';
import { browserMemory, stepOf } from './flow/memory.ts';
import { pdfName } from './format.ts';
import { preferredLocale } from './language.ts';
import { drawingPng } from './signature/png.ts';

/** The link's last part. It stays in the address, so that a reload works, and goes to our own service in a header only. */
const token = location.pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';

let serverAhead = 0;
let endPause = () => {};

const api = new SignerApi(token, {
  fetch: window.fetch.bind(window),
  isOnline: () => navigator.onLine,
  pause: (ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    }),
  onConnection: (lost) => conductor.connectionChanged(lost),
  onServerTime: (now) => {
    serverAhead = now - Date.now();
  },
});

function savePdf(bytes: Uint8Array<ArrayBuffer>, filename: string) {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = pdfName(filename);
  link.click();
  // Some phones ask first and read later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const conductor = new Conductor(
  api,
  browserMemory(history, () => sessionStorage),
  {
    now: () => Date.now() + serverAhead,
    later: (ms, work) => void setTimeout(work, ms),
    isVisible: () => document.visibilityState === 'visible',
    drawingPng: (draft) => drawingPng(draft.drawing),
    savePdf,
  },
  preferredLocale(navigator.languages),
);

history.scrollRestoration = 'manual';
window.addEventListener('popstate', (event) => conductor.wentTo(stepOf(event.state)));
window.addEventListener('online', () => endPause());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void conductor.lookAgain();
});

const root = document.getElementById('page');
if (root) render(<App conductor={conductor} tryNow={() => endPause()} />, root);
void conductor.start();
