import { LOCALES, PAGE_TEXTS } from '../../shared/texts/languages.ts';
import type { Me } from '../../web/app/contract.ts';
import { APP_TEXTS } from '../support/app-texts.ts';
import { first } from '../support/signing-stage.ts';
import { DESKTOP, PHONE, SMALL_PHONE, screenshot, sideBySide } from './browser.ts';
import { button, check, dashboardSetup, sees, texts } from './dashboard-setup.ts';
import { expectFits, labelFaults } from './layout.ts';

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
    '/app/new': () => sees(page, texts.nav.create),
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

it('names that are written from right to left keep their order in a sentence', async () => {
  const names = ['שרה כהן', 'נועם לוי', 'Ann'];
  const { id } = await setup.stage.send(3, {
    title: 'חוזה',
    signers: names.map((name, at) => ({ email: `rtl${at}@example.com`, name })),
  });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  const sentence = page.locator('.standing p').first();
  await sentence.waitFor();
  await screenshot(page, 'dashboard-right-to-left');
  const lefts = await sentence.evaluate((shown, wanted) => {
    const text = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    const found: number[] = [];
    for (let node = text.nextNode(); node; node = text.nextNode())
      for (const name of wanted) {
        const at = node.textContent?.indexOf(name) ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + name.length);
        found.push(range.getBoundingClientRect().left);
      }
    return found;
  }, names);
  expect(lefts).toHaveLength(3);
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
});

it.each(LOCALES)('every page in %s fits a screen 320 pixels wide', async (locale) => {
  const page = await setup.signedIn({ ...SMALL_PHONE, locale }, '/app', locale);
  for (const path of ['/app', '/app/new', '/app/settings/keys', '/app/settings/members']) {
    await page.goto(`${setup.stage.service.baseUrl}${path}`);
    await page.locator('h1').waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    await expectFits(page, 320);
    await screenshot(page, `dashboard-small-${locale}${path.replaceAll('/', '-')}`, true);
  }
});

it.each(LOCALES)(
  'at a desk in %s no label breaks a word, and those of a signer stand in one line',
  async (locale) => {
    const page = await setup.signedIn({ ...DESKTOP, locale }, '/app', locale);
    for (const path of [
      '/app',
      '/app/new',
      ...['keys', 'members', 'sessions'].map((name) => `/app/settings/${name}`),
    ]) {
      await page.goto(`${setup.stage.service.baseUrl}${path}`);
      await page.locator('h1').waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      expect({ path, faults: await labelFaults(page) }).toEqual({ path, faults: [] });
    }
    await page.goto(`${setup.stage.service.baseUrl}/app/new`);
    await button(page, APP_TEXTS[locale].create.addSigner);
    const heights = await page
      .locator('.person label')
      .evaluateAll((labels) => labels.map(({ clientHeight }) => clientHeight));
    expect(heights).toHaveLength(4);
    expect(new Set(heights).size).toBe(1);
  },
);

it('a signed request fits one sheet of paper, on which there is nothing to press', async () => {
  const { id, signers } = await setup.stage.send(1, { title: 'Paper' });
  await setup.stage.sign(first(signers));
  await setup.stage.untilStatus(id, 'signed');
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  await page.getByText(texts.request.mails.completed).waitFor();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  await screenshot(page, 'dashboard-paper', true);
  for (const name of [texts.request.download, texts.more])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  expect(await page.getByRole('link', { name: texts.nav.settings }).count()).toBe(0);
});

it('on a phone, the menu of a request opens beside its button, however long the title is', async () => {
  const { id } = await setup.stage.send(1, { title: 'Lease agreement '.repeat(12).trim() });
  const page = await setup.signedIn(SMALL_PHONE, `/app/requests/${id}`);
  await button(page, texts.more);
  const opener = await page.getByRole('button', { name: texts.more, exact: true }).boundingBox();
  const menu = await page.locator('#request-more').boundingBox();
  if (!opener || !menu) throw new Error('Both are shown.');
  const gaps = [menu.y - (opener.y + opener.height), opener.y - (menu.y + menu.height)];
  expect(Math.max(...gaps)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...gaps)).toBeLessThan(20);
  expect(menu.x).toBeGreaterThanOrEqual(0);
  expect(menu.x + menu.width).toBeLessThanOrEqual(320);
  expect(menu.y).toBeGreaterThanOrEqual(0);
  expect(menu.y + menu.height).toBeLessThanOrEqual(640);
});

it.each(LOCALES)('on a phone the links to the pages stand in one row in %s', async (locale) => {
  const page = await setup.signedIn(
    { ...PHONE, viewport: { width: 375, height: 667 }, locale },
    '/app',
    locale,
  );
  await page.locator('.loading').waitFor({ state: 'detached' });
  const tops = await page
    .locator('.nav a')
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await expectFits(page, 375);
  await screenshot(page, `dashboard-phone-row-${locale}`);
});

it.each(['Acme Oy', 'Demo Organization', 'Beispielgesellschaft für Immobilienverwaltung mbH'])(
  'on a phone, %s stands beside the mark of the service, at the side where its menu opens',
  async (name) => {
    const page = await setup.signedIn(PHONE);
    await page.route('**/api/app/v1/me', async (route) => {
      const answer = await route.fetch();
      const me: Me = await answer.json();
      await route.fulfill({
        response: answer,
        json: { ...me, owners: me.owners.map((owner) => ({ ...owner, name })) },
      });
    });
    await page.reload();
    const account = await page.locator('.account-button', { hasText: name }).boundingBox();
    const mark = await page.locator('.head .icon, .head svg').first().boundingBox();
    if (!account || !mark) throw new Error('Both are shown.');
    expect(Math.abs(account.y + account.height / 2 - mark.y - mark.height / 2)).toBeLessThan(2);
    expect(account.x + account.width).toBeGreaterThan(360);
    expect(account.x).toBeGreaterThan(mark.x + mark.width);
    await check(page, `phone-${name.length}`);
  },
);

it('on a phone, each cell of the list stands under the head of its own column', async () => {
  await setup.stage.send(1, { title: 'Heads' });
  const page = await setup.signedIn(SMALL_PHONE);
  const row = page.getByRole('row', { name: 'Heads' });
  await row.waitFor();
  const heads = await page.getByRole('columnheader').allTextContents();
  expect(heads).toEqual([texts.create.title, texts.list.status, texts.created]);
  expect(await row.getByRole('cell').count()).toBe(heads.length - 1);
});

it('with forced colours, only the current page is marked as such', async () => {
  const page = await setup.signedIn({ ...SMALL_PHONE, forcedColors: 'active' }, '/app/settings/members');
  await page.locator('.tabs').waitFor();
  // A line above a link would be one below the link of the row above.
  const marked = await page.evaluate(() => {
    const canvas = getComputedStyle(document.body).backgroundColor;
    const linked = [...document.querySelectorAll('.nav a, .tabs a')].map((link) => ({
      text: link.textContent,
      style: getComputedStyle(link),
    }));
    return {
      above: linked.filter(({ style }) => style.borderBlockStartColor !== canvas).map(({ text }) => text),
      below: linked.filter(({ style }) => style.borderBlockEndColor !== canvas).map(({ text }) => text),
    };
  });
  expect(marked).toEqual({ above: [], below: [texts.nav.settings, texts.settings.sections.members] });
});

it('with forced colours, where every button has a border, no words touch it', async () => {
  const { signers } = await setup.stage.send();
  const page = await setup.signedIn({ ...SMALL_PHONE, forcedColors: 'active' }, '/app/new');
  for (const address of [page.url(), first(signers).sign_url]) {
    await page.goto(address);
    await page.locator('.people > .button, .resend .button').waitFor();
    const crammed = await page
      .locator('.button')
      .evaluateAll((buttons) =>
        buttons
          .filter((button) => Number.parseFloat(getComputedStyle(button).paddingInlineStart) < 4)
          .map(({ textContent }) => textContent),
      );
    expect({ address, crammed }).toEqual({ address, crammed: [] });
  }
});

it('with forced colours a spinner has a gap, so that its rotation is visible', async () => {
  const page = await setup.signedIn({ ...DESKTOP, forcedColors: 'active' });
  await page.route('**/api/v1/signatures?*', () => new Promise(() => {}));
  await page.reload();
  await page.getByRole('heading', { name: texts.nav.requests }).waitFor();
  const sides = await page.locator('.spinner').evaluate((spinner) => {
    const { borderTopStyle, borderRightStyle, borderBottomStyle, borderLeftStyle } =
      getComputedStyle(spinner);
    return [borderTopStyle, borderRightStyle, borderBottomStyle, borderLeftStyle];
  });
  expect(sides).toEqual(['solid', 'none', 'solid', 'solid']);
  await screenshot(page, 'dashboard-forced-colours-spinner');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

it('each section of the settings has a title of its own', async () => {
  const page = await setup.signedIn(SMALL_PHONE, '/app/settings/brand');
  const { sections } = texts.settings;
  await sees(page, `${texts.nav.settings} – ${sections.brand}`);
  await page.getByRole('link', { name: sections.webhooks, exact: true }).click();
  await page.locator('h1:focus', { hasText: `${texts.nav.settings} – ${sections.webhooks}` }).waitFor();
  expect(await page.title()).toContain(sections.webhooks);
});

it('on a phone what is wrong with an address stands below it, not below the name', async () => {
  const page = await setup.signedIn(PHONE, '/app/new');
  await button(page, texts.create.toReview);
  const error = await page.locator('#email-0-error').boundingBox();
  const name = await page.getByLabel(texts.create.name).boundingBox();
  if (!error || !name) throw new Error('Both are shown.');
  expect(error.y + error.height).toBeLessThanOrEqual(name.y);
});

it('with forced colours a signer’s history keeps its dots', async () => {
  const { id } = await setup.stage.send(1, { title: 'Dots' });
  const page = await setup.signedIn({ ...DESKTOP, forcedColors: 'active' }, `/app/requests/${id}`);
  const moment = page.locator('.timeline li').first();
  await moment.waitFor();
  const [dot, ground] = await moment.evaluate((shown) => [
    getComputedStyle(shown, '::before').backgroundColor,
    getComputedStyle(shown.closest('.signer') ?? shown).backgroundColor,
  ]);
  expect(dot).not.toBe(ground);
});
