import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Locale } from '../../shared/texts/languages.ts';
import { type Invited, SigningStage } from '../support/signing-stage.ts';
import { launchBrowser, openTab, screenshot, type Tab } from './browser.ts';
import { contractPdf } from './pdfs.ts';
import { Signer } from './signer.ts';

/** A signer with an open tab, and with the link and code from the newest mail. */
export interface Visitor {
  tab: Tab;
  signer: Signer;
  person: Invited;
  link: string;
  code: string;
}

/** Long enough for a busy machine. */
const STEP_TIMEOUT_MS = 25_000;

/** The page over the whole service: one browser and one service for each test file, a browser context for each signer. */
export function serviceSetup() {
  let browser: Browser;
  let stage: SigningStage;
  const open: Tab[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    stage = await SigningStage.open(await contractPdf());
  }, 120_000);
  afterEach(async () => {
    for (const tab of open.splice(0)) await tab.close();
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  return {
    get stage() {
      return stage;
    },
    /** Reads link and code from the person's newest mail, and opens an empty tab for the link. */
    async openMail(
      person: Invited,
      locale: Locale = 'en',
      options?: BrowserContextOptions,
    ): Promise<Visitor> {
      const tab = await openTab(browser, options);
      tab.page.setDefaultTimeout(STEP_TIMEOUT_MS);
      open.push(tab);
      const signer = new Signer(tab.page, locale);
      return { tab, signer, person, ...this.newestMail(person) };
    },
    newestMail({ email }: Invited): { link: string; code: string } {
      const text = stage.service.mails(email)[0]?.text ?? '';
      const [link = ''] = /http\S+\/sign\/[\w-]+/.exec(text) ?? [];
      return { link, code: /\b\d{6}\b/.exec(text)?.[0] ?? '' };
    },
  };
}

/** The link of a mail's button. */
export const copyLinkIn = (text: string): string => /http\S+\/sign\/copy#[\w-]+/.exec(text)?.[0] ?? '';

export const takeScreenshot = (visitor: Visitor, name: string) =>
  screenshot(visitor.tab.page, `real/${name}`, true);

export async function toDocument({ signer, link, code }: Visitor) {
  await signer.open(link);
  await signer.enterCode(code);
  await signer.readDocument();
}

export async function toSigning(visitor: Visitor) {
  await toDocument(visitor);
  await visitor.signer.toSign();
}
