import { CODE } from '../support/fake-signer-api.ts';
import { DESKTOP, picture } from './browser.ts';
import { clickItsTraps, watchForStrangeness } from './hostile-document.ts';
import { stage } from './page-stage.ts';
import { hostilePdf, scannedPdf } from './pdfs.ts';

const enter = stage();

const SCRIPT = '<img src=x onerror="window.harmed=true"><script>window.harmed=true</script>';
const REVERSED = '\u202egnp.exe';

it('shows whatever a sender wrote as text, in its own frame, with no link and nothing that runs', async () => {
  const { fake, signer, visit } = await enter();
  const { page } = visit;
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
  await page.locator('summary').click();
  await picture(page, 'phone-en-2-document-hostile-words', true);
  const frame = page.locator('.sender');
  for (const text of Object.values(words)) {
    expect(await frame.textContent()).toContain(text.replaceAll('\n', '\n'));
  }
  await signer.press(signer.texts.document.showAll);
  await page.locator('.sender-message:not(.sender-message-cut)').waitFor();
  await signer.toSign();
  expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe(`Signer ${SCRIPT}`);
  await picture(page, 'phone-en-3-sign-hostile-words', true);
  await signer.agree();
  await signer.sign();
  await picture(page, 'phone-en-4-done-hostile-words', true);
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  expect(await page.locator('a, img, iframe, body script').count()).toBe(0);
  expect(visit.complaints).toEqual([]);
});

it('keeps the page in its width, whatever is written without a blank', async () => {
  const { fake, signer } = await enter();
  const endless = 'W'.repeat(200);
  Object.assign(fake.view.request, { title: endless, message: endless, sender_name: endless });
  Object.assign(fake.view.signer, { name: endless, email: `${'w'.repeat(60)}@${'w'.repeat(60)}.example` });
  fake.view.document.filename = endless;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.page.locator('summary').click();
  expect(await signer.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await signer.toSign();
  expect(await signer.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

it('shows a document with scripts, launch actions and huge pages without doing what it asks', async () => {
  const { fake, signer, visit } = await enter(DESKTOP);
  const { page } = visit;
  const strange = watchForStrangeness(page, new URL(fake.link).origin);
  fake.show(await hostilePdf());
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await picture(page, 'desktop-2-document-hostile');
  await clickItsTraps(page);
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
  expect(strange).toEqual([]);
  expect(visit.complaints).toEqual([]);
  expect(page.url()).toBe(fake.link);
});

it('decodes a scan under the strict policy', async () => {
  const { fake, signer, visit } = await enter();
  fake.show(await scannedPdf());
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await visit.page.getByText(signer.texts.document.noText).waitFor({ state: 'attached' });
  expect(visit.complaints).toEqual([]);
});

it('offers a document that it cannot show for download, and lets the signer go on', async () => {
  const { fake, signer } = await enter();
  fake.show(new TextEncoder().encode('%PDF-1.4 and then nothing that makes sense'));
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.seesText(signer.texts.document.cannotShow);
  await picture(signer.page, 'phone-en-2-document-unreadable');
  const saved = await signer.download(() => signer.press(signer.texts.document.download));
  expect(saved).toEqual({ name: 'Lease agreement.pdf', bytes: Buffer.from(fake.document) });
  await signer.toSign();
});
