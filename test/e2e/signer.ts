import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { PageTexts } from '../../shared/texts/en/service.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { LANGUAGE_TEXTS, PAGE_TEXTS } from '../../shared/texts/languages.ts';

/** Drives the page as a signer would, finding elements by their visible text. */
export class Signer {
  readonly page: Page;
  readonly texts: PageTexts;
  readonly languageLabel: string;

  constructor(page: Page, locale: Locale = 'en') {
    this.page = page;
    this.texts = PAGE_TEXTS[locale];
    this.languageLabel = LANGUAGE_TEXTS[locale].label;
  }

  heading(text: string) {
    return this.page.getByRole('heading', { level: 1, name: text, exact: true });
  }

  /** Waits for the step with this heading. */
  seesHeading(text: string) {
    return this.heading(text).waitFor();
  }

  seesText(text: string) {
    return this.page.getByText(text).first().waitFor();
  }

  press(name: string) {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  async open(link: string) {
    await this.page.goto(link);
    await this.page.locator('h1').waitFor();
  }

  get codeField() {
    return this.page.getByLabel(this.texts.code.label);
  }

  async enterCode(code: string) {
    await this.codeField.fill(code);
    await this.press(this.texts.code.submit);
  }

  async readDocument() {
    await this.seesHeading(this.texts.document.heading);
    await this.page.locator('.sheet canvas').first().waitFor();
    await this.page.locator('.sheet').first().scrollIntoViewIfNeeded();
    await this.waitUntilDrawn();
  }

  /** Waits until something is drawn on the first page. */
  async waitUntilDrawn() {
    await this.page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.sheet canvas');
      const context = canvas?.getContext('2d');
      if (!canvas?.width || !context) return false;
      const { data } = context.getImageData(0, 0, canvas.width, Math.min(canvas.height, 400));
      return data.some((value, index) => index % 4 < 3 && value < 128 && data[(index | 3) as number] === 255);
    });
  }

  async toSign() {
    await this.press(this.texts.document.toSign);
    await this.seesHeading(this.texts.sign.heading);
  }

  async toDecline() {
    await this.chooseOther(this.texts.document.toDecline);
    await this.seesHeading(this.texts.decline.heading);
  }

  /** Chooses from the menu beside the button to sign. */
  async chooseOther(name: string) {
    await this.page.locator('summary', { hasText: this.texts.document.more }).click();
    await this.press(name);
  }

  agree() {
    return this.page.getByLabel(this.texts.sign.agree).check();
  }

  async draw() {
    await this.page.getByLabel(this.texts.sign.drawn, { exact: true }).check();
    const pad = this.page.locator('svg.pad');
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (!box) throw new Error('There is no pad.');
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
    for (const [from, height] of [
      [0.1, 0.5],
      [0.5, 0.35],
    ] as const) {
      await this.page.mouse.move(...at(from, height));
      await this.page.mouse.down();
      for (let i = 1; i <= 24; i++) {
        await this.page.mouse.move(...at(from + i * 0.014, height + 0.18 * Math.sin(i / 2.5)));
      }
      await this.page.mouse.up();
    }
  }

  async sign() {
    await this.press(this.texts.sign.submit);
    await this.seesHeading(this.texts.done.heading);
  }

  /** Opens the link and signs, with as few entries as possible. */
  async signAll(link: string, code: string) {
    await this.open(link);
    await this.enterCode(code);
    await this.readDocument();
    await this.toSign();
    await this.agree();
    await this.sign();
  }

  async download(press: () => Promise<void>) {
    const [download] = await Promise.all([this.page.waitForEvent('download'), press()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }
}
