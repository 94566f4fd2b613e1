import { LOCALES, PAGE_TEXTS } from '../../shared/texts/languages.ts';
import { first } from '../support/signing-stage.ts';
import { SMALL_PHONE, screenshot, sideBySide } from './browser.ts';
import { button, check, dashboardSetup, sees, texts } from './dashboard-setup.ts';
import { expectFits } from './layout.ts';

/** Every page on small and large screens, light and dark, in each language. */

const setup = dashboardSetup();

it('a webhook delivery shows what was sent and answered, and every page fits 390 and 1280 pixels in light and dark', async () => {
  const { id, signers } = await setup.stage.send(2, { title: 'Looks' });
  // None has a place where a line would break.
  const { id: longest } = await setup.stage.send(1, {
    title: 'W'.repeat(200),
    reference: 'r'.repeat(200),
    message: 'm'.repeat(500),
    signers: [{ email: `${'e'.repeat(64)}@${`${'d'.repeat(60)}.`.repeat(3)}com`, name: 'N'.repeat(200) }],
  });
  const page = await setup.signedIn();
  const { webhooks } = texts.settings;
  const show: Record<string, () => Promise<unknown>> = {
    '/app': () => page.getByRole('link', { name: 'Looks' }).waitFor(),
    '/app/new': () => sees(page, texts.create.heading),
    [`/app/requests/${id}`]: () => sees(page, 'Looks'),
    [`/app/requests/${longest}`]: () => page.locator('.standing').waitFor(),
    // Beside them, since people see both.
    [new URL(first(signers).sign_url).pathname]: () => page.getByLabel(PAGE_TEXTS.en.code.label).waitFor(),
    '/app/settings/webhooks': async () => {
      await button(page, webhooks.deliveries);
      await page.getByText(webhooks.bodies).first().click();
      await page.getByText('signature_request.').first().waitFor();
      await page.getByText('"signature_request_id"').first().waitFor();
    },
  };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      for (const [place, [path, shown]] of Object.entries(show).entries()) {
        await page.goto(`${setup.stage.service.baseUrl}${path}`);
        await shown();
        await expectFits(page, width);
        await check(page, `looks-${place}-${width}-${colorScheme}`);
      }
      const names = Object.keys(show).map((_, place) => `dashboard-looks-${place}-${width}-${colorScheme}`);
      await sideBySide(page, names, `dashboard-family-${width}-${colorScheme}`);
    }
  }
}, 90_000);

it.each(LOCALES)(
  'every page in %s fits a screen 320 pixels wide',
  async (locale) => {
    const page = await setup.signedIn({ ...SMALL_PHONE, locale }, '/app', locale);
    for (const path of ['/app', '/app/new', '/app/settings/keys', '/app/settings/members']) {
      await page.goto(`${setup.stage.service.baseUrl}${path}`);
      await page.locator('h1').waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      await expectFits(page, 320);
      await screenshot(page, `dashboard-small-${locale}${path.replaceAll('/', '-')}`, true);
    }
  },
  60_000,
);
