import type { Page } from 'playwright-core';
import { VERIFY_TEXTS } from '../../shared/texts/languages.ts';
import { first } from '../support/signing-stage.ts';
import { DESKTOP } from './browser.ts';
import { button, dashboardSetup, texts } from './dashboard-setup.ts';
import { translate } from './translator.ts';

/** The dashboard and the verify page while the browser translates them, for people who read none of their languages. */

const setup = dashboardSetup();

async function translated(path: string, opening = setup.signedIn(DESKTOP, path)): Promise<Page> {
  const page = await opening;
  await page.addInitScript(translate);
  await page.reload();
  await page.locator('font').first().waitFor();
  return page;
}

/** The whole text, once it is this one, whatever is between its words: one that stayed from before would be in it, too. */
const reads = (page: Page, selector: string, text: string) =>
  page.waitForFunction(
    ([where, words]) =>
      document.querySelector(where)?.textContent.replaceAll(/\s/g, '') === words.replaceAll(/\s/g, ''),
    [selector, text] as const,
  );

const pdf = (name: string, buffer = setup.contract) => ({ name, mimeType: 'application/pdf', buffer });

it('a translated page of settings names the section that is shown, and whether an endpoint is paused', async () => {
  const { sections, webhooks } = texts.settings;
  const page = await translated('/app/settings/keys');
  await page.getByRole('link', { name: sections.webhooks, exact: true }).click();
  await reads(page, 'h1', `${texts.nav.settings} – ${sections.webhooks}`);
  await page.waitForFunction((section) => document.title.includes(section), sections.webhooks);
  await button(page, webhooks.pause);
  await reads(page, '.endpoint .status', webhooks.paused);
  await button(page, webhooks.resume);
  await reads(page, '.endpoint .status', webhooks.active);
});

it('a translated list says only what is true of the newest search, and the menu whom one acts for', async () => {
  const { list } = texts;
  const page = await translated('/app?title_prefix=nothing');
  await reads(page, '.wide > [role=status]', list.nothingFound);
  await page.getByLabel(list.searchBy).selectOption(list.searches.signer_email);
  await page.locator('#search').fill('ann@');
  await reads(page, 'search [role=status]', list.wholeAddress);
  await page.locator('#search').fill('');
  await reads(page, 'search [role=status]', '');
  await reads(page, '.wide > [role=status]', '');

  await page.locator('.account-button').click();
  const other = page.getByRole('radio', { checked: false }).first();
  const name = (await other.locator('xpath=..').textContent()) ?? '';
  await other.check();
  await reads(page, '.account-button bdi', name);
});

it('a translated form of a new request names the file and the faults that it has now', async () => {
  const { create } = texts;
  const page = await translated('/app/new');
  const document = page.locator('#document');
  await document.setInputFiles(pdf('Lease.pdf'));
  await reads(page, 'label[for=document]', create.otherDocument);
  await page.getByText(create.pages(3)).waitFor();
  await page.getByRole('button', { name: /: Lease$/ }).waitFor();
  await document.setInputFiles(pdf('Letter.pdf', Buffer.concat([setup.contract, Buffer.alloc(9_000, '%')])));
  await reads(page, 'figcaption', `Letter.pdf ${create.pages(3)}, 11 kB`);
  await page.locator('#title').fill('');
  await button(page, create.toReview);
  await reads(page, '.error-count', texts.checkFields(2));
  await page.locator('#title').fill('Letter');
  await reads(page, '.error-count', texts.checkFields(1));
});

it('a translated page of a request tells what each signer has done by now', async () => {
  const { id, signers } = await setup.stage.send(1, { title: 'Translated' });
  const page = await translated(`/app/requests/${id}`);
  await reads(page, '.signer .status', texts.signerStatuses.sent);
  await setup.stage.sign(first(signers));
  await setup.stage.untilStatus(id, 'signed');
  await reads(page, '.signer .status', texts.signerStatuses.signed);
});

it('a translated verify page names the file that is checked', async () => {
  const page = await translated('/verify', setup.visit('/verify'));
  await page.locator('#document').setInputFiles(pdf('first.pdf'));
  await reads(page, '.chosen bdi', 'first.pdf');
  await page.locator('#document').setInputFiles(pdf('second.pdf'));
  await reads(page, '.chosen bdi', 'second.pdf');
  await page.getByRole('button', { name: `${VERIFY_TEXTS.en.remove} second.pdf` }).waitFor();
});
