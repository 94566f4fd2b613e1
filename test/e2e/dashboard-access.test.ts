import type { Locator, Page } from 'playwright-core';
import { first } from '../support/signing-stage.ts';
import { until } from '../support/until.ts';
import { DESKTOP } from './browser.ts';
import { button, check, dashboardSetup, sees, texts, USER } from './dashboard-setup.ts';

/** The dashboard without a mouse, and as a screen reader hears it. */

const setup = dashboardSetup();

it('keys lead around without a mouse, and another mode or owner has lists of its own', async () => {
  await setup.stage.send(1, { title: 'Live one' });
  const page = await setup.signedIn();
  const live = page.getByRole('link', { name: 'Live one' });
  await live.waitFor();
  await page.keyboard.press('?');
  await sees(page, texts.shortcuts.heading);
  await check(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await sees(page, texts.nav.create);
  await page.keyboard.press('r');
  await sees(page, texts.nav.requests);
  await page.keyboard.press('/');
  await page.keyboard.type('n?');
  expect(await page.locator('#search').inputValue()).toBe('n?');
  await page.locator('#search').fill('');
  await live.waitFor();

  await page.locator('.account-button').click();
  await page.getByRole('switch').click();
  await page.getByText(texts.testMode.banner).waitFor();
  await sees(page, texts.list.emptyTest);
  await page.getByRole('switch').click();
  await live.waitFor();
  await page.getByRole('radio', { name: USER }).click();
  await sees(page, texts.list.empty);
  expect(await page.getByText(texts.testMode.banner).count()).toBe(0);
});

it('a key that leads elsewhere closes the menu', async () => {
  const page = await setup.signedIn();
  await page.locator('.account-button').click();
  await page.getByRole('button', { name: texts.account.signOut }).focus();
  await page.keyboard.press('n');
  await page.locator('h1:focus', { hasText: texts.nav.create }).waitFor();
  await page.getByRole('button', { name: texts.account.signOut }).waitFor({ state: 'hidden' });
});

it('a link or a key to the page that is shown leads to its top, and the back button to the page before', async () => {
  const page = await setup.signedIn();
  await page.locator('h1', { hasText: texts.nav.requests }).waitFor();
  await page.getByRole('link', { name: texts.nav.create, exact: true }).first().dblclick();
  await page.keyboard.press('n');
  await page.locator('h1:focus', { hasText: texts.nav.create }).waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole('navigation').getByRole('link', { name: texts.nav.create }).press('Enter');
  await page.locator('h1:focus', { hasText: texts.nav.create }).waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await page.locator('h1:focus', { hasText: texts.nav.requests }).waitFor();
});

it('no single key leads away from an open dialog, even if the focus has left it', async () => {
  const { id, signers } = await setup.stage.send(1, { title: 'Half corrected' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  await page.getByRole('button', { name: texts.request.correct }).click();
  const email = page.locator('#correct-email');
  expect(await email.inputValue()).toBe(first(signers).email);
  await email.fill('half@');
  // As Firefox and Safari do after a click on the text of a dialog.
  await email.blur();
  for (const key of ['n', 'r', 's', '?']) await page.keyboard.press(key);
  expect(new URL(page.url()).pathname).toBe(`/app/requests/${id}`);
  expect(await email.inputValue()).toBe('half@');
  expect(await page.locator('dialog').count()).toBe(1);
});

it('a menu closes when the Tab key leads out of it, and does not lie over what has the focus', async () => {
  const page = await setup.signedIn();
  const menu = page.locator('#account');
  await page.locator('.account-button').press('Enter');
  await page.getByRole('button', { name: texts.account.signOut }).focus();
  expect(await menu.isVisible()).toBe(true);
  await page.keyboard.press('Tab');
  await menu.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('/app/new');
  await page.locator('.account-button').press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  expect(await menu.isVisible()).toBe(true);
});

it('the menu of a request closes after its choice, and shows meanwhile how much of a slow download has arrived', async () => {
  const { id, signers } = await setup.stage.send(1, { title: 'Slow line' });
  await setup.stage.sign(first(signers));
  await setup.stage.untilStatus(id, 'signed');
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  const { more } = texts;
  const { copyJson, download, downloadAudit, downloadEvidence } = texts.request;
  const named = (name: string) => page.getByRole('button', { name, exact: true });
  const isBackAtButton = async () => {
    await page.locator('button:focus', { hasText: more }).waitFor();
    await named(copyJson).waitFor({ state: 'hidden' });
  };
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await named(more).press('Enter');
  await named(copyJson).press('Enter');
  await isBackAtButton();

  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  const arriving = page.getByRole('button', { name: /\d+%$/ });
  await named(more).click();
  const evidence = page.waitForEvent('download');
  await named(downloadEvidence).click();
  await arriving.waitFor();
  for (const other of [download, downloadAudit])
    expect(await named(other).getAttribute('aria-disabled')).toBe('true');
  await evidence;
  await isBackAtButton();

  const sealed = page.waitForEvent('download');
  await named(download).press('Enter');
  await arriving.waitFor();
  await sealed;
  await page.locator('button:focus', { hasText: download }).waitFor();
});

it('the focus goes to the heading after signing in, of the summary, of the form on the way back, and of a request', async () => {
  await setup.stage.send(1, { title: 'Bill of sale' });
  const page = await setup.newlySignedIn(DESKTOP, '/app/new');
  const focused = (heading: string) => page.locator('h1:focus', { hasText: heading }).waitFor();
  await focused(texts.nav.create);
  await setup.fillIn(page, 'Focus', 'focus@example.com');
  await page.keyboard.press('Enter');
  await focused(texts.create.toReview);
  await page.getByRole('button', { name: texts.create.review.back }).press('Enter');
  await focused(texts.nav.create);
  await page.getByRole('button', { name: texts.create.discard }).click();
  await button(page, texts.create.discard);
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.getByLabel(texts.create.title).inputValue()).toBe('');
  await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
  await page.getByRole('link', { name: 'Bill of sale' }).click();
  await focused('Bill of sale');
  expect(await page.title()).toBe('Bill of sale – Signature requests');
});

it('the focus goes to the neighbouring signer when one is removed', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await page.getByLabel(texts.email).fill('ann@example.com');
  for (const next of [1, 2]) {
    await button(page, texts.create.addSigner);
    await page.locator(`#email-${next}:focus`).fill(`signer-${next}@example.com`);
  }
  const remove = (number: number) =>
    page.getByRole('button', { name: texts.create.removeSigner(number) }).press('Enter');
  await remove(3);
  expect(await page.locator('#email-1:focus').inputValue()).toBe('signer-1@example.com');
  await remove(1);
  expect(await page.locator('#email-0:focus').inputValue()).toBe('signer-1@example.com');
});

it('that a search finds nothing is announced where screen readers listen already, and its link hands on the focus', async () => {
  await setup.stage.send(1, { title: 'Findable' });
  const page = await setup.signedIn();
  const found = page.getByRole('link', { name: 'Findable' });
  await found.waitFor();
  const places = await page.getByRole('status').elementHandles();
  const said = () => Promise.all(places.map((place) => place.textContent()));
  const showAll = page.getByRole('link', { name: texts.list.showAll });
  for (const words of ['nothing', 'nothing of that name']) {
    await page.locator('#search').fill(words);
    await page.waitForURL(`**/*=${words.replaceAll(' ', '+')}`);
    await showAll.waitFor();
    await until(async () => (await said()).includes(texts.list.nothingFound), 'the announcement');
  }
  await showAll.press('Enter');
  await found.waitFor();
  await page.locator('main:focus').waitFor();
  expect(await said()).not.toContain(texts.list.nothingFound);
});

it('an address that is not entered whole searches for nothing yet, and what an earlier search found goes away', async () => {
  await setup.stage.send(1, { title: 'Whole', signers: [{ email: 'whole@example.com' }] });
  const page = await setup.signedIn();
  const search = page.getByLabel(texts.list.search, { exact: true });
  await search.fill('nothing of that name');
  await page.locator('.empty').waitFor();
  await page.getByLabel(texts.list.searchBy).selectOption('signer_email');
  await search.fill('whole');
  await page.getByText(texts.list.wholeAddress).waitFor();
  const found = page.getByRole('link', { name: 'Whole' });
  await found.waitFor();
  expect(await page.locator('.empty').count()).toBe(0);
  await search.pressSequentially('@example.com');
  await page.waitForURL(/signer_email=whole%40example.com$/);
  await found.waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await search.press('Backspace');
  expect(await search.inputValue()).toBe('whole@example.co');
  await page.locator('.empty').waitFor();
  // The service refuses these, which would be an alert while one types.
  for (const unfinished of ['whole@example.c', 'whole@example.com,', 'mailto:whole@example.com']) {
    await search.fill('whole@example.com');
    await page.waitForURL(/signer_email=whole%40example.com$/);
    await search.fill(unfinished);
    await page.waitForURL(/\/app$/);
    await page.getByText(texts.list.wholeAddress).waitFor();
  }
});

it('a request that cannot be shown has a heading, which names the tab and takes the focus', async () => {
  const page = await setup.signedIn();
  await setup.stage.send(1, { title: 'Elsewhere' });
  await page.reload();
  await page.route('**/api/v1/signatures/*', (route) =>
    route.fulfill({ status: 404, json: { error: 'not_found', message: 'There is no such request.' } }),
  );
  await page.getByRole('link', { name: 'Elsewhere' }).press('Enter');
  await page.getByText(texts.problems.not_found).waitFor();
  await page.locator('h1:focus', { hasText: texts.trouble.heading }).waitFor();
  expect(await page.title()).toContain(texts.trouble.heading);
  await check(page, 'not-shown');
  await page.unrouteAll();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/v1/signatures/*', (route) => released.then(() => route.continue()));
  const again = page.getByRole('button', { name: texts.trouble.again });
  await again.press('Enter');
  expect(await again.getAttribute('aria-disabled')).toBe('true');
  release();
  await page.locator('h1:focus', { hasText: 'Elsewhere' }).waitFor();
});

/** The words of a screen reader for each button whose name begins so. */
const heardOf = (page: Page, name: string) =>
  page
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .evaluateAll((buttons) =>
      buttons.map((button) =>
        [button, document.getElementById(button.getAttribute('aria-describedby') ?? '')]
          .map((part) => part?.textContent ?? '')
          .join(' '),
      ),
    );

it('buttons of one name are told apart: of two endpoints, of two deliveries of one event, of two keys of one name', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/webhooks');
  const { webhooks, keys, secretKept } = texts.settings;
  const expectDistinct = async (name: string) => {
    const heard = await heardOf(page, name);
    expect(heard.length).toBeGreaterThan(1);
    expect(new Set(heard).size).toBe(heard.length);
  };
  await page.getByLabel(webhooks.url).fill('https://second.example.com/hook');
  await button(page, webhooks.create);
  await button(page, secretKept);
  await page.getByRole('article', { name: 'https://second.example.com/hook' }).waitFor();
  for (const name of [webhooks.test, webhooks.pause, webhooks.deliveries, texts.remove])
    await expectDistinct(name);

  await page.route('**/api/v1/webhook-endpoints/*/deliveries*', (route) => {
    const [older, newer] = ['2026-11-27T20:00:01.000Z', '2026-11-27T20:31:01.000Z'].map((attempted_at) => ({
      event_id: attempted_at,
      event_type: 'signature_request.opened',
      attempted_at,
      outcome: 'delivered',
      http_status: 200,
    }));
    return route.fulfill({ json: { data: [newer, older], has_more: false, next_cursor: null } });
  });
  await page.getByRole('button', { name: webhooks.deliveries }).first().click();
  await page.getByText('signature_request.opened').first().waitFor();
  await expectDistinct(texts.sendAgain);
  const bodies = await page.locator('.bodies summary').allTextContents();
  expect(new Set(bodies).size).toBe(2);
  const second = page.getByRole('article', { name: 'https://second.example.com/hook' });
  await second.getByRole('button', { name: texts.remove }).press('Enter');
  await page.locator('dialog').getByRole('button', { name: texts.remove }).press('Enter');
  await second.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: texts.settings.sections.keys }).click();
  for (const count of [1, 2]) {
    await page.getByLabel(keys.name, { exact: true }).fill('Rotated');
    await button(page, keys.create);
    await button(page, secretKept);
    await until(
      async () => (await page.getByRole('row', { name: 'Rotated' }).count()) === count,
      'the row of the key',
    );
  }
  await expectDistinct(keys.revoke);
  const row = page.getByRole('row', { name: 'Rotated' }).first();
  const prefix = (await row.locator('code').textContent()) ?? '';
  await row.getByRole('button').click();
  await page.getByRole('dialog', { name: prefix }).waitFor();
});

it('that an endpoint is paused, and active again, is announced', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/webhooks');
  const { webhooks } = texts.settings;
  for (const [name, said] of [
    [webhooks.pause, webhooks.paused],
    [webhooks.resume, webhooks.active],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).first().press('Enter');
    await page.getByRole('status').getByText(said).waitFor();
  }
});

it('sessions that began in one minute are told apart', async () => {
  const page = await setup.signedIn(DESKTOP, '/app');
  await page.route('**/api/app/v1/sessions', (route) => {
    const rows = ['2026-11-27T20:31:01.000Z', '2026-11-27T20:31:40.000Z'].map((created_at) => ({
      session_id: created_at,
      created_at,
      expires_at: '2026-11-28T08:31:40.000Z',
      user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
      current: false,
    }));
    return route.fulfill({ json: { data: rows } });
  });
  await page.goto(`${setup.stage.service.baseUrl}/app/settings/sessions`);
  await page.getByRole('row', { name: 'Firefox, Windows' }).first().waitFor();
  const heard = await heardOf(page, texts.settings.sessions.end);
  expect(new Set(heard).size).toBe(2);
});

it('older deliveries are shown on request, and stay when the list is looked at again', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/webhooks');
  const { webhooks } = texts.settings;
  const day = (number: number) => ({
    event_id: `evt_${number}`,
    event_type: 'signature_request.opened',
    attempted_at: `2026-11-0${number}T20:00:01.000Z`,
    outcome: 'failed',
    http_status: 500,
  });
  await page.route('**/api/v1/webhook-endpoints/*/deliveries*', (route) =>
    route.fulfill({
      json: new URL(route.request().url()).searchParams.has('cursor')
        ? { data: [day(1)], has_more: false, next_cursor: null }
        : { data: [day(3), day(2)], has_more: true, next_cursor: 'older' },
    }),
  );
  await page.getByRole('button', { name: webhooks.deliveries }).first().click();
  const rows = page.locator('.endpoint tbody tr');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(2);
  const more = page.getByRole('button', { name: texts.list.more });
  await more.press('Enter');
  await more.waitFor({ state: 'detached' });
  expect(await rows.count()).toBe(3);
  await page.getByRole('button', { name: webhooks.reload }).press('Enter');
  await page.getByRole('status').getByText(webhooks.upToDate).waitFor();
  expect(await rows.count()).toBe(3);
});

it('that the deliveries were looked at again is announced, though nothing has changed', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/webhooks');
  const { webhooks } = texts.settings;
  await page.getByRole('button', { name: webhooks.deliveries }).first().click();
  await page.getByRole('button', { name: webhooks.reload }).press('Enter');
  await page.getByRole('status').getByText(webhooks.upToDate).waitFor();
});

it('the focus goes to the colour when it is the usual one again, and its button is gone', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  await page.locator('#accent').fill('#123456');
  await page.getByRole('button', { name: texts.settings.brand.resetAccent }).press('Enter');
  await page.locator('#accent:focus').waitFor();
});

it('a dialog is open as soon as it is on the page, so that no key reaches what lies below', async () => {
  const { id } = await setup.stage.send(1, { title: 'Open at once' });
  const page = await setup.newlySignedIn(DESKTOP, `/app/requests/${id}`);
  const opener = page.getByRole('button', { name: texts.request.correct, exact: true });
  const whenAdded = opener.evaluate(
    (control) =>
      new Promise<[isOpen: boolean, hasFocus: boolean]>((resolve) => {
        new MutationObserver((_, observer) => {
          const dialog = document.querySelector('dialog');
          if (!dialog) return;
          observer.disconnect();
          resolve([dialog.open, dialog.contains(document.activeElement)]);
        }).observe(document.body, { childList: true, subtree: true });
        (control as HTMLElement).click();
      }),
  );
  expect(await whenAdded).toEqual([true, true]);
});

it('a screen reader says with the heading of each dialog what it is about', async () => {
  const { id } = await setup.stage.send(1, { title: 'Dialogs' });
  const page = await setup.newlySignedIn(DESKTOP, `/app/requests/${id}`);
  const expectDescribed = async (text: string) => {
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const described = (await dialog.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${described}"]`).allTextContents()).toEqual([text]);
  };
  await button(page, texts.request.correct);
  await expectDescribed(texts.request.correcting.text);
  await page.keyboard.press('Escape');
  await button(page, texts.more);
  await button(page, texts.request.cancel);
  await expectDescribed(texts.request.cancelling.text);
  await page.keyboard.press('Escape');

  const { keys } = texts.settings;
  await page.goto(`${setup.stage.service.baseUrl}/app/settings/keys`);
  await page.getByLabel(keys.name).fill('Described');
  await button(page, keys.create);
  await expectDescribed(keys.shownOnce);
  await button(page, texts.settings.secretKept);
  await page.context().clearCookies();
  await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
  await expectDescribed(texts.signIn.ended);
});

it('browsers and phones correct no name, address or number', async () => {
  const typed = (field: Locator) =>
    field.evaluate((input) => [
      input.id,
      input.getAttribute('spellcheck'),
      input.getAttribute('autocorrect'),
      input.getAttribute('autocapitalize'),
    ]);
  const page = await setup.visit('/app');
  expect(await typed(page.getByLabel(texts.email))).toEqual(['email', 'false', 'off', 'none']);
  const created = await setup.signedIn(DESKTOP, '/app/new');
  await created.getByText(texts.more).click();
  const { name, reference, returnUrl, title } = texts.create;
  expect(await typed(created.getByLabel(name))).toEqual(['name-0', 'false', 'off', null]);
  expect(await typed(created.getByLabel(reference))).toEqual(['reference', 'false', 'off', null]);
  expect(await typed(created.getByLabel(returnUrl))).toEqual(['return-url', 'false', 'off', 'none']);
  // A title is prose.
  expect(await typed(created.getByLabel(title))).toEqual(['title', null, null, null]);
  await created.getByRole('link', { name: texts.nav.requests, exact: true }).click();
  expect(await typed(created.locator('#search'))).toEqual(['search', 'false', 'off', 'none']);
});

it('a start that fails is told where the focus is, and so is the page once it has started', async () => {
  const page = await setup.signedIn();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const error = { error: 'service_unavailable', message: 'Try again.' };
  await page.route('**/api/app/v1/me', (route) =>
    released.then(() => route.fulfill({ status: 503, json: error })),
  );
  await page.reload();
  await page.getByText(texts.loading, { exact: true }).waitFor();
  release();
  await page.locator('h1:focus', { hasText: texts.trouble.heading }).waitFor();
  await page.unrouteAll();
  await button(page, texts.trouble.again);
  await page.locator('h1:focus', { hasText: texts.nav.requests }).waitFor();
});

it('a role to be given has a label that is seen and leads to it', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/members');
  const { members } = texts.settings;
  await page.locator('form').getByText(members.role, { exact: true }).click();
  await page.getByRole('combobox', { name: members.role, exact: true }).and(page.locator(':focus')).waitFor();
});
