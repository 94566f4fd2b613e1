import { render } from 'preact';
import type { Locale } from '../../../shared/texts/languages.ts';
import { savePdf } from '../../parts/save-pdf.ts';
import { SignerApi } from '../api.ts';
import type { Memory } from '../flow/memory.ts';
import { browserNetwork } from '../network.ts';
import { CopyController } from './copy.ts';
import { CopyPage } from './page.tsx';

/** Shows the page that the mail with the sealed document links to. The link's token is in the URL's fragment. */
export function showCopyPage(
  root: HTMLElement,
  memory: Pick<Memory, 'loadLanguage' | 'saveLanguage'>,
  browserLocale: Locale,
) {
  const { network, tryNow } = browserNetwork({
    onDelay: (delay) => controller.delayed(delay),
    onServerTime: () => undefined,
  });
  // Kept here too: the browser may deny the memory.
  let chosen = memory.loadLanguage();
  const chooseLanguage = (locale: Locale) => {
    chosen = locale;
    memory.saveLanguage(locale);
    redraw();
  };
  const redraw = () => {
    const locale = chosen ?? controller.locale ?? browserLocale;
    document.documentElement.lang = locale;
    render(<CopyPage {...{ controller, locale, chooseLanguage, tryNow }} />, root);
  };
  const [, token = ''] = /^#([\w-]+)/.exec(location.hash) ?? [];
  const api = new SignerApi({ 'X-Copy-Token': token }, network);
  const controller = new CopyController(api, { savePdf, openedBefore }, redraw);
  // Opening another link in the same tab changes only the fragment.
  window.addEventListener('hashchange', () => location.reload());
  redraw();
  void controller.start();
}

function openedBefore(): boolean {
  const before = history.state?.opened === true;
  history.replaceState({ opened: true }, '');
  return before;
}
