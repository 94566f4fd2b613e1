import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { APP_TEXTS } from '../../shared/texts/app-texts.ts';
import { LOCALES, type Locale } from '../../shared/texts/languages.ts';
import { first, SigningStage } from '../support/signing-stage.ts';
import { until } from '../support/until.ts';
import {
  accessibilityFindings,
  DESKTOP,
  launchBrowser,
  openTab,
  PHONE,
  SMALL_PHONE,
  screenshot,
  type Tab,
} from './browser.ts';
import { expectFits } from './layout.ts';
import { contractPdf } from './pdfs.ts';

const USER = 'office@example.com';
const STEP_MS = 25_000;
const texts = APP_TEXTS.en;

let browser: Browser;
let stage: SigningStage;
let contract: Buffer;
const open: Tab[] = [];

beforeAll(async () => {
  contract = Buffer.from(await contractPdf());
  [browser, stage] = await Promise.all([launchBrowser(), SigningStage.open(contract)]);
  const owner = stage.client.ownerId;
  await stage.service.admin('user', 'create', '--email', USER, '--org', owner, '--role', 'admin');
}, 120_000);
afterEach(async () => {
  for (const tab of open.splice(0)) {
    expect(tab.errors).toEqual([]);
    await tab.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const sees = (page: Page, heading: string) =>
  page.getByRole('heading', { name: heading, exact: true }).waitFor();
const check = async (page: Page, step: string) => {
  await screenshot(page, `dashboard-${step}`, true);
  expect({ step, findings: await accessibilityFindings(page) }).toEqual({ step, findings: [] });
};

async function enterCode(page: Page, { signIn } = texts) {
  const earlier = stage.service.mails(USER).length;
  await button(page, signIn.send);
  const [mail] = await until(() => {
    const mails = stage.service.mails(USER);
    return mails.length > earlier && mails;
  }, 'the mail with the code');
  await page.getByLabel(signIn.code).fill(/\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '');
  await button(page, signIn.submit);
}

/** A tab in which the user acts for the organization. */
async function signedIn(
  options: BrowserContextOptions = DESKTOP,
  path = '/app',
  locale: Locale = 'en',
): Promise<Page> {
  const tab = await openTab(browser, options);
  open.push(tab);
  const { page } = tab;
  page.setDefaultTimeout(STEP_MS);
  await page.goto(`${stage.service.baseUrl}${path}`);
  const words = APP_TEXTS[locale];
  await page.getByLabel(words.signIn.email).fill(USER);
  await enterCode(page, words);
  await page.getByRole('navigation', { name: words.nav.label }).waitFor();
  return page;
}

it('a person signs in, sends, corrects, sends again, cancels and finds a request by what the page says', async () => {
  const page = await signedIn();
  await sees(page, texts.list.empty);
  await check(page, '1-empty');
  await page.getByRole('link', { name: texts.list.first }).click();
  await page.getByLabel(texts.create.document).setInputFiles({
    name: 'Lease_2026.pdf',
    mimeType: 'application/pdf',
    buffer: contract,
  });
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  expect(await page.getByLabel(texts.create.title).inputValue()).toBe('Lease 2026');
  await page.getByLabel(texts.create.email).focus();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'Ann <ann@example.com>, Bob Berg <bob@exmaple.com>');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await page.getByText(texts.create.pasted(2)).waitFor();
  await check(page, '2-new');
  await page.reload();
  expect(await page.locator('#email-1').inputValue()).toBe('bob@exmaple.com');
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  await button(page, texts.create.toReview);
  await sees(page, texts.create.review.heading);
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  await check(page, '3-review');
  await page.getByRole('button', { name: texts.create.review.send(2) }).dblclick();

  await sees(page, 'Lease 2026');
  await page.getByText(texts.request.standing.awaited('Ann and Bob Berg', '').split(',')[0] ?? '').waitFor();
  await check(page, '4-request');
  const bob = page.getByRole('article', { name: 'Bob Berg' });
  await bob.getByRole('button', { name: texts.request.correct }).click();
  await page.locator('dialog').getByLabel(texts.create.email).fill('bob@example.com');
  await check(page, '5-correct');
  await button(page, texts.request.correcting.submit);
  await bob.getByText('bob@example.com').waitFor();
  expect(stage.service.mails('bob@example.com')).toHaveLength(1);
  await bob.getByRole('button', { name: texts.request.remind }).click();
  await bob.getByText(texts.request.mails.resend).waitFor();

  await button(page, texts.request.more);
  await button(page, texts.request.cancel);
  await page.getByLabel(texts.request.cancelling.reason).fill('Wrong rent');
  await button(page, texts.request.cancelling.submit);
  await page.getByText(texts.statuses.cancelled, { exact: true }).waitFor();
  await page.getByRole('link', { name: texts.request.back }).click();
  await page.getByLabel(texts.list.search, { exact: true }).fill('lea');
  await page.waitForURL(/title_prefix=lea/);
  await page.getByRole('link', { name: 'Lease 2026' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByLabel(texts.list.search, { exact: true }).fill('nothing of that name');
  await page.getByText(texts.list.nothingFound).waitFor();
}, 120_000);

it('a request that is signed meanwhile shows it by itself, and its sealed document is downloaded', async () => {
  const { id, signers } = await stage.send(1, { title: 'Minutes' });
  const page = await signedIn(PHONE, `/app/requests/${id}`);
  await page.getByText(texts.statuses.sent, { exact: true }).waitFor();
  await stage.sign(first(signers));
  await stage.untilStatus(id, 'signed');
  await page.getByText(texts.statuses.signed, { exact: true }).first().waitFor();
  await check(page, '6-signed-phone');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, texts.request.download)]);
  expect(await readFile(await download.path())).toEqual(Buffer.from(await stage.sealedDocument(id)));
}, 120_000);

it('an ended session is said over the page, and what was entered goes on after the next sign-in', async () => {
  await stage.send(1, { title: 'Offer' });
  const page = await signedIn(PHONE, '/app/new');
  await page.getByLabel(texts.create.title).fill('Kept');
  await page.evaluate(async () => {
    const init = { method: 'POST', headers: { 'x-requested-with': 'app' } };
    await fetch('/api/app/v1/sign-out', init);
  });
  await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
  await sees(page, texts.signIn.endedHeading);
  await check(page, '7-ended-phone');
  await enterCode(page);
  await sees(page, texts.list.heading);
  await page.getByRole('link', { name: 'Offer' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: texts.nav.create }).click();
  expect(await page.getByLabel(texts.create.title).inputValue()).toBe('Kept');
}, 60_000);

it('a key that is made in the settings works, and each section has no finding in dark mode', async () => {
  const page = await signedIn({ ...DESKTOP, colorScheme: 'dark' }, '/app/settings/keys');
  await page.getByLabel(texts.settings.keys.name, { exact: true }).fill('Shop');
  await button(page, texts.settings.keys.create);
  const key = await page.locator('dialog output').textContent();
  await check(page, '8-key-dark');
  const answer = await fetch(`${stage.service.baseUrl}/api/v1/signatures`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  await button(page, texts.settings.secretKept);
  for (const section of ['webhooks', 'members', 'brand', 'notices', 'sessions'] as const) {
    await page.getByRole('link', { name: texts.settings.sections[section] }).click();
    await page.getByRole('region', { name: texts.settings.sections[section] }).waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    await check(page, `9-${section}-dark`);
  }
}, 60_000);

it('the page loads at most 45 KB of scripts and one language, and pdf.js only with a document', async () => {
  const page = await signedIn();
  const sizes: number[] = [];
  const paths: string[] = [];
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script') return;
    paths.push(new URL(response.url()).pathname);
    sizes.push(gzipSync(await response.body()).length);
  });
  await page.goto(`${stage.service.baseUrl}/app/settings`, { waitUntil: 'networkidle' });
  expect(paths.filter((path) => path.includes('pdf'))).toEqual([]);
  expect(sizes).toHaveLength(paths.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(20_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(45_000);
}, 60_000);

it.each(LOCALES)(
  'every page in %s fits a screen 320 pixels wide',
  async (locale) => {
    const page = await signedIn({ ...SMALL_PHONE, locale }, '/app', locale);
    for (const path of ['/app', '/app/new', '/app/settings/keys', '/app/settings/members']) {
      await page.goto(`${stage.service.baseUrl}${path}`);
      await page.locator('.loading').waitFor({ state: 'detached' });
      await page.locator('h1').waitFor();
      await expectFits(page, 320);
      await screenshot(page, `dashboard-small-${locale}${path.replaceAll('/', '-')}`, true);
    }
  },
  60_000,
);
