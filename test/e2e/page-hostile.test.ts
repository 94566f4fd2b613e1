import { PDFDocument } from 'pdf-lib';
import { formatSize } from '../../shared/texts/file-size.ts';
import { LOCALES } from '../../shared/texts/languages.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { accessibilityFindings, DESKTOP, PHONE, screenshot } from './browser.ts';
import { type PageSetup, pageSetup } from './page-setup.ts';
import {
  brokenPagePdf,
  damagedScanPdf,
  hostilePdf,
  japanesePdf,
  lostFontPdf,
  namelessFontPdf,
  scannedPdf,
} from './pdfs.ts';
import { clickLinksAndButtons, recordUnwantedEffects } from './unwanted-effects.ts';

const setUp = pageSetup();

const SCRIPT = '<img src=x onerror="window.harmed=true"><script>window.harmed=true</script>';
const REVERSED = '\u202egnp.exe';

it('the texts of a sender are plain text in a labelled frame, without links and scripts', async () => {
  const { fake, signer, tab } = await setUp();
  const { page } = tab;
  const words = {
    title: `Title ${SCRIPT} ${REVERSED}`,
    message: `Message ${SCRIPT}\nhttps://evil.example/ [click](javascript:alert(1)) www.evil.example\n${'very long '.repeat(200)}`,
    sender_name: `Sender ${SCRIPT}`,
  };
  Object.assign(fake.view.request, words);
  fake.view.signer.name = `Signer ${SCRIPT}`;
  fake.view.document.filename = `File ${SCRIPT} ${REVERSED}`;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await page.locator('.letter summary').click();
  await screenshot(page, 'phone-en-2-document-hostile-words', true);
  const frame = page.locator('.letter');
  for (const text of Object.values(words)) {
    expect(await frame.textContent()).toContain(text.replace('\u202e', ''));
  }
  expect(await page.locator('body').textContent()).not.toContain('\u202e');
  await signer.toSign();
  expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe(`Signer ${SCRIPT}`);
  await screenshot(page, 'phone-en-3-sign-hostile-words', true);
  await signer.agree();
  await signer.sign();
  await screenshot(page, 'phone-en-4-done-hostile-words', true);
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  expect(await page.locator('a, img, iframe, body script').count()).toBe(0);
  expect(tab.errors).toEqual([]);
});

describe('files attached to the document', () => {
  const listed = [
    { filename: 'factur-x.xml', size: 12_345 },
    { filename: `<img src=x onerror="window.harmed=true">${REVERSED}`, size: 999 },
    { filename: '\u200b\u0007', size: 0 },
  ];

  it.each(LOCALES)('are listed by name and size in %s, as plain text', async (locale) => {
    const { fake, signer, tab } = await setUp(PHONE, locale);
    const { page } = tab;
    const { texts } = signer;
    fake.linkStatus.locale = locale;
    fake.view.document.attachments = { count: 3, listed };
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    // Seen before the letter is opened, too.
    await page.getByText(texts.document.attachments(3)).first().click();
    const files = page.getByRole('region', { name: texts.document.attachments(3) });
    const items = await files.getByRole('listitem').allTextContents();
    expect(items).toEqual([
      `factur-x.xml ${formatSize(12_345, locale)}`,
      `<img src=x onerror="window.harmed=true">gnp.exe ${formatSize(999, locale)}`,
      `${texts.document.unnamed} ${formatSize(0, locale)}`,
    ]);
    await files.scrollIntoViewIfNeeded();
    await screenshot(page, `phone-${locale}-2-document-attachments`);
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(tab.errors).toEqual([]);
  });

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const)('that are many and have long names stay within the page on a %s', async (name, device) => {
    const { fake, signer, tab } = await setUp(device);
    const { page } = tab;
    const { texts } = signer;
    const long = { filename: 'W'.repeat(255), size: 1_234_567 };
    fake.view.document.attachments = { count: 1_000, listed: [...listed, ...Array(17).fill(long)] };
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    const more = page.getByRole('listitem').filter({ hasText: texts.document.moreAttachments(980) });
    if (!(await more.isVisible())) await page.locator('.letter summary').click();
    await more.waitFor();
    const { width = 0 } = page.viewportSize() ?? {};
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await screenshot(page, `${name}-en-2-document-many-attachments`, true);
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  it('are not mentioned where there are none', async () => {
    const { fake, signer } = await setUp();
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await signer.page.locator('.letter summary').click();
    expect(await signer.page.locator('.attachments').count()).toBe(0);
  });
});

it.each([
  ['words', 'W'.repeat(200)],
  ['chains of joined characters', `${'\u0600'.repeat(199)}١`],
])('very long %s do not widen the page, and cover no label', async (_, endless) => {
  const { fake, signer } = await setUp();
  Object.assign(fake.view.request, { title: endless, message: endless, sender_name: endless });
  Object.assign(fake.view.signer, { name: endless, email: `${'w'.repeat(60)}@${'w'.repeat(60)}.example` });
  fake.view.document.filename = endless;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.page.locator('.letter summary').click();
  expect(await signer.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // A trial is refused where something else would get the click.
  for (const label of await signer.page.locator('.facts dt').all()) await label.click({ trial: true });
  await signer.toSign();
  expect(await signer.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

it('a document with scripts, launch actions and huge pages is shown, and nothing in it runs', async () => {
  const { fake, signer, tab } = await setUp(DESKTOP);
  const { page } = tab;
  const effects = recordUnwantedEffects(page, new URL(fake.link).origin);
  fake.setDocument(await hostilePdf());
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await screenshot(page, 'desktop-2-document-hostile');
  await clickLinksAndButtons(page);
  const huge = page.locator('.sheet').nth(1);
  await huge.scrollIntoViewIfNeeded();
  await page.waitForFunction(
    () => (document.querySelectorAll<HTMLCanvasElement>('.sheet canvas')[1]?.width ?? 0) > 0,
  );
  const pixels = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLCanvasElement>('.sheet canvas')].map(
      ({ width, height }) => width * height,
    ),
  );
  expect(Math.max(...pixels)).toBeLessThanOrEqual(12_000_000);
  await page.locator('.sheet').nth(2).scrollIntoViewIfNeeded();
  await signer.toSign();
  expect(effects).toEqual([]);
  expect(tab.errors).toEqual([]);
  expect(page.url()).toBe(fake.link);
});

it('a scan can be decoded under the content security policy', async () => {
  const { fake, signer, tab } = await setUp();
  fake.setDocument(await scannedPdf());
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await tab.page.getByText(signer.texts.document.noText).waitFor({ state: 'attached' });
  expect(tab.errors).toEqual([]);
});

/** Opens a document, of which the pages before the last one say that they are not shown completely. */
async function expectIncomplete(
  { fake, signer, tab: { page } }: PageSetup,
  document: Uint8Array,
  pages: number,
) {
  fake.setDocument(document);
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  const failed = signer.texts.document.pageFailed;
  const sheetOf = (number: number) => page.locator(`[data-page="${number}"]`);
  for (let number = 1; number <= pages; number += 1) {
    await sheetOf(number).scrollIntoViewIfNeeded();
    await sheetOf(number).getByText(failed).waitFor();
  }
  await sheetOf(pages + 1).scrollIntoViewIfNeeded();
  await page.getByText('Shown', { exact: true }).waitFor();
  expect(await page.getByText(failed).count()).toBe(pages);
  expect(await accessibilityFindings(page)).toEqual([]);
}

it('every page with an image that cannot be decoded says that it is not shown completely, and no other', async () => {
  const scene = await setUp();
  const pdf = await PDFDocument.load(await damagedScanPdf(3));
  pdf.addPage([200, 200]).drawText('Shown', { x: 40, y: 100 });
  await expectIncomplete(scene, await pdf.save(), 3);
  expect(scene.tab.errors).toEqual([]);
});

it('every page whose letters could not be loaded says that it is not shown completely, and no other', async () => {
  const scene = await setUp();
  await scene.tab.page.route('**/cmaps/**', (route) => route.abort());
  await expectIncomplete(scene, await japanesePdf(2), 2);
});

it('every page with a font without a name says that it is not shown completely, and no other', async () => {
  await expectIncomplete(await setUp(), await namelessFontPdf(), 2);
});

it('a page that names a font that is not there says that it is not shown completely, and no other', async () => {
  await expectIncomplete(await setUp(), await lostFontPdf(), 1);
});

it.each([1, 2])('of a document whose page %i cannot be read, the other pages are shown', async (broken) => {
  const { fake, signer, tab } = await setUp();
  const { page } = tab;
  fake.setDocument(await brokenPagePdf(broken));
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  for (const number of [1, 2, 3]) {
    const sheet = page.getByRole('article', { name: signer.texts.document.page(number, 3) });
    await sheet.scrollIntoViewIfNeeded();
    const sentence = number === broken ? signer.texts.document.pageFailed : `Section ${number}`;
    await sheet.getByText(sentence).waitFor();
  }
  expect(await page.getByText(signer.texts.document.pageFailed).count()).toBe(1);
});

it('a document that cannot be shown can be downloaded and signed', async () => {
  const { fake, signer } = await setUp();
  fake.setDocument(new TextEncoder().encode('%PDF-1.4 and then nothing that makes sense'));
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.page.getByRole('alert').getByText(signer.texts.document.cannotShow).waitFor();
  await screenshot(signer.page, 'phone-en-2-document-unreadable');
  const saved = await signer.download(() => signer.press(signer.texts.document.download));
  expect(saved).toEqual({ name: 'Lease agreement.pdf', bytes: Buffer.from(fake.document) });
  await signer.toSign();
});
