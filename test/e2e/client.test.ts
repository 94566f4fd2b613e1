import { join } from 'node:path';
import { build } from 'esbuild';
import { launchBrowser } from './browser.ts';

/** The client as a page has it. */

const ORIGIN = 'https://sign.example.com';
const ENTRY = join(import.meta.dirname, '../../client/src/index.ts');

const READING = `(async () => {
  const { signatureRequests } = new client.SignatureRequests({ apiKey: 'esk_test_1', baseUrl: location.origin });
  const { bytes } = await signatureRequests.download('r', { expectedHash: '0'.repeat(64) });
  return bytes().then(() => 'no error', ({ code }) => code);
})()`;

it('a PDF that does not match its hash ends with an error of the client', async () => {
  const bundled = { bundle: true, format: 'iife', globalName: 'client', write: false } as const;
  const { outputFiles } = await build({ entryPoints: [ENTRY], ...bundled });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.route(`${ORIGIN}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '%PDF' }));
    await page.goto(ORIGIN);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    expect(await page.evaluate(READING)).toBe('document_altered');
  } finally {
    await browser.close();
  }
});
