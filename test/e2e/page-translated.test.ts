import { CODE } from '../support/fake-signer-api.ts';
import { until } from '../support/until.ts';
import { pageSetup } from './page-setup.ts';

/** The page while the browser translates it, for signers who read none of its languages. */

const setUp = pageSetup();

/** Does to the page what translators of browsers do: each text node makes way for an element with its translation. */
function translate() {
  const wordsIn = (text: Text) => text.data.trim() && !text.parentElement?.closest('font, [translate=no]');
  const translateAll = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
    for (const text of texts.filter(wordsIn)) {
      const translation = document.createElement('font');
      translation.textContent = text.data;
      text.replaceWith(translation);
    }
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(translateAll).observe(document.body, { childList: true, subtree: true });
    translateAll();
  });
}

it('shows what changes while the browser translates it', async () => {
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
  await signer.toSign();
  await page.getByLabel(texts.sign.name).fill('Aino Maria Virtanen');
  await page.locator('.printed-signature', { hasText: 'Aino Maria Virtanen' }).waitFor();
  await signer.agree();
  await signer.sign();
  await signer.seesText(texts.done.sealing);
  fake.view.request.status = 'signed';
  await page.getByText(texts.done.sealing).waitFor({ state: 'detached' });
  await signer.seesText(texts.done.sealed);
}, 60_000);
