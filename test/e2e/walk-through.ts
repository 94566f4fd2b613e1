import type { Page } from 'playwright-core';
import { CODE } from '../support/fake-signer-api.ts';
import { accessibilityFindings, screenshot } from './browser.ts';
import { expectNamed } from './layout.ts';
import type { PageSetup } from './page-setup.ts';

/** Goes through every step. Each is looked at by axe, and by whoever reads the pictures. */
export async function walkThrough(
  { fake, signer, tab }: PageSetup,
  name: string,
  look: (page: Page, name: string) => Promise<void> = async () => {},
) {
  const { page, errors } = tab;
  const { texts } = signer;
  const check = async (step: string) => {
    await screenshot(page, `${name}-${step}`, true);
    expect({ step, findings: await accessibilityFindings(page) }).toEqual({ step, findings: [] });
    await look(page, `${name}-${step}`);
  };
  fake.view.others = { total: 2, signed: 1 };
  await signer.open(fake.link);
  await expectNamed(page, [
    ['heading', texts.code.heading],
    ['textbox', texts.code.label],
    ['combobox', signer.languageLabel],
    ['button', texts.code.submit],
    ['button', texts.code.sendAgain],
  ]);
  await check('1-code');
  await signer.enterCode('000000');
  await signer.seesText(texts.code.wrong(4));
  await check('1-code-wrong');
  await signer.enterCode(CODE);
  await signer.readDocument();
  await screenshot(page, `${name}-2-document-first-view`);
  await expectNamed(page, [
    ['heading', texts.document.heading],
    ['navigation', texts.progress(2, 3)],
    ['region', texts.document.region],
    ['article', texts.document.page(1, 3)],
    ['textbox', texts.document.goToPage],
    ['button', texts.document.search],
    ['button', texts.document.zoomIn],
    ['button', texts.document.zoomOut],
    ['button', texts.document.download],
    ['button', texts.document.toSign],
  ]);
  await check('2-document');
  await signer.toDecline();
  await expectNamed(page, [
    ['textbox', `${texts.decline.reason} (${texts.optional})`],
    ['button', texts.decline.submit],
    ['button', texts.document.back],
  ]);
  await check('3-decline');
  await signer.press(texts.document.back);
  await signer.readDocument();
  await signer.toSign();
  await expectNamed(page, [
    ['textbox', texts.sign.name],
    ['group', texts.sign.signature],
    ['radio', texts.sign.typed],
    ['radio', texts.sign.drawn],
    ['radio', texts.sign.image],
    ['textbox', texts.sign.typedLabel],
    ['group', texts.sign.style],
    ['radio', texts.sign.styles.italic],
    ['group', texts.sign.behalf],
    ['radio', texts.sign.forSelf],
    ['region', texts.sign.consent],
    ['checkbox', texts.sign.agree],
    ['button', texts.sign.submit],
  ]);
  await check('3-sign');
  await page.getByLabel(texts.sign.forEntity).check();
  await signer.draw();
  await expectNamed(page, [
    ['img', texts.sign.padDrawn],
    ['textbox', texts.sign.entity],
  ]);
  await signer.press(texts.sign.submit);
  await signer.seesText(texts.sign.entityMissing);
  await check('3-sign-errors');
  await page.getByLabel(texts.sign.forSelf).check();
  await signer.agree();
  await signer.sign();
  await check('4-done');
  expect(errors).toEqual([]);
}
