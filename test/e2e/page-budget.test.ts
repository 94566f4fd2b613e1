import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { CONSENT_TEXTS, MAIL_TEXTS, PAGE_TEXTS, PDF_TEXTS } from '../../shared/texts/languages.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { pageSetup } from './page-setup.ts';
import { contractPdf } from './pdfs.ts';

const setUp = pageSetup();

it('the page stays within its size budget, and loads pdf.js only with the document', async () => {
  const { fake, signer, tab } = await setUp();
  const scripts: string[] = [];
  const loaded: { path: string; type: string; compressed: number }[] = [];
  tab.page.on('response', async (response) => {
    const path = new URL(response.url()).pathname;
    const entry = { path, type: response.request().resourceType(), compressed: 0 };
    loaded.push(entry);
    const body = await response.body().catch(() => Buffer.of());
    entry.compressed = gzipSync(body).length;
    if (entry.type === 'script') scripts.push(body.toString());
  });
  await signer.open(fake.link);
  await tab.page.waitForLoadState('networkidle');

  expect(scripts.join()).toContain(PAGE_TEXTS.en.code.label);
  for (const other of [MAIL_TEXTS.en.testNotice, PDF_TEXTS.en.fingerprintNote, CONSENT_TEXTS.en])
    expect(scripts.join()).not.toContain(other);

  const total = (type: string) =>
    loaded.filter((entry) => entry.type === type).reduce((sum, entry) => sum + entry.compressed, 0);
  expect(loaded.map(({ path }) => path).filter((path) => path.includes('pdf'))).toEqual([]);
  expect(total('script')).toBeGreaterThan(10_000);
  expect(total('script')).toBeLessThan(60_000);
  expect(total('stylesheet')).toBeLessThan(8_000);
  expect(loaded.filter(({ path }) => !path.startsWith('/api/')).length).toBeLessThanOrEqual(5);
  expect(loaded.filter(({ path }) => path.startsWith('/api/')).length).toBeLessThanOrEqual(2);

  await signer.enterCode(CODE);
  await signer.readDocument();
  const beforeShown = loaded.filter(({ type, path }) => type === 'script' && !path.includes('/pdf'));
  // The budget is 60 KB of scripts, without pdf.js and its worker.
  expect(beforeShown.reduce((sum, entry) => sum + entry.compressed, 0)).toBeLessThan(60_000);
  expect(loaded.some(({ path }) => /\/pdf-[\w-]+\.js$/.test(path))).toBe(true);
  expect(loaded.some(({ path }) => /\/pdf\.worker\.min-[\w-]+\.js$/.test(path))).toBe(true);
});

it('over a slow mobile network the code can be entered within four seconds', async () => {
  const { fake, signer, tab } = await setUp();
  const network = await tab.page.context().newCDPSession(tab.page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 400_000 / 8,
    uploadThroughput: 400_000 / 8,
  });
  const started = performance.now();
  await tab.page.goto(fake.link, { waitUntil: 'commit' });
  await signer.codeField.waitFor();
  expect(performance.now() - started).toBeLessThan(4_000);
});

it('every file has a content hash or a version in its path, so that browsers can cache it for good', async () => {
  const { fake, signer, tab } = await setUp();
  const files: string[] = [];
  tab.page.on('request', (request) => files.push(new URL(request.url()).pathname));
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  const unhashed = files.filter(
    (path) =>
      !path.startsWith('/api/') &&
      path !== new URL(fake.link).pathname &&
      !/-[\w-]{8}\.\w+$|\/pdfjs-[\d.]+\//.test(path),
  );
  expect(unhashed).toEqual([]);
});

/** Counts the calls of the function whose code holds this text, while something is done. */
async function callsWhile(page: Page, text: string, act: () => Promise<void>): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Debugger.enable');
  await devTools.send('Profiler.enable');
  await devTools.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await act();
  const { result } = await devTools.send('Profiler.takePreciseCoverage');
  for (const { scriptId, functions } of result) {
    const { scriptSource } = await devTools.send('Debugger.getScriptSource', { scriptId });
    const place = scriptSource.indexOf(text);
    if (place < 0) continue;
    const ranges = functions.flatMap((called) => called.ranges);
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= place && place < endOffset);
    const sizes = around.map(({ startOffset, endOffset }) => endOffset - startOffset);
    return around[sizes.indexOf(Math.min(...sizes))]?.count ?? 0;
  }
  throw new Error(`No function has ${text}.`);
}

it.each([
  ['pages', PHONE, '"data-page":'],
  // Of the component that draws a small page.
  ['small pages', DESKTOP, 'aspectRatio'],
] as const)(
  'a reader who goes on in a long document causes none of its other %s to be rendered again',
  async (_pages, device, rendering) => {
    const { fake, signer, tab } = await setUp(device);
    fake.setDocument(await contractPdf(100));
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await tab.page.locator('[data-page="80"]').getByText('Section 80').waitFor({ state: 'attached' });
    const number = tab.page.getByLabel(signer.texts.document.goToPage);
    const rendered = await callsWhile(tab.page, rendering, async () => {
      await number.fill('50');
      await number.press('Enter');
      // A canvas has no width before it is drawn.
      await tab.page.locator('[data-page="50"] canvas[width]:not([width="0"])').waitFor();
    });
    expect(rendered).toBeGreaterThan(0);
    expect(rendered).toBeLessThan(50);
  },
);
