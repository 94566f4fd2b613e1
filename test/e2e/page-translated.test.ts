import { randomBytes } from 'node:crypto';
import { CODE } from '../support/fake-signer-api.ts';
import { until } from '../support/until.ts';
import { pageSetup } from './page-setup.ts';
import { translate } from './translator.ts';

/** The page while the browser translates it, for signers who read none of its languages. */

const setUp = pageSetup();

it('the signing page shows what changes while the browser translates it', async () => {
  const { fake, signer } = await setUp();
  const { page, texts } = signer;
  await page.addInitScript(translate);
  fake.linkStatus.code_expires_at = null;
  await signer.open(fake.link);
  await signer.press(texts.code.send);
  const waits = new Set<string>();
  const seesAnotherWait = async () =>
    waits.add((await page.locator('.resend .button').textContent()) ?? '').size > 2;
  await until(seesAnotherWait, 'the countdown to go on', 10);
  await signer.enterCode('000000');
  await signer.seesText(texts.code.wrong(4));
  await signer.enterCode('000000');
  await signer.seesText(texts.code.wrong(3));

  await signer.enterCode(CODE);
  await signer.readDocument();
  await page.getByRole('button', { name: texts.document.zoomIn }).click();
  await page.locator('.zoom-level', { hasText: '125%' }).waitFor();
  await page.getByRole('button', { name: texts.document.search }).click();
  for (const [words, found] of [
    ['landlord', '1 / 30'],
    ['rent', '1 / 15'],
  ] as const) {
    await page.getByRole('searchbox').fill(words);
    await until(async () => (await page.locator('.finder-found').textContent()) === found, found, 10);
  }
  await page.keyboard.press('Escape');
  await signer.toSign();
  await page.getByLabel(texts.sign.name).fill('Aino Maria Virtanen');
  await page.locator('.printed-signature', { hasText: 'Aino Maria Virtanen' }).waitFor();
  await signer.agree();
  await signer.sign();
  await signer.seesText(texts.done.sealing);
  fake.view.request.status = 'signed';
  await page.getByText(texts.done.sealing).waitFor({ state: 'detached' });
  await signer.seesText(texts.done.sealed);
});

it('the signing page shows how far the document is loaded while the browser translates it', async () => {
  const { fake, signer } = await setUp();
  const { page } = signer;
  await page.addInitScript(translate);
  // Bytes after the end of a PDF are passed over.
  fake.setDocument(new Uint8Array([...fake.document, ...randomBytes(300_000)]));
  await signer.open(fake.link);
  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: 100_000,
    uploadThroughput: 100_000,
  });
  await signer.enterCode(CODE);
  const shown = new Set<string>();
  const seesAnother = async () => {
    const [percent] = /\d+%/.exec((await page.locator('.sheet-waiting').allTextContents()).join()) ?? [];
    return percent !== undefined && shown.add(percent).size > 2;
  };
  await until(seesAnother, 'the percentage to rise', 10);
});
