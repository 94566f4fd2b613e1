import { PDFDocument } from 'pdf-lib';
import type { Locator, Page } from 'playwright-core';
import { INSTEAD_TEXTS, LOCALES, type Locale, PAGE_TEXTS } from '../../shared/texts/languages.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { until } from '../support/until.ts';
import { accessibilityFindings, DESKTOP, PHONE, SMALL_PHONE, screenshot } from './browser.ts';
import { expectFits, labelFaults } from './layout.ts';
import { pageSetup } from './page-setup.ts';
import { contractPdf } from './pdfs.ts';
import { Signer } from './signer.ts';

const setUp = pageSetup();

const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at === document.body) return 'nothing';
    const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : at?.textContent;
    return `${at?.tagName.toLowerCase()} ${(label ?? '').trim()}`;
  });

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** The focus moves shortly after the new step is drawn. */
const untilFocused = (page: Page, text: string) =>
  until(async () => (await focused(page)).includes(text), `the focus on “${text}”`);

/** Not any outline: an invalid field may have one of its own. */
async function expectFocusRing(page: Page) {
  const ring = await page.evaluate(() => {
    const at = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(
      at?.closest('.choice label') ?? at ?? document.body,
    );
    return `${outlineStyle} ${outlineWidth}`;
  });
  const at = await focused(page);
  expect({ at, ring }).toEqual({ at, ring: 'solid 3px' });
}

/** Presses the tab key until the element with this text is focused. Every stop must show a focus ring. */
async function tabTo(page: Page, text: string) {
  for (let stop = 0; stop < 40; stop++) {
    if ((await focused(page)).includes(text)) return;
    await page.keyboard.press('Tab');
    await expectFocusRing(page);
  }
  throw new Error(`The tab key does not reach “${text}”.`);
}

it.each(LOCALES)(
  'the keyboard alone is enough to sign in %s, and each step starts at its heading',
  async (locale) => {
    const { fake, signer, tab } = await setUp(DESKTOP, locale);
    fake.linkStatus.locale = locale;
    const { page } = tab;
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
    await screenshot(page, `desktop-${locale}-2-document-focus`);
    await page.keyboard.press('Enter');
    await signer.seesHeading(texts.sign.heading);
    await untilFocused(page, `h1 ${texts.sign.heading}`);
    await tabTo(page, texts.sign.name);
    await tabTo(page, texts.sign.typed);
    await page.keyboard.press('ArrowRight');
    await page.locator('svg.pad').waitFor();
    await page.keyboard.press('ArrowLeft');
    await tabTo(page, texts.sign.typedLabel);
    await tabTo(page, texts.sign.submit);
    await page.keyboard.press('Enter');
    // Submitted too early, the form focuses the first incomplete field.
    await signer.seesText(texts.sign.agreeMissing);
    await untilFocused(page, texts.sign.agree);
    await expectFocusRing(page);
    await page.keyboard.press('Space');
    await tabTo(page, texts.sign.submit);
    await page.keyboard.press('Enter');
    await signer.seesHeading(texts.done.heading);
    await untilFocused(page, `h1 ${texts.done.heading}`);
    expect(fake.signatures).toHaveLength(1);
  },
);

const stepNames = ({ page, texts }: Signer) =>
  page.getByRole('navigation', { name: texts.progress(2, texts.steps.length) }).ariaSnapshot();

it('on a phone, screen readers get the names of the steps that are hidden for lack of room', async () => {
  const { fake, signer } = await setUp(SMALL_PHONE);
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  for (const step of signer.texts.steps) expect(await stepNames(signer)).toContain(`listitem: ${step}`);
});

it('a message of one step is not read on the next step or in another language', async () => {
  const { fake, signer } = await setUp();
  const { page, texts } = signer;
  const said = page.locator('[aria-live]');
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await said.getByText(texts.document.loaded(3)).waitFor({ state: 'attached' });
  await page.getByLabel(signer.languageLabel).selectOption('de');
  await new Signer(page, 'de').seesHeading(PAGE_TEXTS.de.document.heading);
  expect(await said.textContent()).toBe('');
  await page.getByRole('button', { name: PAGE_TEXTS.de.document.download }).click();
  await said.getByText(PAGE_TEXTS.de.document.downloaded).waitFor({ state: 'attached' });
  await new Signer(page, 'de').toSign();
  expect(await said.textContent()).toBe('');
});

it('a printout shows no part of the document, but says how to print it', async () => {
  const { fake, signer } = await setUp(DESKTOP);
  const { page, texts } = signer;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText(texts.document.toPrint).isVisible()).toBe(true);
  expect(await page.getByRole('article').count()).toBe(0);
  expect(await page.getByRole('button', { name: texts.document.toSign }).count()).toBe(0);
});

it('a printout of the outcome has no controls', async () => {
  const { fake, signer } = await setUp(DESKTOP);
  const { page, texts } = signer;
  fake.afterSigning = 'signed';
  await signer.signAll(fake.link, CODE);
  await page.getByRole('button', { name: texts.done.download }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await signer.seesHeading(texts.done.heading);
  for (const role of ['button', 'combobox'] as const) expect(await page.getByRole(role).count()).toBe(0);
});

it('an error is linked to its field', async () => {
  const { fake, signer } = await setUp();
  await signer.open(fake.link);
  await signer.enterCode('000000');
  await signer.seesText(signer.texts.code.wrong(4));
  const described = await signer.codeField.getAttribute('aria-describedby');
  expect(described?.split(' ')[0]).toBe('code-error');
  expect(await signer.page.locator('#code-error').textContent()).toBe(signer.texts.code.wrong(4));
  expect(await signer.codeField.getAttribute('aria-invalid')).toBe('true');
  expect(await signer.page.evaluate(() => document.activeElement?.id)).toBe('code');
});

describe('when the form of the code is replaced', () => {
  it('the focus goes to the field for a code that was asked for, and its sending is announced', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    fake.linkStatus.code_expires_at = '2026-01-01T00:00:00.000Z';
    await signer.open(fake.link);
    await tabTo(page, texts.code.send);
    await page.keyboard.press('Enter');
    await untilFocused(page, `input ${texts.code.label}`);
    await page.locator('[aria-live]', { hasText: texts.code.sent }).waitFor({ state: 'attached' });
    await page.keyboard.type(CODE);
    await page.keyboard.press('Enter');
    await signer.seesHeading(texts.document.heading);
  });

  it('the focus stays on the button for another code while the next one is waited for', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    await signer.open(fake.link);
    await tabTo(page, texts.code.sendAgain);
    await page.keyboard.press('Enter');
    await signer.seesText(texts.code.sent);
    await untilFocused(page, texts.code.sendAgainIn(0).replace(/\d.*/, ''));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    expect(fake.callsOf('/code')).toHaveLength(1);
  });

  it('the countdown to another code is shown each second, and announced every ten seconds', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    await page.clock.install();
    await signer.open(fake.link);
    await signer.press(texts.code.sendAgain);
    await signer.seesText(texts.code.sent);
    const button = page.locator('.button-waiting');
    const seen = new Set<string>();
    const heard = new Set<string>();
    for (let second = 0; second < 12; second++) {
      seen.add((await button.textContent()) ?? '');
      heard.add(await button.ariaSnapshot());
      await page.clock.runFor(1_000);
    }
    expect(seen.size).toBeGreaterThan(8);
    expect(heard.size).toBeLessThan(4);
  });

  it('the focus goes to the heading after five wrong codes, and after the lock', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    fake.linkStatus.attempts_left = 1;
    await signer.open(fake.link);
    await tabTo(page, texts.code.label);
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await untilFocused(page, `h1 ${texts.code.lockedHeading}`);
    fake.linkStatus = { ...fake.linkStatus, locked_until: null };
    await tabTo(page, texts.code.lockedCheck);
    await page.keyboard.press('Enter');
    await untilFocused(page, `h1 ${texts.code.heading}`);
  });

  it('the focus goes to the heading if code entry has ended by the time the lock is looked at again', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    fake.linkStatus.locked_until = new Date(Date.now() + 600_000).toISOString();
    await signer.open(fake.link);
    await signer.seesHeading(texts.code.lockedHeading);
    fake.linkStatus = { ...fake.linkStatus, locked_until: null, code_entry_ended: true };
    await tabTo(page, texts.code.lockedCheck);
    await page.keyboard.press('Enter');
    await signer.seesText(texts.code.ended);
    await untilFocused(page, 'h1 ');
  });

  it('the focus goes to the heading if the code ends while it is typed, and stays if it is elsewhere', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    await page.clock.install();
    const send = page.getByRole('button', { name: texts.code.send });
    await signer.open(fake.link);
    await tabTo(page, texts.code.label);
    await page.keyboard.type('123');
    await page.clock.fastForward('10:00');
    await send.waitFor();
    await untilFocused(page, `h1 ${texts.code.heading}`);
    await page.reload();
    await signer.seesHeading(texts.code.heading);
    await tabTo(page, texts.code.about);
    await page.clock.fastForward('10:00');
    await send.waitFor();
    expect(await focused(page)).toContain(texts.code.about);
  });
});

it('browsers and phones do not correct a signer’s name', async () => {
  const { fake, signer, tab } = await setUp();
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.toSign();
  for (const label of [signer.texts.sign.name, signer.texts.sign.typedLabel]) {
    const field = tab.page.getByLabel(label, { exact: true });
    expect(await field.getAttribute('spellcheck')).toBe('false');
    expect(await field.getAttribute('autocorrect')).toBe('off');
  }
});

it('a screen reader can read the text of the document', async () => {
  const { fake, signer } = await setUp();
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  const last = signer.page.getByRole('article', { name: signer.texts.document.page(3, 3) });
  await last.getByText('Section 3').waitFor({ state: 'attached' });
  expect(await last.textContent()).toContain('The landlord lets the flat to the tenant');
});

it.each(['de-AT', ''])(
  'a screen reader is told the language that the document declares: “%s”',
  async (language) => {
    const { fake, signer } = await setUp();
    const document = await PDFDocument.load(await contractPdf());
    if (language) document.setLanguage(language);
    fake.setDocument(await document.save());
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    const text = signer.page.locator('.text-layer').first();
    await text.getByText('Lease agreement').waitFor({ state: 'attached' });
    expect(await text.getAttribute('lang')).toBe(language);
    expect(await accessibilityFindings(signer.page)).toEqual([]);
  },
);

it('an enlarged document stays inside its frame', async () => {
  const { fake, signer } = await setUp();
  const { page } = signer;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  const width = async () => (await page.locator('.sheet').first().boundingBox())?.width ?? 0;
  const before = await width();
  await page.getByRole('button', { name: signer.texts.document.zoomIn }).click();
  await page.getByRole('button', { name: signer.texts.document.zoomIn }).click();
  await signer.waitUntilDrawn();
  expect(await width()).toBeCloseTo(before * 1.5, -1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await screenshot(page, 'phone-en-2-document-enlarged');
  expect(await accessibilityFindings(page)).toEqual([]);
});

it('the zoom is announced on the smallest phone too, which does not show it', async () => {
  const { fake, signer } = await setUp(SMALL_PHONE);
  const { page, texts } = signer;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await page.getByRole('button', { name: texts.document.zoomIn }).click();
  await page.getByRole('status').getByText('125%').waitFor();
});

describe('a button keeps the focus after the press that leaves it nothing to do', () => {
  it('in the document, at the largest and the smallest zoom', async () => {
    const { fake, signer } = await setUp(DESKTOP);
    const { page, texts } = signer;
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    for (const [name, end] of [
      [texts.document.zoomIn, '300'],
      [texts.document.zoomOut, '100'],
    ] as const) {
      const button = page.getByRole('button', { name });
      await button.focus();
      for (let press = 0; press < 5; press++) await page.keyboard.press('Enter');
      await page.locator('.zoom-level', { hasText: end }).waitFor();
      expect(await isFocused(button)).toBe(true);
      expect(await button.getAttribute('aria-disabled')).toBe('true');
    }
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  it('under the drawn signature, when nothing is drawn any more', async () => {
    const { fake, signer } = await setUp(DESKTOP);
    const { page, texts } = signer;
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await signer.toSign();
    for (const name of [texts.sign.undo, texts.sign.clear]) {
      await signer.draw();
      const button = page.getByRole('button', { name, exact: true });
      await button.focus();
      for (let press = 0; press < 3; press++) await page.keyboard.press('Enter');
      await page.getByRole('img', { name: texts.sign.pad, exact: true }).waitFor();
      expect(await isFocused(button)).toBe(true);
      expect(await button.getAttribute('aria-disabled')).toBe('true');
    }
    expect(await accessibilityFindings(page)).toEqual([]);
  });
});

it('that the sealed document and the evidence were downloaded is announced', async () => {
  const { fake, signer, tab } = await setUp(DESKTOP);
  await signer.signAll(fake.link, CODE);
  Object.assign(fake.view.request, { status: 'signed', evidence: true });
  const { done, document } = signer.texts;
  for (const name of [done.download, done.downloadEvidence]) {
    const announced = tab.page.locator('[aria-live] p', { hasText: document.downloaded });
    const earlier = (await announced.count()) > 0 ? await announced.elementHandle() : null;
    await signer.download(() => signer.press(name));
    await announced.waitFor();
    await tab.page.waitForFunction((shown) => !shown?.isConnected, earlier);
  }
});

const position = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => getComputedStyle(element).position);

describe('screen sizes', () => {
  describe('with a font size of 200 %', () => {
    const setUpLarge = pageSetup({ largeLetters: true });

    it('with large letters the page fits the screen, and its bars scroll away', async () => {
      const { fake, signer, tab } = await setUpLarge(PHONE);
      const { page } = tab;
      await signer.open(fake.link);
      expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('34px');
      await expectFits(page, 390);
      await screenshot(page, 'large-1-code', true);
      await signer.enterCode(CODE);
      await signer.readDocument();
      await expectFits(page, 390);
      await screenshot(page, 'large-2-document', true);
      expect(await position(page, '.reading-actions')).toBe('static');
      await page.locator('summary', { hasText: signer.texts.document.more }).click();
      const menu = await page.locator('.more-choices').boundingBox();
      expect(menu?.x).toBeGreaterThanOrEqual(0);
      expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(390);
      await screenshot(page, 'large-2-document-menu');
      await page.keyboard.press('Escape');
      await signer.press(signer.texts.document.search);
      await page.getByRole('searchbox').fill('rent');
      await signer.press(signer.texts.document.nextMatch);
      await expectFits(page, 390);
      await screenshot(page, 'large-2-document-search');
      await page.keyboard.press('Escape');
      await signer.toSign();
      await expectFits(page, 390);
      await screenshot(page, 'large-3-sign', true);
      expect(await accessibilityFindings(page)).toEqual([]);
    });

    it('with large letters the facts about the document have the width of the screen, and no word breaks', async () => {
      const { fake, signer, tab } = await setUpLarge(PHONE, 'fi');
      fake.linkStatus.locale = 'fi';
      const { page } = tab;
      await signer.open(fake.link);
      await signer.enterCode(CODE);
      await signer.readDocument();
      await page.locator('.letter > summary').click();
      await screenshot(page, 'large-2-document-facts', true);
      const widths = await page
        .locator('.facts dd')
        .evaluateAll((facts) => facts.map((fact) => fact.clientWidth));
      expect(Math.min(...widths)).toBeGreaterThan(300);
      await signer.toSign();
      await signer.draw();
      await screenshot(page, 'large-3-sign-drawn', true);
      expect(await labelFaults(page)).toEqual([]);
    });
  });

  it('a drawing stays the same when the phone is rotated', async () => {
    const { fake, signer, tab } = await setUp(PHONE);
    const { page } = tab;
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await signer.toSign();
    await signer.draw();
    const ink = () => page.locator('.pad-ink').getAttribute('d');
    const drawn = await ink();
    await page.setViewportSize({ width: 844, height: 390 });
    await page.locator('svg.pad').scrollIntoViewIfNeeded();
    await screenshot(page, 'phone-turned-3-sign');
    expect(await ink()).toBe(drawn);
    await signer.press(signer.texts.sign.undo);
    expect((await ink())?.match(/M/g)).toHaveLength(1);
  });

  it('on a phone in landscape the bars scroll away', async () => {
    const { fake, signer, tab } = await setUp({ ...PHONE, viewport: { width: 844, height: 390 } });
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await tab.page.locator('.sheet').first().scrollIntoViewIfNeeded();
    await screenshot(tab.page, 'phone-turned-2-document');
    expect(await position(tab.page, '.reading-actions')).toBe('static');
  });
});

it('only the spinner moves if the signer prefers reduced motion', async () => {
  const { fake, signer } = await setUp();
  await signer.signAll(fake.link, CODE);
  const moving = await signer.page.evaluate(() =>
    document.getAnimations().map((animation) => animation.constructor.name),
  );
  // The spinner, which turns slowly during the sealing.
  expect(moving.length).toBeLessThanOrEqual(1);
});

it('without scripts the page says in every language that it needs them', async () => {
  const { fake, tab } = await setUp({ ...PHONE, javaScriptEnabled: false });
  await tab.page.goto(fake.link);
  for (const locale of LOCALES) {
    await tab.page.locator(`[lang=${locale}]`, { hasText: INSTEAD_TEXTS[locale].noScript.sign }).waitFor();
  }
  await screenshot(tab.page, 'phone-no-scripts');
});

const isSaid = (page: Page, locale: Locale) =>
  page.locator(`p[lang=${locale}]`, { hasText: INSTEAD_TEXTS[locale].notLoaded }).isVisible();

it('a page whose scripts do not come says so in every language', async () => {
  const { fake, tab } = await setUp(PHONE);
  await tab.page.route('**/assets/*.js', (route) => route.abort());
  await tab.page.goto(fake.link);
  for (const locale of LOCALES) expect(await isSaid(tab.page, locale)).toBe(false);
  // Ten seconds pass.
  await tab.page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  for (const locale of LOCALES) expect(await isSaid(tab.page, locale)).toBe(true);
  expect(await accessibilityFindings(tab.page)).toEqual([]);
  await screenshot(tab.page, 'phone-not-loaded');
});
