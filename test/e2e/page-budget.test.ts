import { gzipSync } from 'node:zlib';
import { CODE } from '../support/fake-signer-api.ts';
import { stage } from './page-stage.ts';

const enter = stage();

it('loads little before the document, and pdf.js only for it', async () => {
  const { fake, signer, visit } = await enter();
  const loaded: { path: string; type: string; compressed: number }[] = [];
  visit.page.on('response', async (response) => {
    const path = new URL(response.url()).pathname;
    const entry = { path, type: response.request().resourceType(), compressed: 0 };
    loaded.push(entry);
    entry.compressed = gzipSync(await response.body().catch(() => Buffer.of())).length;
  });
  await signer.open(fake.link);
  await visit.page.waitForLoadState('networkidle');

  const total = (type: string) =>
    loaded.filter((entry) => entry.type === type).reduce((sum, entry) => sum + entry.compressed, 0);
  expect(loaded.map(({ path }) => path).filter((path) => path.includes('pdf'))).toEqual([]);
  expect(total('script')).toBeGreaterThan(10_000);
  expect(total('script')).toBeLessThan(45_000);
  expect(total('stylesheet')).toBeLessThan(8_000);
  expect(loaded.filter(({ path }) => !path.startsWith('/api/')).length).toBeLessThanOrEqual(5);
  expect(loaded.filter(({ path }) => path.startsWith('/api/')).length).toBeLessThanOrEqual(2);

  await signer.enterCode(CODE);
  await signer.readDocument();
  const beforeShown = loaded.filter(({ type, path }) => type === 'script' && !path.includes('/pdf'));
  // The promise: under 90 KB of script besides pdf.js and its worker.
  expect(beforeShown.reduce((sum, entry) => sum + entry.compressed, 0)).toBeLessThan(90_000);
  expect(loaded.some(({ path }) => /\/pdf-[\w-]+\.js$/.test(path))).toBe(true);
  expect(loaded.some(({ path }) => /\/pdf\.worker\.min-[\w-]+\.js$/.test(path))).toBe(true);
});

it('names its files by their content, so that they can be kept for good', async () => {
  const { fake, signer, visit } = await enter();
  const files: string[] = [];
  visit.page.on('request', (request) => files.push(new URL(request.url()).pathname));
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
