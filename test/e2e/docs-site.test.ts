import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { DOCS_POLICY } from '../../infra/edge/policies.ts';
import {
  accessibilityFindings,
  DESKTOP,
  launchBrowser,
  openTab,
  SMALL_PHONE,
  screenshot,
  type Tab,
} from './browser.ts';
import { expectFits } from './layout.ts';

const WEB = join(import.meta.dirname, '../../build/web');
const ORIGIN = 'https://docs.example.com';

/** One of each kind. */
const PAGES = ['', 'quick-start', 'notices', 'reference/signature-requests', 'reference/states'];
const DARK: BrowserContextOptions = { ...DESKTOP, colorScheme: 'dark' };

let browser: Browser;
const open: Tab[] = [];
beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(async () => {
  for (const tab of open.splice(0)) {
    // Among them whatever the policy refuses.
    expect(tab.errors).toEqual([]);
    await tab.close();
  }
});
afterAll(() => browser?.close());

/** A tab that gets the built files with the policy of the edge. */
async function openDocs(options: BrowserContextOptions): Promise<Page> {
  const tab = await openTab(browser, options);
  open.push(tab);
  await tab.page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    const path = join(WEB, /\.\w+$/.test(pathname) ? pathname : `${pathname}/index.html`);
    return route.fulfill({ path, headers: { 'content-security-policy': DOCS_POLICY } });
  });
  return tab.page;
}

const show = (page: Page, path: string) => page.goto(`${ORIGIN}/docs${path && `/${path}`}`);

it.each([
  ['light', DESKTOP],
  ['dark', DARK],
])('no kind of page has a finding in %s mode', async (scheme, options) => {
  const page = await openDocs(options);
  for (const path of PAGES) {
    await show(page, path);
    expect([path, await accessibilityFindings(page)]).toEqual([path, []]);
    await screenshot(page, `docs-${path.replace('/', '-') || 'home'}-${scheme}`);
  }
});

it('every kind of page fits the smallest phone, and has no finding there', async () => {
  const page = await openDocs(SMALL_PHONE);
  for (const path of PAGES) {
    await show(page, path);
    await expectFits(page, 320);
    expect([path, await accessibilityFindings(page)]).toEqual([path, []]);
  }
});

it('the search is used by keyboard alone', async () => {
  const page = await openDocs(DESKTOP);
  await show(page, '');
  await page.keyboard.press('/');
  await page.keyboard.type('pdf_encrypted');
  await page.locator('#search-results a').first().waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('search-words');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${ORIGIN}/docs/errors#pdf_encrypted`);

  await page.keyboard.press('/');
  await page.keyboard.type('webhook');
  await page.locator('#search-results a').first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#search-results').waitFor({ state: 'hidden' });
});

it('a search without results says so visibly, until it is left', async () => {
  const page = await openDocs(SMALL_PHONE);
  await show(page, '');
  await page.getByRole('searchbox').fill('zzzz');
  const count = page.getByText('No results', { exact: true });
  await count.waitFor();
  expect((await count.boundingBox())?.width).toBeGreaterThan(50);
  await expectFits(page, 320);
  expect(await accessibilityFindings(page)).toEqual([]);
  await page.locator('main').focus();
  expect((await count.boundingBox())?.width).toBe(1);
});

it('without scripts a page is read as with them, and lists all pages instead of a search', async () => {
  const page = await openDocs({ ...DESKTOP, javaScriptEnabled: false });
  await show(page, 'quick-start');
  await page.getByRole('heading', { name: 'Quick start', level: 1 }).waitFor();
  expect(await page.locator('#search').isVisible()).toBe(false);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Changelog' }).click();
  await page.waitForURL(`${ORIGIN}/docs/changelog`);
});

it('nothing is cut off on paper', async () => {
  const page = await openDocs({ viewport: { width: 718, height: 1000 } });
  await page.emulateMedia({ media: 'print' });
  for (const path of [...PAGES, 'webhooks']) {
    await show(page, path);
    const cut = await page
      .locator('.code pre, .table')
      .evaluateAll((areas) =>
        areas.filter((area) => area.scrollWidth > area.clientWidth).map((area) => area.textContent),
      );
    expect({ path, cut }).toEqual({ path, cut: [] });
  }
});

it('on paper a page is its text, without menus and search', async () => {
  const page = await openDocs(DESKTOP);
  await show(page, 'notices');
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('nav:visible, details:visible, search:visible').count()).toBe(0);
  const [text, sheet] = await page.evaluate(() => [
    document.querySelector('article')?.getBoundingClientRect().width ?? 0,
    document.documentElement.clientWidth,
  ]);
  expect(text).toBeGreaterThan(sheet * 0.8);
});
