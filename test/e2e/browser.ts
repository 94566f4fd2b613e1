import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { IS_THOROUGH } from '../support/thorough.ts';

/** Debian's. The first is the same engine without a browser's own windows: it takes a third less processor time. */
const ON_DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? ON_DEBIAN.find((path) => existsSync(path));
export const SCREENSHOTS = join(import.meta.dirname, '../../artifacts/e2e');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** `largeLetters`: with a default font size of 200 %. */
export async function launchBrowser({ largeLetters = false } = {}): Promise<Browser> {
  if (CHROMIUM === undefined || !existsSync(CHROMIUM)) {
    throw new Error(
      `These tests need Chromium, and there is none at ${CHROMIUM ?? ON_DEBIAN.join(' or ')}. On Debian: apt-get install chromium-headless-shell. Elsewhere set CHROMIUM to its path.`,
    );
  }
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // As a browser with windows draws letters.
      '--font-render-hinting=none',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(largeLetters ? ['--blink-settings=defaultFontSize=32'] : []),
    ],
  });
}

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
export const SMALL_PHONE: BrowserContextOptions = { ...PHONE, viewport: { width: 320, height: 640 } };
const DESKTOP_SIZE = { width: 1280, height: 800 };
export const DESKTOP: BrowserContextOptions = { viewport: DESKTOP_SIZE };

/** A page in a browser context of its own, with the errors from its scripts and console. */
export interface Tab {
  page: Page;
  errors: string[];
  close(): Promise<void>;
}

export async function openTab(browser: Browser, options: BrowserContextOptions = PHONE): Promise<Tab> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Helsinki',
    reducedMotion: 'reduce',
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // The browser itself logs each error answer of the API.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      errors.push(message.text());
    }
  });
  return { page, errors, close: () => context.close() };
}

/** Stores a picture of the page for a person to look at. */
export async function screenshot(page: Page, name: string, fullPage = false) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage, animations: 'disabled' });
}

/** One picture of several that were stored before, for a person to compare them. */
export async function sideBySide(page: Page, names: readonly string[], name: string) {
  const pictures = names.map((one) => readFileSync(join(SCREENSHOTS, `${one}.png`)).toString('base64'));
  const images = pictures.map((data) => `<img src="data:image/png;base64,${data}" alt="">`);
  // A page of its own: that of the service may show its own pictures alone.
  await page.goto('about:blank');
  await page.setContent(
    `<body style="display: flex; gap: 16px; align-items: start; width: max-content">${images.join('')}`,
  );
  await screenshot(page, name, true);
}

/** A state of the page as on the phone that it is tested on; at night as on a desktop too. */
export async function screenshotState(page: Page, name: string, fullPage = false) {
  await screenshot(page, name, fullPage);
  const before = page.viewportSize();
  if (!IS_THOROUGH || before === null) return;
  await page.setViewportSize(DESKTOP_SIZE);
  await screenshot(page, `${name}-1280`, fullPage);
  await page.setViewportSize(before);
}

interface AccessibilityFinding {
  id: string;
  help: string;
  nodes: { html: string }[];
}

/** Clicks a button, and tells whether the field that this opens has the focus as soon as it is there: nothing typed at once is lost. */
export const opensFocused = (opener: Locator, field: string): Promise<boolean> =>
  opener.evaluate(async (button: HTMLElement, selector) => {
    const seen = new Promise<boolean>((resolve) => {
      new MutationObserver(() => {
        const opened = document.querySelector(selector);
        if (opened) resolve(document.activeElement === opened);
      }).observe(document.body, { childList: true, subtree: true });
    });
    button.click();
    return seen;
  }, field);

/** The rules of WCAG alone: advice for pages, such as landmarks, is not meant for mails. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** The violations of WCAG 2.2 AA and best practices, or of other rules, that axe finds, one line each. */
export async function accessibilityFindings(page: Page, tags?: readonly string[]): Promise<string[]> {
  await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(tags && { runOnly: tags }) };
  const findings = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as AccessibilityFinding[];
  return findings.map(({ id, help, nodes }) => `${id}: ${help} ${nodes[0]?.html}`);
}
