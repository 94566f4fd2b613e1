import type { Page } from 'playwright-core';
import { LOCALES } from '../../shared/contract/fields.ts';
import { PAGE_TEXTS } from '../../shared/texts/page.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { until } from '../support/until.ts';
import { axeFindings, DESKTOP, PHONE, picture, SMALL_PHONE } from './browser.ts';
import { stage } from './page-stage.ts';

const enter = stage();

const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at === document.body) return 'nothing';
    const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : at?.textContent;
    return `${at?.tagName.toLowerCase()} ${(label ?? '').trim()}`;
  });

/** The focus follows the picture by a moment. */
const untilFocused = (page: Page, words: string) =>
  until(async () => (await focused(page)).includes(words), `the focus on “${words}”`);

/** Presses the tab key until that is in focus; every stop on the way must show that it is. */
async function tabTo(page: Page, words: string) {
  for (let stop = 0; stop < 40; stop++) {
    if ((await focused(page)).includes(words)) return;
    await page.keyboard.press('Tab');
    const ring = await page.evaluate(() => {
      const at = document.activeElement;
      const shown = at?.closest('.choice label') ?? at;
      return shown ? getComputedStyle(shown).outlineStyle : 'none';
    });
    expect({ at: await focused(page), ring }).toEqual({
      at: await focused(page),
      ring: expect.not.stringMatching('none'),
    });
  }
  throw new Error(`the tab key does not lead to “${words}”`);
}

it('is signed with the keyboard alone, and each step begins at its heading', async () => {
  const { fake, signer, visit } = await enter(DESKTOP);
  const { page } = visit;
  const { texts } = signer;
  await signer.open(fake.link);
  await tabTo(page, texts.code.label);
  await page.keyboard.type(CODE);
  await page.keyboard.press('Enter');
  await signer.readDocument();
  await untilFocused(page, `h1 ${texts.document.heading}`);
  await page.getByText(texts.document.loaded(3)).waitFor({ state: 'attached' });
  await tabTo(page, texts.document.download);
  await tabTo(page, texts.document.toSign);
  await picture(page, 'desktop-2-document-focus');
  await page.keyboard.press('Enter');
  await signer.sees(texts.sign.heading);
  await untilFocused(page, `h1 ${texts.sign.heading}`);
  await tabTo(page, texts.sign.name);
  await tabTo(page, texts.sign.typed);
  await page.keyboard.press('ArrowRight');
  await page.locator('svg.pad').waitFor();
  await page.keyboard.press('ArrowLeft');
  await tabTo(page, texts.sign.typedLabel);
  await tabTo(page, texts.sign.submit);
  await page.keyboard.press('Enter');
  // Pressed too early, it leads to what is missing.
  await signer.seesText(texts.sign.agreeMissing);
  await untilFocused(page, texts.sign.agree);
  await page.keyboard.press('Space');
  await tabTo(page, texts.sign.submit);
  await page.keyboard.press('Enter');
  await signer.sees(texts.done.heading);
  await untilFocused(page, `h1 ${texts.done.heading}`);
  expect(fake.signatures).toHaveLength(1);
});

it('ties each error to its field', async () => {
  const { fake, signer } = await enter();
  await signer.open(fake.link);
  await signer.enterCode('000000');
  await signer.seesText(signer.texts.code.wrong(4));
  const described = await signer.codeField.getAttribute('aria-describedby');
  expect(described?.split(' ')[0]).toBe('code-error');
  expect(await signer.page.locator('#code-error').textContent()).toBe(signer.texts.code.wrong(4));
  expect(await signer.codeField.getAttribute('aria-invalid')).toBe('true');
  expect(await signer.page.evaluate(() => document.activeElement?.id)).toBe('code');
});

it('reads the document’s text to those who do not see it', async () => {
  const { fake, signer } = await enter();
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  const last = signer.page.getByRole('article', { name: signer.texts.document.page(3, 3) });
  await last.getByText('Section 3').waitFor({ state: 'attached' });
  expect(await last.textContent()).toContain('The landlord lets the flat to the tenant');
});

it('enlarges the document inside its frame', async () => {
  const { fake, signer } = await enter();
  const { page } = signer;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  const width = async () => (await page.locator('.sheet').first().boundingBox())?.width ?? 0;
  const before = await width();
  await page.getByRole('button', { name: signer.texts.document.zoomIn }).click();
  await page.getByRole('button', { name: signer.texts.document.zoomIn }).click();
  await signer.drawn();
  expect(await width()).toBeCloseTo(before * 1.5, -1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await picture(page, 'phone-en-2-document-enlarged');
  expect(await axeFindings(page)).toEqual([]);
});

const position = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => getComputedStyle(element).position);

describe('narrow, large and turned', () => {
  async function fits(page: Page, width: number) {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, summary, textarea')]
        .map((target) => ({ target, box: (target.closest('label') ?? target).getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
        .map(({ target, box }) => `${target.outerHTML} ${box.width}x${box.height}`),
    );
    expect(small).toEqual([]);
  }

  it.each(LOCALES)('fits a phone of 320 pixels in %s, with targets for fingers', async (locale) => {
    const { fake, signer, visit } = await enter(SMALL_PHONE, locale);
    fake.standing.locale = locale;
    await signer.open(fake.link);
    await fits(visit.page, 320);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await fits(visit.page, 320);
    await picture(visit.page, `small-${locale}-2-document`);
    await signer.toSign();
    await visit.page.getByLabel(signer.texts.sign.forEntity).check();
    await fits(visit.page, 320);
    await picture(visit.page, `small-${locale}-3-sign`, true);
  });

  describe('with letters of twice the size', () => {
    const enterLarge = stage({ largeLetters: true });

    it('keeps to the screen, and leaves the screen to the document', async () => {
      const { fake, signer, visit } = await enterLarge(PHONE);
      const { page } = visit;
      await signer.open(fake.link);
      expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('34px');
      await fits(page, 390);
      await picture(page, 'large-1-code', true);
      await signer.enterCode(CODE);
      await signer.readDocument();
      await fits(page, 390);
      await picture(page, 'large-2-document', true);
      expect(await position(page, '.reading-actions')).toBe('static');
      await signer.toSign();
      await fits(page, 390);
      await picture(page, 'large-3-sign', true);
      expect(await axeFindings(page)).toEqual([]);
    });
  });

  it('keeps the drawing when the phone is turned', async () => {
    const { fake, signer, visit } = await enter(PHONE);
    const { page } = visit;
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await signer.toSign();
    await signer.draw();
    const ink = () => page.locator('.pad-ink').getAttribute('d');
    const drawn = await ink();
    await page.setViewportSize({ width: 844, height: 390 });
    await page.locator('svg.pad').scrollIntoViewIfNeeded();
    await picture(page, 'phone-turned-3-sign');
    expect(await ink()).toBe(drawn);
    await signer.press(signer.texts.sign.undo);
    expect((await ink())?.match(/M/g)).toHaveLength(1);
  });

  it('leaves room to read on a phone held sideways', async () => {
    const { fake, signer, visit } = await enter({ ...PHONE, viewport: { width: 844, height: 390 } });
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await visit.page.locator('.sheet').first().scrollIntoViewIfNeeded();
    await picture(visit.page, 'phone-turned-2-document');
    expect(await position(visit.page, '.reading-actions')).toBe('static');
  });
});

it('moves nothing for those who asked for less motion', async () => {
  const { fake, signer } = await enter();
  await signer.signAll(fake.link, CODE);
  const moving = await signer.page.evaluate(() =>
    document.getAnimations().map((animation) => animation.constructor.name),
  );
  // The wheel that turns while the sealing goes on, slowly.
  expect(moving.length).toBeLessThanOrEqual(1);
});

it('says in four languages what it needs when scripts are off', async () => {
  const { fake, visit } = await enter({ ...PHONE, javaScriptEnabled: false });
  await visit.page.goto(fake.link);
  for (const locale of LOCALES) {
    await visit.page.locator(`[lang=${locale}]`, { hasText: PAGE_TEXTS[locale].noScript }).waitFor();
  }
  await picture(visit.page, 'phone-no-scripts');
});
