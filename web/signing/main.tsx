import { render } from 'preact';
import { preferredLocale } from '../parts/language.ts';
import { pageRoot } from '../parts/page-root.ts';
import { savePdf } from '../parts/save-pdf.ts';
import { SignerApi } from './api.ts';
import { App } from './app.tsx';
import { showCopyPage } from './copy/show.tsx';
import { SigningController } from './flow/controller.ts';
import { browserMemory } from './flow/memory.ts';
import { browserNetwork } from './network.ts';
import { drawingPng } from './signature/png.ts';

const memory = browserMemory(history, () => sessionStorage);
const browserLocale = preferredLocale(navigator.languages);

function showSigningPage(token: string, root: HTMLElement) {
  let serverAheadMs = 0;
  const { network, tryNow } = browserNetwork({
    onDelay: (delay) => controller.delayed(delay),
    onServerTime: (now) => {
      serverAheadMs = now - Date.now();
    },
  });
  const controller = new SigningController(
    new SignerApi({ 'X-Signing-Token': token }, network),
    memory,
    {
      now: () => Date.now() + serverAheadMs,
      setTimer: (ms, work) => void setTimeout(work, ms),
      isVisible: () => document.visibilityState === 'visible',
      drawingPng: (draft) => drawingPng(draft.drawing),
      savePdf,
    },
    browserLocale,
  );

  history.scrollRestoration = 'manual';
  window.addEventListener('popstate', () => controller.browserNavigated(memory.rememberedStep()));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void controller.refresh();
  });
  render(<App controller={controller} tryNow={tryNow} />, root);
  void controller.start();
}

// Some mail gateways encode the “#” of links that they rewrite.
if (location.pathname.startsWith('/sign/copy%23'))
  history.replaceState(null, '', location.pathname.replace('%23', '#'));

/** The link's token, without what mail programs add. It stays in the URL for reloads; calls send it in a header only. */
const [, token = ''] = /^\/sign\/([\w-]+)/.exec(location.pathname) ?? [];
const root = pageRoot();
if (root && token === 'copy') showCopyPage(root, memory, browserLocale);
else if (root) showSigningPage(token, root);
