import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ARTIFACTS = join(import.meta.dirname, '../../artifacts/e2e');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** `largeLetters`: as for someone whose browser is set to letters of twice the usual size. */
export async function launchBrowser({ largeLetters = false } = {}): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `These tests drive Chromium, and there is none at ${CHROMIUM}. On Debian: apt-get install chromium. Elsewhere set CHROMIUM to its path.`,
    );
  }
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
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
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

/** A page in a browser of its own kind, with everything it complained about. */
export interface Visit {
  page: Page;
  complaints: string[];
  close(): Promise<void>;
}

export async function visit(browser: Browser, options: BrowserContextOptions = PHONE): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Helsinki',
    reducedMotion: 'reduce',
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A refused call is no complaint of the page; the browser reports each by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  return { page, complaints, close: () => context.close() };
}

/** Kept with each run, to be looked at: every step and state, on every kind of device. */
export async function picture(page: Page, name: string, fullPage = false) {
  mkdirSync(ARTIFACTS, { recursive: true });
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`), fullPage, animations: 'disabled' });
}

interface AxeFinding {
  id: string;
  help: string;
  nodes: { html: string }[];
}

/** What axe finds against WCAG 2.2 AA and good practice: one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const findings = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as AxeFinding[];
  return findings.map(({ id, help, nodes }) => `${id}: ${help} ${nodes[0]?.html}`);
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
