import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Locale } from '../../shared/contract/fields.ts';
import { type Invited, SigningStage } from '../support/signing-stage.ts';
import { launchBrowser, picture, type Visit, visit } from './browser.ts';
import { contractPdf } from './pdfs.ts';
import { Signer } from './signer.ts';

/** A person in front of a browser, with what the mail said. */
export interface Visitor {
  visit: Visit;
  signer: Signer;
  person: Invited;
  link: string;
  code: string;
}

/** On a busy machine every step takes its time. */
const PATIENCE = 25_000;

/** The page before the whole service: one browser and one service for a file of tests, a context for each person. */
export function realStage() {
  let browser: Browser;
  let stage: SigningStage;
  const open: Visit[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    stage = await SigningStage.open(await contractPdf());
  }, 120_000);
  afterEach(async () => {
    for (const visitor of open.splice(0)) await visitor.close();
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  return {
    get stage() {
      return stage;
    },
    /** The person takes link and code out of the newest mail, and sits down at a device. */
    async receive(person: Invited, locale: Locale = 'en', options?: BrowserContextOptions): Promise<Visitor> {
      const visitor = await visit(browser, options);
      visitor.page.setDefaultTimeout(PATIENCE);
      open.push(visitor);
      const signer = new Signer(visitor.page, locale);
      return { visit: visitor, signer, person, ...this.mailTo(person) };
    },
    mailTo({ email }: Invited): { link: string; code: string } {
      const text = stage.service.mails(email)[0]?.text ?? '';
      const [link = ''] = /http\S+\/sign\/[\w-]+/.exec(text) ?? [];
      return { link, code: /\b\d{6}\b/.exec(text)?.[0] ?? '' };
    },
  };
}

export const look = (visitor: Visitor, name: string) => picture(visitor.visit.page, `real/${name}`, true);

export async function toDocument({ signer, link, code }: Visitor) {
  await signer.open(link);
  await signer.enterCode(code);
  await signer.readDocument();
}

export async function toSigning(visitor: Visitor) {
  await toDocument(visitor);
  await visitor.signer.toSign();
}
