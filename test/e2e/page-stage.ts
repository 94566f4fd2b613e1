import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Locale } from '../../shared/contract/fields.ts';
import { FakeSignerApi } from '../support/fake-signer-api.ts';
import { launchBrowser, type Visit, visit } from './browser.ts';
import { contractPdf } from './pdfs.ts';
import { Signer } from './signer.ts';

export interface Scene {
  fake: FakeSignerApi;
  signer: Signer;
  visit: Visit;
}

/** A page before the fake API: one browser for a file of tests, one server and one context for each test. */
export function stage(browserOptions: { largeLetters?: boolean } = {}) {
  let browser: Browser;
  let contract: Uint8Array;
  const open: Scene[] = [];

  beforeAll(async () => {
    [browser, contract] = await Promise.all([launchBrowser(browserOptions), contractPdf()]);
  });
  afterEach(async () => {
    for (const scene of open.splice(0)) {
      await scene.visit.close();
      await scene.fake.stop();
    }
  });
  afterAll(() => browser?.close());

  return async (options?: BrowserContextOptions, locale: Locale = 'en'): Promise<Scene> => {
    const fake = await FakeSignerApi.start(contract);
    const visitor = await visit(browser, options);
    const scene = { fake, visit: visitor, signer: new Signer(visitor.page, locale) };
    open.push(scene);
    return scene;
  };
}
