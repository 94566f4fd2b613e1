import type { Locator, Page } from 'playwright-core';
import { LOCALES } from '../../shared/texts/languages.ts';
import { formatMoment } from '../../web/parts/format.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { until } from '../support/until.ts';
import { accessibilityFindings, DESKTOP, opensFocused, PHONE, SMALL_PHONE, screenshot } from './browser.ts';
import { pictureOf } from './ink.ts';
import { expectFits } from './layout.ts';
import { type PageSetup, pageSetup } from './page-setup.ts';
import { contractPdf, receiptPdf, turnedPdf } from './pdfs.ts';

const setUp = pageSetup();

async function reading(scene: PageSetup, pages?: number) {
  const { fake, signer } = scene;
  if (pages) fake.setDocument(await contractPdf(pages));
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.seesHeading(signer.texts.document.heading);
  await signer.page.locator('.sheet canvas').first().waitFor();
  await signer.waitUntilDrawn();
  return scene;
}

/** Share of the screen that shows the document, uncovered by bars, before anything is scrolled. */
const shareOfDocument = (page: Page) =>
  page.evaluate(() => {
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const top = box('.sheets')?.top ?? 0;
    const bottom = Math.min(box('.sheets')?.bottom ?? 0, box('.reading-actions')?.top ?? 0);
    return (bottom - top) / window.innerHeight;
  });

it.each(LOCALES)('the document has at least 70 %% of a phone’s first screen in %s', async (locale) => {
  const scene = await setUp(PHONE, locale);
  const { fake, signer } = scene;
  fake.linkStatus.locale = locale;
  fake.view.request.test = true;
  fake.view.document.attachments = { count: 1, listed: [{ filename: 'factur-x.xml', size: 12_345 }] };
  fake.view.request.message = 'A long message. '.repeat(200);
  await reading(scene);
  await screenshot(signer.page, `phone-${locale}-2-document-first-screen`);
  expect(await signer.page.evaluate(() => window.scrollY)).toBe(0);
  expect(await shareOfDocument(signer.page)).toBeGreaterThanOrEqual(0.7);
});

it('the message of the sender opens behind one row, with the attached files and the facts', async () => {
  const { fake, signer } = await reading(await setUp());
  const { page, texts } = signer;
  const message = page.getByText('here is the lease as agreed');
  expect(await message.isVisible()).toBe(false);
  await page.getByText(texts.document.messageFrom(fake.view.request.sender_name)).click();
  await message.waitFor();
  await page.getByText(fake.view.document.filename).waitFor();
  await screenshot(page, 'phone-en-2-document-letter', true);
  expect(await accessibilityFindings(page)).toEqual([]);
});

/** Notes the colour of each page when its canvas has got its size and pdf.js has not drawn on it yet. */
const noteFirstColours = (page: Page) =>
  page.addInitScript(() => {
    const colours: number[][] = [];
    Object.assign(window, { colours });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (!(target instanceof HTMLCanvasElement) || !target.closest('.sheet') || target.width === 0)
          continue;
        colours.push([...(target.getContext('2d')?.getImageData(5, 5, 1, 1).data ?? [])]);
      }
    }).observe(document, { subtree: true, attributeFilter: ['width'] });
  });

it('a page is white, not black, before it is drawn', async () => {
  const scene = await setUp();
  await noteFirstColours(scene.signer.page);
  await reading(scene, 3);
  const colours = await scene.signer.page.evaluate(() => Reflect.get(window, 'colours'));
  expect(colours).not.toEqual([]);
  for (const colour of colours) expect(colour).toEqual([255, 255, 255, 255]);
});

it('a page that is far away is white, not black, until it is drawn again', async () => {
  const scene = await setUp(PHONE);
  const { page } = scene.signer;
  await reading(scene, 8);
  const canvas = page.locator('[data-page="1"] canvas');
  await page.evaluate(() => window.scrollTo(0, 1_000_000));
  await until(() => canvas.evaluate((element) => Reflect.get(element, 'width') === 0), 'page 1 dropped');
  const { x, top } = await canvas.evaluate((element) => {
    const box = element.getBoundingClientRect();
    return { x: box.x, top: box.y + window.scrollY };
  });
  const clip = { x: x + 5, y: top + 5, width: 20, height: 20 };
  const { data } = pictureOf(await page.screenshot({ fullPage: true, clip }));
  expect(new Set(data)).toEqual(new Set([255]));
});

it('a page that a signer has scrolled past before it was read is not drawn', async () => {
  const scene = await setUp(PHONE);
  const { page } = scene.signer;
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    const held: (() => void)[] = [];
    const release = () => {
      Worker.prototype.postMessage = postMessage;
      for (const send of held) send();
    };
    Object.assign(window, { held, release });
    Worker.prototype.postMessage = function (...args: unknown[]) {
      const send = () => Reflect.apply(postMessage, this, args);
      const [message] = args as [{ action?: string; data?: { pageIndex?: number } }];
      if (message.action === 'GetPage' && message.data?.pageIndex === 30) held.push(send);
      else send();
    };
  });
  await reading(scene, 40);
  const sheet = page.locator('[data-page="31"]');
  await sheet.evaluate((element) => element.scrollIntoView());
  await until(async () => (await pageInView(page)) === 31, 'page 31 in view');
  await frames(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await frames(page);
  await page.evaluate(() => Reflect.get(window, 'release')());
  await sheet.getByText('Section 31').first().waitFor({ state: 'attached' });
  expect(await sheet.locator('canvas').evaluate((canvas) => Reflect.get(canvas, 'width'))).toBe(0);
});

it('of a long document the first pages are drawn before the text of the others is read', async () => {
  const scene = await setUp(PHONE);
  const { page } = scene.signer;
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    const asked: string[] = [];
    Object.assign(window, { asked });
    Worker.prototype.postMessage = function (...args: unknown[]) {
      const [{ action }] = args as [{ action?: string }];
      if (action) asked.push(action);
      Reflect.apply(postMessage, this, args);
    };
  });
  await reading(scene, 80);
  const asked: string[] = await page.evaluate(() => Reflect.get(window, 'asked'));
  const beforeDrawing = asked.slice(0, asked.indexOf('GetOperatorList'));
  expect(beforeDrawing.filter((action) => action === 'GetTextContent').length).toBeLessThan(10);
  await page.locator('[data-page="80"]').getByText('Section 80').waitFor({ state: 'attached' });
});

it('a document that brings no fonts is drawn in the standard ones, not in those of the device', async () => {
  const scene = await setUp();
  const fonts: string[] = [];
  scene.signer.page.on('requestfinished', (request) => {
    const [, name] = /\/standard_fonts\/(.+)$/.exec(request.url()) ?? [];
    if (name) fonts.push(name);
  });
  await reading(scene);
  expect(fonts.toSorted()).toEqual(['FoxitSerif.pfb', 'FoxitSerifBold.pfb']);
});

/** The places of a sheet's word, as shown and as text: middle and length in pixels. Undefined until both are there. */
const wordOn = (sheet: Locator) =>
  sheet.evaluate((element) => {
    const canvas = element.querySelector('canvas');
    const text = element.querySelector('.text-layer span')?.getBoundingClientRect();
    const context = canvas?.getContext('2d');
    if (!canvas?.width || !context || !text) return undefined;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let [left, top, right, bottom] = [canvas.width, canvas.height, 0, 0];
    for (let at = 0; at < data.length; at += 4) {
      if ((data[at] ?? 255) > 128) continue;
      const [x, y] = [(at / 4) % canvas.width, Math.floor(at / 4 / canvas.width)];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
    if (right === 0) return undefined;
    const box = canvas.getBoundingClientRect();
    const scale = box.width / canvas.width;
    const ink = new DOMRect(
      box.x + left * scale,
      box.y + top * scale,
      (right - left) * scale,
      (bottom - top) * scale,
    );
    return [ink, text].map(({ x, y, width, height }) => ({
      x: x + width / 2,
      y: y + height / 2,
      length: Math.max(width, height),
    }));
  });

it('the text to search and select lies on what is drawn, on turned pages and in any unit', async () => {
  const scene = await setUp(PHONE);
  scene.fake.setDocument(await turnedPdf());
  const { page } = (await reading(scene)).signer;
  for (const number of [1, 2, 3, 4, 5]) {
    const sheet = page.locator(`[data-page="${number}"]`);
    await sheet.evaluate((element) => element.scrollIntoView());
    const [ink, text] = await until(() => wordOn(sheet), `the word on page ${number}`);
    if (!ink || !text) throw new Error('Both are found together.');
    const apart = Math.hypot(ink.x - text.x, ink.y - text.y);
    const stretched = Math.abs(text.length / ink.length - 1);
    expect({ number, apart, stretched, fits: apart < 10 && stretched < 0.15 }).toMatchObject({ fits: true });
  }
});

/** A page hears of each place with the next frame. */
const frames = (page: Page) =>
  page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));

const pageInView = (page: Page) =>
  page.evaluate(() => {
    const sheet = document
      .elementsFromPoint(window.innerWidth / 2, window.innerHeight / 2)
      .map((element) => element.closest<HTMLElement>('[data-page]'))
      .find((found) => found !== null);
    return Number(sheet?.dataset.page ?? 0);
  });

async function goToPage({ page, texts }: PageSetup['signer'], number: number, shown: number) {
  const field = page.getByLabel(texts.document.goToPage);
  await field.fill(String(number));
  await field.press('Enter');
  await until(async () => (await pageInView(page)) === shown, `page ${shown} in view`);
  expect(await field.inputValue()).toBe(String(shown));
}

it('a signer can go to a page by its number', async () => {
  const { signer } = await reading(await setUp(PHONE), 40);
  await goToPage(signer, 31, 31);
  // A number beyond the end means the last page.
  await goToPage(signer, 99, 40);
  await screenshot(signer.page, 'phone-en-2-document-page-40');
});

it('digits of an Arabic or Persian keyboard lead to a page too', async () => {
  const { signer } = await reading(await setUp(PHONE), 40);
  const field = signer.page.getByLabel(signer.texts.document.goToPage);
  await field.fill('٣١');
  await field.press('Enter');
  await until(async () => (await pageInView(signer.page)) === 31, 'page 31 in view');
  await field.fill('۹');
  await field.press('Enter');
  await until(async () => (await pageInView(signer.page)) === 9, 'page 9 in view');
});

it('a selected text stays selected while its page is away, however long the document is', async () => {
  const { fake, signer } = await setUp(PHONE);
  const { page } = signer;
  fake.setDocument(await contractPdf(84));
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await page.locator('[data-page="84"]').waitFor();
  const isDrawn = () =>
    page.evaluate(
      () => (document.querySelector<HTMLCanvasElement>('[data-page="84"] canvas')?.width ?? 0) > 0,
    );
  // Not by the number of the page: its field would take the selection.
  const scrollTo = (top: number) => page.evaluate((to) => window.scrollTo(0, to), top);
  await scrollTo(1_000_000);
  await until(isDrawn, 'page 84 drawn');
  const text = page.locator('[data-page="84"] .text-layer span', { hasText: 'Section 84' });
  await text.evaluate((element) => getSelection()?.selectAllChildren(element));
  const selected = () => page.evaluate(() => String(getSelection()));
  expect(await selected()).toContain('Section 84');
  await scrollTo(0);
  await until(async () => !(await isDrawn()), 'page 84 dropped');
  await scrollTo(1_000_000);
  await until(isDrawn, 'page 84 drawn again');
  expect(await selected()).toContain('Section 84');
});

it('zooming and rotating the phone keep the page that is read', async () => {
  const { signer } = await reading(await setUp(PHONE), 40);
  const { page, texts } = signer;
  await goToPage(signer, 31, 31);
  const top = () => page.locator('[data-page="31"]').evaluate((sheet) => sheet.getBoundingClientRect().top);
  const { zoomIn, zoomOut } = texts.document;
  for (const name of [zoomIn, zoomIn, zoomOut]) {
    await page.getByLabel(name).click();
    expect(await pageInView(page)).toBe(31);
  }
  await page.getByLabel(zoomOut).click();
  await page.evaluate(() => window.scrollBy(0, 300));
  await frames(page);
  const before = await top();
  const { width = 0, height = 0 } = PHONE.viewport ?? {};
  await page.setViewportSize({ width: height, height: width });
  await until(async () => (await pageInView(page)) === 31, 'page 31 in view on the rotated phone');
  await page.setViewportSize({ width, height });
  // The gaps between pages keep their size.
  await until(async () => Math.abs((await top()) - before) < 20, 'the same line at the top');
});

it('the target of a jump starts below the bar', async () => {
  const { signer } = await reading(await setUp(PHONE), 40);
  const { page, texts } = signer;
  const number = page.getByLabel(texts.document.goToPage);
  await number.fill('31');
  await number.press('Enter');
  await until(async () => (await pageInView(page)) === 31, 'page 31 in view');
  const [bar, sheet] = await Promise.all(
    ['.viewer-tools', '[data-page="31"]'].map((part) => page.locator(part).boundingBox()),
  );
  const gap = (sheet?.y ?? 0) - ((bar?.y ?? 0) + (bar?.height ?? 0));
  expect(gap).toBeGreaterThan(0);
  expect(gap).toBeLessThan(60);
});

it.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const)('the keyboard reaches the bars of the document without moving it, on a %s', async (_, screen) => {
  const { signer, fake } = await reading(await setUp(screen), 12);
  const { page, texts } = signer;
  for (const call of ['/open', '/request']) fake.dropNext(call, 10);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await signer.seesText(texts.connection.lost);
  await page.evaluate(() => window.scrollTo(0, 1_200));
  const bars = page
    .locator('.banner-area, .viewer-tools, .reading-actions')
    .locator('button:enabled, input, summary');
  expect(await bars.count()).toBeGreaterThan(5);
  for (const stop of await bars.all()) {
    await stop.evaluate((element: HTMLElement) => element.focus());
    expect(await page.evaluate(() => window.scrollY)).toBe(1_200);
  }
});

it('a signer reads on where they were after a reload, and after a look at the next step', async () => {
  const { signer } = await reading(await setUp(PHONE), 12);
  const { page, texts } = signer;
  const number = page.getByLabel(texts.document.goToPage);
  const isBack = () => until(async () => (await pageInView(page)) === 9, 'page 9 in view again');
  await number.fill('9');
  await number.press('Enter');
  await isBack();
  // As a phone does that unloaded the page while its signer was in the mail program.
  await page.reload();
  await isBack();
  expect(await number.inputValue()).toBe('9');
  // By key: Playwright scrolls before it clicks, here by half a screen.
  await page.getByRole('button', { name: texts.document.toSign }).press('Enter');
  await signer.seesHeading(texts.sign.heading);
  await page.goBack();
  await isBack();
  await number.fill('1');
  await number.press('Enter');
  await until(async () => (await pageInView(page)) === 1, 'page 1 in view');
  await page.reload();
  await signer.readDocument();
  expect(await pageInView(page)).toBe(1);
});

describe('the number of the page', () => {
  it('is that of the page in the middle again after a look over its border', async () => {
    const { signer } = await reading(await setUp(DESKTOP), 12);
    const { page, texts } = signer;
    const number = page.getByLabel(texts.document.goToPage);
    const current = page.locator('.thumbnails [aria-current]');
    const expectNumber = async (expected: number) => {
      await until(async () => (await number.inputValue()) === String(expected), `the number ${expected}`);
      expect(await current.getAttribute('aria-label')).toBe(texts.document.page(expected, 12));
    };
    await page.evaluate(() => {
      const next = document.querySelector('[data-page="2"]')?.getBoundingClientRect();
      window.scrollBy(0, (next?.top ?? 0) + 3 - window.innerHeight / 2);
    });
    await expectNumber(2);
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectNumber(1);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expectNumber(12);
  });

  it('is 1 at the top of a low screen, where the document begins below the middle', async () => {
    const { signer } = await reading(await setUp({ ...PHONE, viewport: { width: 640, height: 300 } }), 12);
    const { page, texts } = signer;
    const number = page.getByLabel(texts.document.goToPage);
    await number.fill('9');
    await number.press('Enter');
    await until(async () => (await pageInView(page)) === 9, 'page 9 in view');
    // The page hears of it with the next frame, and would not if it were out of view again by then.
    await page.evaluate(
      () => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))),
    );
    await page.evaluate(() => window.scrollTo(0, 0));
    await until(async () => (await number.inputValue()) === '1', 'the number 1');
    expect(await pageInView(page)).toBe(0);
  });
});

it('Escape closes the menu of other choices, and leads back to its button', async () => {
  const { signer } = await reading(await setUp(DESKTOP));
  const { page, texts } = signer;
  const menu = page.locator('summary', { hasText: texts.document.more });
  const later = page.getByRole('button', { name: texts.document.toLater });
  for (const tabs of [0, 1]) {
    await menu.press('Enter');
    await later.waitFor();
    for (let stop = 0; stop < tabs; stop++) await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await later.waitFor({ state: 'hidden' });
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);
  }
});

it('the menu of other choices closes when something else is clicked or focused', async () => {
  const { signer } = await reading(await setUp(DESKTOP));
  const { page, texts } = signer;
  const menu = page.locator('summary', { hasText: texts.document.more });
  const later = page.getByRole('button', { name: texts.document.toLater });
  for (const leave of [
    () => page.locator('.sheet').first().click(),
    () => page.getByLabel(signer.languageLabel).focus(),
  ]) {
    await menu.click();
    await later.waitFor();
    await leave();
    await later.waitFor({ state: 'hidden' });
  }
});

describe('the search', () => {
  it('its field has the focus as soon as it is there', async () => {
    const { signer } = await reading(await setUp(PHONE), 3);
    const open = signer.page.getByRole('button', { name: signer.texts.document.search });
    expect(await opensFocused(open, '[type=search]')).toBe(true);
  });

  it('finds words on pages that were never near, and goes from match to match', async () => {
    const { signer } = await reading(await setUp(PHONE), 84);
    const { page, texts } = signer;
    await page.getByRole('button', { name: texts.document.search }).click();
    const words = page.getByRole('searchbox', { name: texts.document.search });
    await words.fill('section 8');
    // “Section 8”, and “Section 80” to “Section 84”.
    await signer.seesText(texts.document.found(1, 6, 8));
    await until(async () => (await pageInView(page)) === 8, 'page 8 in view');
    await words.press('Enter');
    await signer.seesText(texts.document.found(2, 6, 80));
    await page.getByRole('button', { name: texts.document.previousMatch }).click();
    await page.getByRole('button', { name: texts.document.previousMatch }).click();
    await signer.seesText(texts.document.found(6, 6, 84));
    await until(async () => (await pageInView(page)) === 84, 'page 84 in view');
    const marked = () =>
      page.evaluate(() => [...(CSS.highlights.get('current-match') ?? [])].map((range) => String(range)));
    await until(async () => (await marked()).join() === 'Section 8', 'the match to be marked');
    await screenshot(page, 'phone-en-2-document-search');
    expect(await accessibilityFindings(page)).toEqual([]);
    await words.fill('no such words');
    await signer.seesText(texts.document.notFound);
    // Takes back what an input method composes, and no more.
    await words.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    await words.press('Escape');
    await words.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      texts.document.search,
    );
    expect(await marked()).toEqual([]);
  });

  it('Enter leads back to the only match, also at the end of a page', async () => {
    const { signer } = await reading(await setUp(DESKTOP));
    const { page, texts } = signer;
    await page.getByRole('button', { name: texts.document.search }).click();
    const words = page.getByRole('searchbox', { name: texts.document.search });
    await words.fill('page 2');
    await signer.seesText(texts.document.found(1, 1, 2));
    const isInView = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get('current-match') ?? [];
        const box = range instanceof Range ? range.getBoundingClientRect() : null;
        return box !== null && box.top > 0 && box.bottom < window.innerHeight;
      });
    await until(isInView, 'the match in view');
    await page.evaluate(() => window.scrollTo(0, 0));
    await until(async () => !(await isInView()), 'the match out of view');
    await words.press('Enter');
    await until(isInView, 'the match in view again');
  });

  it('finds words in browsers that cannot iterate over a stream: Safari, and Chrome before 124', async () => {
    const scene = await setUp();
    await scene.tab.page.addInitScript(() => {
      Object.assign(ReadableStream.prototype, { [Symbol.asyncIterator]: undefined, values: undefined });
    });
    const { signer } = await reading(scene);
    const { page, texts } = signer;
    await page.getByRole('button', { name: texts.document.search }).click();
    await page.getByRole('searchbox', { name: texts.document.search }).fill('landlord');
    await signer.seesText(texts.document.found(1, 30, 1));
  });

  it('says so if the document could not be searched', async () => {
    const { signer } = await reading(await setUp(SMALL_PHONE));
    const { page, texts } = signer;
    await page.evaluate(() => {
      ReadableStream.prototype.getReader = () => {
        throw new Error('There is no reader.');
      };
    });
    await page.getByRole('button', { name: texts.document.search }).click();
    await page.getByRole('searchbox', { name: texts.document.search }).fill('landlord');
    await page.getByText(texts.document.searchFailed).waitFor();
    await screenshot(page, 'small-en-2-document-search-failed');
    await expectFits(page, 320);
  });

  it('fits the smallest phone', async () => {
    const { signer } = await reading(await setUp(SMALL_PHONE));
    const { page, texts } = signer;
    await page.getByRole('button', { name: texts.document.search }).click();
    await page.getByRole('searchbox').fill('landlord');
    await page.getByText('1 / 30').waitFor();
    await screenshot(page, 'small-en-2-document-search');
    await expectFits(page, 320);
  });
});

it('on a wide screen small pages lead to the pages, by mouse and by keyboard', async () => {
  const { signer } = await reading(await setUp(DESKTOP), 12);
  const { page, texts } = signer;
  const pages = page.getByRole('navigation', { name: texts.document.pages });
  const thumbnail = (number: number) => pages.getByRole('button', { name: texts.document.page(number, 12) });
  await page.waitForFunction(
    () => (document.querySelector<HTMLCanvasElement>('.thumbnails canvas')?.width ?? 0) > 0,
  );
  await screenshot(page, 'desktop-2-document-thumbnails');
  await thumbnail(3).click();
  await until(async () => (await pageInView(page)) === 3, 'page 3 in view');
  expect(await thumbnail(3).getAttribute('aria-current')).toBe('page');
  await page.keyboard.press('ArrowDown');
  await until(async () => (await pageInView(page)) === 4, 'page 4 in view');
  expect(await thumbnail(4).evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('End');
  await until(async () => (await pageInView(page)) === 12, 'page 12 in view');
  // One stop for the tab key, however many pages there are.
  expect(await pages.locator('button[tabindex="0"]').count()).toBe(1);
  expect(await accessibilityFindings(page)).toEqual([]);
});

it('a small page has the proportions of its page, however long that is', async () => {
  const scene = await setUp(DESKTOP);
  scene.fake.setDocument(await receiptPdf());
  await reading(scene);
  const small = scene.signer.page.locator('.thumbnails canvas');
  const proportions = await small.evaluateAll((pages) =>
    pages.map((page) => page.getBoundingClientRect()).map(({ width, height }) => width / height),
  );
  expect(proportions[0]).toBeCloseTo(595 / 842, 1);
  expect(proportions[1]).toBeCloseTo(300 / 3_000, 1);
});

it.each(LOCALES)('a signer who wants to sign later learns until when, in %s', async (locale) => {
  const scene = await setUp(PHONE, locale);
  const { fake, signer } = scene;
  fake.linkStatus.locale = locale;
  await reading(scene);
  const { page, texts } = signer;
  await signer.chooseOther(texts.document.toLater);
  await signer.seesHeading(texts.document.toLater);
  const until = formatMoment(fake.view.request.expires_at, locale, 'Europe/Helsinki');
  await signer.seesText(texts.later.text(until));
  await signer.seesText(fake.view.request.title);
  await screenshot(page, `phone-${locale}-3-later`, true);
  expect(await accessibilityFindings(page)).toEqual([]);
  await signer.press(texts.document.back);
  await signer.seesHeading(texts.document.heading);
  expect(fake.callsOf('/decline')).toEqual([]);
});
