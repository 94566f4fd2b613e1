import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Builder, By, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver';
import { freePort } from '../../local/listen.ts';
import { until } from '../support/until.ts';
import { SCREENSHOTS } from './browser.ts';

/**
 * WebKit, the engine of Safari and of every browser on an iPhone, in the build for GTK. Playwright needs a build of its
 * own, so this one is driven by WebDriver.
 */

const DRIVER = '/usr/bin/WebKitWebDriver';
const SERVER = '/usr/bin/Xvfb';
/** Long enough for a busy machine. */
const STEP_SECONDS = 25;

export interface WebKit {
  openTab(size: Size): Promise<WebKitTab>;
  stop(): Promise<void>;
}

export interface Size {
  width: number;
  height: number;
}

/** Starts a screen that nobody sees and the driver. Each tab is a browser of its own. */
export async function launchWebKit(): Promise<WebKit> {
  for (const program of [DRIVER, SERVER]) {
    if (!existsSync(program))
      throw new Error(
        `These tests need WebKit, and there is no ${program}. On Debian: apt-get install webkit2gtk-driver xvfb.`,
      );
  }
  const home = mkdtempSync(join(tmpdir(), 'webkit-'));
  const downloads = join(home, 'downloads');
  mkdirSync(join(home, '.config'));
  mkdirSync(downloads);
  writeFileSync(join(home, '.config/user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);

  const screen = spawn(SERVER, ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const display = await firstLine(screen);
  const port = await freePort();
  const console: string[] = [];
  const driver = spawn(DRIVER, [`--port=${port}`], {
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: home, DISPLAY: `:${display}`, NO_AT_BRIDGE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  createInterface({ input: driver.stdout }).on('line', (line) => console.push(line));
  const server = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${server}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'the driver of WebKit',
  );

  return {
    async openTab({ width, height }) {
      const capabilities = new Capabilities().setBrowserName('MiniBrowser').set('webkitgtk:browserOptions', {
        args: ['--automation', '--enable-write-console-messages-to-stdout=true'],
      });
      const session = await new Builder().usingServer(server).withCapabilities(capabilities).build();
      await session.manage().window().setRect({ x: 0, y: 0, width, height });
      return new WebKitTab(session, downloads, console);
    },
    async stop() {
      driver.kill();
      screen.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The output of the program is not read.');
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('The program ended without a line of output.');
}

const has = (text: string) => `normalize-space()="${text}"`;

/** A browser, in which elements are found by their visible text. */
export class WebKitTab {
  readonly #session: WebDriver;
  readonly #downloads: string;
  readonly #console: string[];

  constructor(session: WebDriver, downloads: string, console: string[]) {
    this.#session = session;
    this.#downloads = downloads;
    this.#console = console;
  }

  open = (address: string) => this.#session.get(address);
  reload = () => this.#session.navigate().refresh();
  close = () => this.#session.quit();

  /** Runs a function in the page. */
  run<T, A extends unknown[]>(inPage: (...values: A) => T, ...values: A): Promise<T> {
    return this.#session.executeScript(inPage, ...values);
  }

  until = <T>(look: () => Promise<T | undefined | false>, what: string) => until(look, what, STEP_SECONDS);

  /** The first element that can be seen. */
  sees(selector: By, what: string): Promise<WebElement> {
    return this.until(async () => {
      for (const element of await this.#session.findElements(selector))
        if (await element.isDisplayed()) return element;
      return undefined;
    }, what);
  }

  seesCss = (selector: string) => this.sees(By.css(selector), selector);
  seesHeading = (text: string) => this.sees(By.xpath(`//h1[${has(text)}]|//h2[${has(text)}]`), text);
  seesText = (text: string) => this.sees(By.xpath(`//*[contains(normalize-space(text()), "${text}")]`), text);

  async press(name: string) {
    await this.click(await this.sees(By.xpath(`//button[${has(name)} or @aria-label="${name}"]`), name));
  }

  async follow(name: string) {
    await this.click(await this.sees(By.xpath(`//a[${has(name)}]`), name));
  }

  async choose(label: string) {
    await this.click(await this.sees(By.xpath(`//label[${has(label)}]`), label));
  }

  /** Whether a click would meet this element. */
  isOnTop(element: WebElement): Promise<boolean> {
    return this.#session.executeScript((wanted: Element) => {
      const { left, top, width, height } = wanted.getBoundingClientRect();
      return wanted.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }, element);
  }

  async click(element: WebElement) {
    await this.#toMiddle(element);
    await element.click();
  }

  #toMiddle = (element: WebElement) =>
    this.#session.executeScript((shown: Element) => shown.scrollIntoView({ block: 'center' }), element);

  async type(label: string, text: string) {
    const named = await this.sees(By.xpath(`//label[contains(normalize-space(), "${label}")]`), label);
    await this.#session.findElement(By.id((await named.getAttribute('for')) ?? '')).sendKeys(text);
  }

  /** Draws a line over so much of an element's width. */
  async draw(selector: string) {
    const pad = await this.seesCss(selector);
    await this.#toMiddle(pad);
    const { width, height } = await pad.getRect();
    const move = (part: number) => ({
      origin: pad,
      x: Math.round(width * part),
      y: Math.round(height * 0.3 * Math.sin(part * 12)),
      duration: 10,
    });
    const pointer = this.#session.actions({ async: true }).move(move(-0.4)).press();
    for (let part = -0.4; part < 0.4; part += 0.02) pointer.move(move(part));
    await pointer.release().perform();
  }

  /** Waits for the bytes of the one file that is downloaded. */
  async downloaded(): Promise<{ name: string; bytes: Buffer }> {
    return this.until(async () => {
      const [name] = readdirSync(this.#downloads);
      if (name === undefined) return undefined;
      const bytes = readFileSync(join(this.#downloads, name));
      if (!bytes.includes('%%EOF', bytes.length - 64)) return undefined;
      rmSync(join(this.#downloads, name));
      return { name, bytes };
    }, 'the downloaded file');
  }

  async screenshot(name: string) {
    mkdirSync(SCREENSHOTS, { recursive: true });
    writeFileSync(join(SCREENSHOTS, `${name}.png`), await this.#session.takeScreenshot(), 'base64');
  }

  /** Errors of scripts, and what policies refused. */
  errors(): string[] {
    return this.#console.filter(
      (line) => /CONSOLE.* ERROR/.test(line) && !/Failed to load resource/.test(line),
    );
  }
}
