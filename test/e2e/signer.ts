import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Locale } from '../../shared/contract/fields.ts';
import { PAGE_TEXTS, type PageTexts } from '../../shared/texts/page.ts';

/** A signer before the page: does what people do, by the words that they see. */
export class Signer {
  readonly page: Page;
  readonly texts: PageTexts;

  constructor(page: Page, locale: Locale = 'en') {
    this.page = page;
    this.texts = PAGE_TEXTS[locale];
  }

  heading(words: string) {
    return this.page.getByRole('heading', { level: 1, name: words, exact: true });
  }

  /** Waits for a step by its heading. */
  sees(words: string) {
    return this.heading(words).waitFor();
  }

  seesText(words: string) {
    return this.page.getByText(words).first().waitFor();
  }

  press(words: string) {
    return this.page.getByRole('button', { name: words, exact: true }).click();
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
    await this.sees(this.texts.document.heading);
    await this.page.locator('.sheet canvas').first().waitFor();
    await this.page.locator('.sheet').first().scrollIntoViewIfNeeded();
    await this.drawn();
  }

  /** Until the first page has ink on it. */
  async drawn() {
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
    await this.sees(this.texts.sign.heading);
  }

  async toDecline() {
    await this.press(this.texts.document.toDecline);
    await this.sees(this.texts.decline.heading);
  }

  agree() {
    return this.page.getByLabel(this.texts.sign.agree).check();
  }

  async draw() {
    await this.page.getByLabel(this.texts.sign.drawn, { exact: true }).check();
    const pad = this.page.locator('svg.pad');
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (!box) throw new Error('there is no pad');
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
    await this.sees(this.texts.done.heading);
  }

  /** From the link to the signature, the shortest way. */
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
