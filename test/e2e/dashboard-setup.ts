import type { Browser, BrowserContextOptions, Cookie, Page } from 'playwright-core';
import { DAY } from '../../shared/runtime/time.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { APP_TEXTS } from '../support/app-texts.ts';
import { SigningStage } from '../support/signing-stage.ts';
import { until } from '../support/until.ts';
import { accessibilityFindings, DESKTOP, launchBrowser, openTab, screenshot, type Tab } from './browser.ts';
import { contractPdf } from './pdfs.ts';

export const USER = 'office@example.com';
export const texts = APP_TEXTS.en;
const STEP_MS = 25_000;

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** By the keyboard: a click so soon after “Check and send”, close to its place, counts as the second of a double one. */
export const send = (page: Page) =>
  page.getByRole('button', { name: texts.create.review.send(1), exact: true }).press('Enter');
export const sees = (page: Page, heading: string) =>
  page.getByRole('heading', { name: heading, exact: true }).waitFor();

/** Takes a picture of the page, and finds nothing that keeps people out. */
export const check = async (page: Page, step: string) => {
  await screenshot(page, `dashboard-${step}`, true);
  expect({ step, findings: await accessibilityFindings(page) }).toEqual({ step, findings: [] });
};

/** Whether the page kept the browser from leaving it for the file: while that is dragged over it, and when it is dropped. */
export const drop = (page: Page, name: string, base64: string) =>
  page.evaluate(
    ([called = '', content = '']) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], called));
      return ['dragover', 'drop'].map(
        (type) =>
          !document.body.dispatchEvent(
            new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
          ),
      );
    },
    [name, base64],
  );

/** The dashboard over the whole service, with an administrator of an organization that can send. */
export function dashboardSetup(browserOptions: { largeLetters?: boolean } = {}) {
  let browser: Browser;
  let stage: SigningStage;
  let contract: Buffer;
  const open: Tab[] = [];
  let codes = 0;
  /** Of the last sign-in. */
  let cookies: Cookie[] = [];

  beforeAll(async () => {
    contract = Buffer.from(await contractPdf());
    [browser, stage] = await Promise.all([launchBrowser(browserOptions), SigningStage.open(contract)]);
    const owner = stage.client.ownerId;
    await stage.service.admin('user', 'create', '--email', USER, '--org', owner, '--role', 'admin');
  }, 120_000);
  afterEach(async () => {
    for (const tab of open.splice(0)) {
      expect(tab.errors).toEqual([]);
      await tab.close();
    }
    // A test needs a few codes, and an address gets twenty a day.
    if (codes > 15) {
      stage.service.advance(DAY);
      codes = 0;
    }
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  /** Asks for a code, and reads it in the mail. */
  const mailedCode = async (page: Page, { signIn } = texts) => {
    codes += 1;
    const earlier = stage.service.mails(USER).length;
    await button(page, signIn.send);
    const [mail] = await until(() => {
      const mails = stage.service.mails(USER);
      return mails.length > earlier && mails;
    }, 'the mail with the code');
    return /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
  };
  const enterCode = async (page: Page, words = texts) => {
    await page.getByLabel(words.signIn.code).fill(await mailedCode(page, words));
    await button(page, words.signIn.submit);
  };

  const navigationOf = (page: Page, { nav } = texts) => page.getByRole('navigation', { name: nav.label });
  const signIn = async (page: Page, words = texts) => {
    await page.getByLabel(words.email).fill(USER);
    await enterCode(page, words);
    await navigationOf(page, words).waitFor();
    cookies = await page.context().cookies();
  };

  return {
    get stage() {
      return stage;
    },
    get contract() {
      return contract;
    },
    mailedCode,
    enterCode,
    /** Chooses a document of this name, for one signer. */
    async fillIn(page: Page, title: string, email: string, buffer = contract): Promise<void> {
      await page
        .getByLabel(texts.create.document)
        .setInputFiles({ name: `${title}.pdf`, mimeType: 'application/pdf', buffer });
      await page.getByLabel(texts.email).fill(email);
    },
    async visit(path: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
      const tab = await openTab(browser, options);
      open.push(tab);
      tab.page.setDefaultTimeout(STEP_MS);
      await tab.page.goto(`${stage.service.baseUrl}${path}`);
      return tab.page;
    },
    /** A tab in which the user acts for the organization, with the session of an earlier one while that lasts. */
    async signedIn(
      options: BrowserContextOptions = DESKTOP,
      path = '/app',
      locale: Locale = 'en',
    ): Promise<Page> {
      const page = await this.visit(path, { ...options, storageState: { cookies, origins: [] } });
      const words = APP_TEXTS[locale];
      const navigation = navigationOf(page, words);
      await navigation.or(page.getByRole('button', { name: words.signIn.send, exact: true })).waitFor();
      if (!(await navigation.isVisible())) await signIn(page, words);
      return page;
    },
    /** A tab with a session of its own. */
    async newlySignedIn(options: BrowserContextOptions, path = '/app'): Promise<Page> {
      const page = await this.visit(path, options);
      await signIn(page);
      return page;
    },
  };
}
