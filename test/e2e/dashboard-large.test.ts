import type { Page } from 'playwright-core';
import { LOCALES } from '../../shared/texts/languages.ts';
import { APP_TEXTS } from '../support/app-texts.ts';
import { first } from '../support/signing-stage.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { SMALL_PHONE, screenshot } from './browser.ts';
import { dashboardSetup, sees, USER } from './dashboard-setup.ts';
import { expectFits } from './layout.ts';

/** The smallest phone, with letters of 200 %. */

const setup = dashboardSetup({ largeLetters: true });
/** By day German, which has the longest words. */
const SHOWN = IS_THOROUGH ? LOCALES : (['de'] as const);

/** Opens a dialog or a menu, measures the page under it too, and closes it. */
async function whileOpen(page: Page, open: () => Promise<unknown>, look: () => Promise<unknown>) {
  await open();
  await page.locator('dialog, [popover]:popover-open').first().waitFor();
  await look();
  await page.keyboard.press('Escape');
}

/** Addresses and code that the browser may hyphenate, as if they were words. */
const hyphenated = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('h2, h2 *, code, pre, .standing *')]
      .filter((element) => getComputedStyle(element).hyphens === 'auto')
      .flatMap(({ childNodes }) => [...childNodes])
      .map((node) => (node instanceof Text ? node.data : ''))
      .filter((text) => /[@_/]/.test(text)),
  );

it.each(SHOWN)(
  'nothing in %s is wider than a screen of 320 pixels with letters of 200 %%',
  async (locale) => {
    const texts = APP_TEXTS[locale];
    const { create, request, settings, signIn } = texts;
    const open = await setup.stage.send(2, {
      title: 'Lease agreement',
      reference: 'R-2026-000123',
      signers: [{ email: 'somebody.without.a.name@example.com' }, { email: 'other@example.com' }],
    });
    const signed = await setup.stage.send(1, { title: 'Signed' });
    await setup.stage.sign(first(signed.signers));
    await setup.stage.untilStatus(signed.id, 'signed');
    const options = { ...SMALL_PHONE, locale };
    const look = async (page: Page, name: string) => {
      await screenshot(page, `dashboard-large-${locale}-${name}`);
      await expectFits(page, 320);
      expect(await hyphenated(page)).toEqual([]);
    };

    const newcomer = await setup.visit('/app', options);
    await sees(newcomer, signIn.heading);
    await look(newcomer, 'sign-in');

    const page = await setup.signedIn(options, '/app', locale);
    const goTo = (path: string) => page.goto(`${setup.stage.service.baseUrl}/app${path}`);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('link', { name: 'Signed' }).first().waitFor();
    await look(page, 'list');
    await whileOpen(
      page,
      () => page.locator('.account-button').click(),
      () => look(page, 'account'),
    );
    await whileOpen(
      page,
      () => page.keyboard.press('?'),
      () => look(page, 'shortcuts'),
    );

    await goTo('/new');
    await sees(page, texts.nav.create);
    await press(create.toReview);
    await page.locator('.error').first().waitFor();
    await look(page, 'faults');
    await page
      .getByLabel(create.document)
      .setInputFiles({ name: 'Lease.pdf', mimeType: 'application/pdf', buffer: setup.contract });
    await page.getByLabel(texts.email).fill('somebody.with.a.long.name@example.com');
    await page.getByText(texts.more, { exact: true }).click();
    await page.locator('.preview canvas').waitFor();
    await look(page, 'filled');
    await press(create.toReview);
    await sees(page, create.toReview);
    await look(page, 'review');

    await goTo(`/requests/${open.id}`);
    await page.locator('.standing').waitFor();
    await look(page, 'open');
    await whileOpen(
      page,
      () => press(request.correct),
      async () => {
        await look(page, 'correct');
        // A margin of letters would leave too little room for words, as would a button beside the heading.
        expect((await page.locator('dialog').boundingBox())?.width).toBeGreaterThan(280);
        expect((await page.locator('dialog h2').boundingBox())?.width).toBeGreaterThan(240);
      },
    );
    await press(texts.more);
    await whileOpen(
      page,
      // By its key: the menu moves with the button that opened it, and may be elsewhere once a click has scrolled to it.
      () => page.getByRole('button', { name: request.cancel, exact: true }).press('Enter'),
      () => look(page, 'cancel'),
    );
    await goTo(`/requests/${signed.id}`);
    await page.locator('.standing').waitFor();
    await whileOpen(
      page,
      () => press(texts.more),
      () => look(page, 'signed'),
    );

    for (const section of Object.keys(settings.sections)) {
      await goTo(`/settings/${section}`);
      await page.locator('h1').waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      if (section === 'webhooks') {
        await press(settings.webhooks.deliveries);
        await page.getByText(settings.webhooks.bodies).first().click();
      }
      await look(page, section);
      if (section === 'members')
        await whileOpen(
          page,
          () => page.getByRole('row', { name: USER }).getByRole('button').click(),
          () => look(page, 'remove'),
        );
    }
  },
  120_000,
);

it('the link that skips to the content covers nothing before it has the focus, though its words take several lines', async () => {
  const page = await setup.visit('/app', SMALL_PHONE);
  await sees(page, APP_TEXTS.en.signIn.heading);
  const link = page.getByRole('link', { name: APP_TEXTS.en.skip });
  const edges = () => link.evaluate((shown) => shown.getBoundingClientRect().toJSON());
  expect((await edges()).bottom).toBeLessThanOrEqual(0);
  await page.keyboard.press('Tab');
  expect((await edges()).top).toBeGreaterThanOrEqual(0);
});

it('the fields of several signers have the whole width of the screen, so that an address can be read', async () => {
  const page = await setup.signedIn(SMALL_PHONE, '/app/new');
  await page.getByRole('button', { name: APP_TEXTS.en.create.addSigner }).click();
  for (const field of ['#email-0', '#name-0'])
    expect((await page.locator(field).boundingBox())?.width).toBeGreaterThan(280);
  await expectFits(page, 320);
});
