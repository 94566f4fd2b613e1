import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Builder, By, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver';
import { freePort } from '../../local/listen.ts';
import { until } from '../support/until.ts';
import { downloadedInto, type Engine, type EngineTab, STEP_SECONDS, storePicture } from './engine.ts';

/**
 * WebKit, the engine of Safari and of every browser on an iPhone, in the build for GTK. Playwright needs a build of its
 * own, so this one is driven by WebDriver.
 */

const DRIVER = '/usr/bin/WebKitWebDriver';
const SERVER = '/usr/bin/Xvfb';
/** Starts a screen that nobody sees and the driver. Each tab is a browser of its own. */
export async function launchWebKit(): Promise<Engine> {
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

class WebKitTab implements EngineTab {
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

  run<T>(inPage: () => T): Promise<T> {
    return this.#session.executeScript(inPage);
  }

  /** The first element that can be seen. */
  #sees(selector: By, what: string): Promise<WebElement> {
    return until(
      async () => {
        for (const element of await this.#session.findElements(selector))
          if (await element.isDisplayed()) return element;
        return undefined;
      },
      what,
      STEP_SECONDS,
    );
  }

  seesCss = (selector: string) => this.#sees(By.css(selector), selector);
  seesHeading = (text: string) => this.#sees(By.xpath(`//h1[${has(text)}]|//h2[${has(text)}]`), text);
  seesText = (text: string) =>
    this.#sees(By.xpath(`//*[contains(normalize-space(text()), "${text}")]`), text);

  async press(name: string) {
    await this.#click(await this.#sees(By.xpath(`//button[${has(name)} or @aria-label="${name}"]`), name));
  }

  async follow(name: string) {
    await this.#click(await this.#sees(By.xpath(`//a[${has(name)}]`), name));
  }

  async choose(label: string) {
    await this.#click(await this.#sees(By.xpath(`//label[${has(label)}]`), label));
  }

  async isOnTop(selector: string): Promise<boolean> {
    return this.#session.executeScript(
      (wanted: Element) => {
        const { left, top, width, height } = wanted.getBoundingClientRect();
        return wanted.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      },
      await this.seesCss(selector),
    );
  }

  async #click(element: WebElement) {
    await this.#toMiddle(element);
    await element.click();
  }

  #toMiddle = (element: WebElement) =>
    this.#session.executeScript((shown: Element) => shown.scrollIntoView({ block: 'center' }), element);

  async type(label: string, text: string) {
    const named = await this.#sees(By.xpath(`//label[contains(normalize-space(), "${label}")]`), label);
    await this.#session.findElement(By.id((await named.getAttribute('for')) ?? '')).sendKeys(text);
  }

  typeInto = async (selector: string, text: string) => (await this.seesCss(selector)).sendKeys(text);
  attach = (selector: string, file: string) => this.typeInto(selector, file);

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

  downloaded = () => downloadedInto(this.#downloads);

  screenshot = async (name: string) =>
    storePicture(name, Buffer.from(await this.#session.takeScreenshot(), 'base64'));

  errors(): string[] {
    return this.#console.filter(
      (line) => /CONSOLE.* ERROR/.test(line) && !/Failed to load resource/.test(line),
    );
  }
}
