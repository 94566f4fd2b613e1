import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firefox, type Page } from 'playwright-for-firefox';
import { downloadedInto, type Engine, type EngineTab, STEP_SECONDS, storePicture } from './engine.ts';

/**
 * Gecko, in Debian's Firefox. Playwright drives it by the standard that Firefox implements itself, and not by a build of its own;
 * later versions than this one ask for a command that Firefox 153 does not know.
 */

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

/** Before a picture Playwright adds a style of its own, which the page's policy refuses; the other engines are asked for no such thing. */
const OF_A_PICTURE = /blocked an inline style \(style-src-elem\)/;

export async function launchFirefox(): Promise<Engine> {
  if (!existsSync(FIREFOX))
    throw new Error(
      `These tests need Firefox, and there is none at ${FIREFOX}. On Debian: apt-get install firefox-esr. Elsewhere set FIREFOX to its path.`,
    );
  const downloads = mkdtempSync(join(tmpdir(), 'firefox-'));
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: FIREFOX,
    downloadsPath: downloads,
  });
  return {
    async openTab(viewport) {
      const context = await browser.newContext({ locale: 'en-GB', viewport });
      return new FirefoxTab(await context.newPage(), downloads);
    },
    async stop() {
      await browser.close();
      rmSync(downloads, { recursive: true, force: true });
    },
  };
}

class FirefoxTab implements EngineTab {
  readonly #page: Page;
  readonly #downloads: string;
  readonly #errors: string[] = [];

  constructor(page: Page, downloads: string) {
    this.#page = page;
    this.#downloads = downloads;
    page.setDefaultTimeout(STEP_SECONDS * 1_000);
    const tell = (error: string) => {
      if (!OF_A_PICTURE.test(error)) this.#errors.push(error);
    };
    page.on('pageerror', (error) => tell(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') tell(message.text());
    });
  }

  open = (address: string) => this.#page.goto(address);
  reload = () => this.#page.reload();
  close = () => this.#page.context().close();
  run = <T>(inPage: () => T) => this.#page.evaluate(inPage) as Promise<T>;
  seesCss = (selector: string) => this.#page.locator(selector).first().waitFor();
  seesHeading = (name: string) => this.#page.getByRole('heading', { name, exact: true }).waitFor();
  seesText = (text: string) => this.#page.getByText(text).first().waitFor();
  press = (name: string) => this.#page.getByRole('button', { name, exact: true }).click();
  follow = (name: string) => this.#page.getByRole('link', { name, exact: true }).click();
  choose = (label: string) => this.#page.getByLabel(label, { exact: true }).check();
  type = (label: string, text: string) => this.#page.getByLabel(label).pressSequentially(text);
  typeInto = (selector: string, text: string) => this.#page.locator(selector).pressSequentially(text);
  attach = (selector: string, file: string) => this.#page.locator(selector).setInputFiles(file);
  downloaded = () => downloadedInto(this.#downloads);
  errors = () => this.#errors;

  /** A trial waits until nothing is over the element, or fails. */
  isOnTop = (selector: string) =>
    this.#page
      .locator(selector)
      .click({ trial: true })
      .then(() => true);

  async draw(selector: string) {
    const pad = this.#page.locator(selector);
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (!box) throw new Error(`There is no ${selector}.`);
    const move = (part: number) =>
      this.#page.mouse.move(
        box.x + box.width * (0.5 + part),
        box.y + box.height * (0.5 + 0.3 * Math.sin(part * 12)),
      );
    await move(-0.4);
    await this.#page.mouse.down();
    for (let part = -0.4; part < 0.4; part += 0.02) await move(part);
    await this.#page.mouse.up();
  }

  screenshot = async (name: string) => storePicture(name, await this.#page.screenshot());
}
