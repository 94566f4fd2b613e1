import type { Browser, BrowserContextOptions } from 'playwright-core';
import { CONSENT_TEXTS, type Locale } from '../../shared/texts/languages.ts';
import { CODE, FakeSignerApi } from '../support/fake-signer-api.ts';
import { launchBrowser, openTab, type Tab } from './browser.ts';
import { contractPdf } from './pdfs.ts';
import { Signer } from './signer.ts';

export interface PageSetup {
  fake: FakeSignerApi;
  signer: Signer;
  tab: Tab;
}

/** The scene of a signer who has read the document and may sign. */
export async function atSigning(scene: PageSetup): Promise<PageSetup> {
  const { fake, signer } = scene;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.toSign();
  return scene;
}

/** The page over the fake API: one browser for each test file, and a server and browser context for each test. */
export function pageSetup(browserOptions: { largeLetters?: boolean } = {}) {
  let browser: Browser;
  let contract: Uint8Array;
  const open: PageSetup[] = [];

  beforeAll(async () => {
    [browser, contract] = await Promise.all([launchBrowser(browserOptions), contractPdf()]);
  });
  afterEach(async () => {
    for (const scene of open.splice(0)) {
      await scene.tab.close();
      await scene.fake.stop();
    }
  });
  afterAll(() => browser?.close());

  return async (options?: BrowserContextOptions, locale: Locale = 'en'): Promise<PageSetup> => {
    const fake = await FakeSignerApi.start(contract);
    fake.view.consent = { ...fake.view.consent, locale, text: CONSENT_TEXTS[locale] };
    const tab = await openTab(browser, options);
    const scene = { fake, tab, signer: new Signer(tab.page, locale) };
    open.push(scene);
    return scene;
  };
}
