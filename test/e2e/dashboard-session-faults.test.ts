import { DAY, MINUTE } from '../../shared/runtime/time.ts';
import { INSTEAD_TEXTS } from '../../shared/texts/languages.ts';
import { DESKTOP, opensFocused, PHONE } from './browser.ts';
import { button, check, dashboardSetup, sees, send, texts, USER } from './dashboard-setup.ts';

/** Signing in and out goes wrong in ways that are said, and nothing that was entered is lost. */

const setup = dashboardSetup();

it('the field of a code has the focus as soon as it is there', async () => {
  const page = await setup.visit('/app');
  await page.getByLabel(texts.email).fill('nobody@example.com');
  const ask = page.getByRole('button', { name: texts.signIn.send, exact: true });
  expect(await opensFocused(ask, '#code')).toBe(true);
});

it('an ended session opens a dialog over the page, and nothing entered is lost after sign-in', async () => {
  await setup.stage.send(1, { title: 'Offer' });
  const page = await setup.signedIn(PHONE, '/app/new');
  await page.getByLabel(texts.create.title).fill('Kept');
  await page.evaluate(async () => {
    const init = { method: 'POST', headers: { 'x-requested-with': 'app' } };
    await fetch('/api/app/v1/sign-out', init);
  });
  await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
  await sees(page, texts.signIn.endedHeading);
  await check(page, '7-ended-phone');
  // Some browsers close a dialog on the second, whatever the page says to the first.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await setup.enterCode(page);
  await sees(page, texts.nav.requests);
  await page.getByRole('link', { name: 'Offer' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: texts.nav.create }).click();
  expect(await page.getByLabel(texts.create.title).inputValue()).toBe('Kept');
});

it('a request that is sent once the browser has deleted the cookie of its session goes out after the next sign-in', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await setup.fillIn(page, 'Overnight', 'overnight@example.com');
  await button(page, texts.create.toReview);
  await page.context().clearCookies();
  await send(page);
  await sees(page, texts.signIn.endedHeading);
  await setup.enterCode(page);
  await sees(page, 'Overnight');
  expect(setup.stage.service.mails('overnight@example.com')).toHaveLength(1);
});

it('a page from the back/forward cache shows nothing after its user has signed out', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/members');
  await sees(page, `${texts.nav.settings} – ${texts.settings.sections.members}`);
  await page.evaluate(async () => {
    const init = { method: 'POST', headers: { 'x-requested-with': 'app' } };
    await fetch('/api/app/v1/sign-out', init);
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await sees(page, texts.signIn.heading);
});

it('signing out forgets the drafts of the user, and of nobody else', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  /** The keys of all drafts and files on this device, after another one was added. */
  const kept = (added: string) =>
    page.evaluate(async (scope) => {
      const files = await new Promise<IDBObjectStore>((resolve) => {
        const opening = indexedDB.open('drafts', 1);
        opening.onsuccess = () =>
          resolve(opening.result.transaction('files', 'readwrite').objectStore('files'));
      });
      if (scope) {
        localStorage.setItem(`draft:${scope}`, '{}');
        files.put({}, scope);
      }
      const inFiles = await new Promise<IDBValidKey[]>((resolve) => {
        const asking = files.getAllKeys();
        asking.onsuccess = () => resolve(asking.result);
      });
      return [Object.keys(localStorage).filter((key) => key.startsWith('draft:')), inFiles];
    }, added);
  const file = { name: 'Own.pdf', mimeType: 'application/pdf', buffer: setup.contract };
  await page.getByLabel(texts.create.document).setInputFiles(file);
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  expect((await kept('other/user/live')).map((keys) => keys.length)).toEqual([2, 2]);
  await page.locator('.account-button').click();
  await button(page, texts.account.signOut);
  await sees(page, texts.signIn.heading);
  expect(await kept('')).toEqual([['draft:other/user/live'], ['other/user/live']]);
});

it('after signing out, nobody is told that the session has ended, however long the page takes to reload', async () => {
  const page = await setup.signedIn(DESKTOP, '/app');
  await page.evaluate(() => {
    // As if the user looked at the page again and again: it would refresh its list each time.
    setInterval(() => document.dispatchEvent(new Event('visibilitychange')), 100);
    new MutationObserver(() => {
      if (document.querySelector('dialog')) sessionStorage.setItem('seen', 'dialog');
    }).observe(document.body, { subtree: true, childList: true });
  });
  await page.route(
    ({ pathname }) => pathname === '/app',
    (route) => setTimeout(() => void route.continue(), 1_500),
  );
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/app/v1/sign-out', (route) => released.then(() => route.continue()));
  await page.locator('.account-button').click();
  await button(page, texts.account.signOut);
  await page.locator('[aria-disabled]', { hasText: texts.account.signOut }).waitFor();
  release();
  await sees(page, texts.signIn.heading);
  expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBeNull();
});

it('a sign-out that fails is said in the menu until the next attempt, and in a short message if the menu was closed', async () => {
  const page = await setup.newlySignedIn(DESKTOP, '/app');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/app/v1/sign-out', (route) => route.abort());
  await page.locator('.account-button').click();
  await page.clock.install();
  await button(page, texts.account.signOut);
  const problem = page.locator('#account [role="alert"]', { hasText: texts.problems.connection_failed });
  await problem.waitFor();
  await page.clock.runFor(60_000);
  expect(await problem.count()).toBe(1);
  expect(await page.locator('.toast').count()).toBe(0);
  await page.unroute('**/api/app/v1/sign-out');
  await page.route('**/api/app/v1/sign-out', (route) => released.then(() => route.abort()));
  await button(page, texts.account.signOut);
  await problem.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  release();
  await page.locator('.toast', { hasText: texts.problems.connection_failed }).waitFor();
  await page.unroute('**/api/app/v1/sign-out');
  await page.locator('.account-button').click();
  await button(page, texts.account.signOut);
  await sees(page, texts.signIn.heading);
});

it('a wrong code says how many attempts are left, and the right one still works', async () => {
  const page = await setup.visit('/app', PHONE);
  await page.getByLabel(texts.email).fill(USER);
  const code = await setup.mailedCode(page);
  await page.getByLabel(texts.signIn.code).fill(code === '123456' ? '654321' : '123456');
  await button(page, texts.signIn.submit);
  await page.getByText(texts.signIn.wrongCode(4)).waitFor();
  await check(page, 'wrong-code-phone');
  await page.getByLabel(texts.signIn.code).fill(code);
  await button(page, texts.signIn.submit);
  await sees(page, texts.nav.requests);
});

it('a new code takes away what was said of the one before, and says that it was sent', async () => {
  const page = await setup.visit('/app', PHONE);
  await page.getByLabel(texts.email).fill(USER);
  const code = await setup.mailedCode(page);
  const field = page.getByLabel(texts.signIn.code);
  await field.fill(code === '123456' ? '654321' : '123456');
  await button(page, texts.signIn.submit);
  await page.getByText(texts.signIn.wrongCode(4)).waitFor();
  const sent = { code_expires_at: new Date(Date.now() + 600_000).toISOString() };
  // The service allows the next code only after a minute.
  await page.route('**/api/app/v1/sign-in', (route) => route.fulfill({ json: sent }));
  await button(page, texts.signIn.sendAgain);
  await page.getByRole('status').getByText(texts.signIn.sentAgain).waitFor();
  expect(await page.getByText(texts.signIn.wrongCode(4)).count()).toBe(0);
  expect(await page.locator('#code:focus').inputValue()).toBe('');
  expect(await field.getAttribute('aria-invalid')).toBeNull();
  await check(page, 'new-code-phone');
});

it('a code that is sent again does not interrupt the entry of another address, and can be entered', async () => {
  const page = await setup.visit('/app', PHONE);
  await page.getByLabel(texts.email).fill(USER);
  await setup.mailedCode(page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const json = { code_expires_at: new Date(Date.now() + 600_000).toISOString() };
  await page.route('**/api/app/v1/sign-in', (route) => released.then(() => route.fulfill({ json })));
  await button(page, texts.signIn.sendAgain);
  await button(page, texts.signIn.otherAddress);
  await page.getByLabel(texts.email).fill('other@');
  release();
  await page.locator('[aria-disabled]').waitFor({ state: 'detached' });
  expect(await page.locator('#email:focus').inputValue()).toBe('other@');
  await button(page, texts.signIn.haveCode);
  await page.locator('#code:focus').waitFor();
});

it('when an address gets no more codes, an earlier one is said to work only while it does', async () => {
  const page = await setup.visit('/app', PHONE);
  const refused = (code: string, retryAfter: string) => ({
    status: 429,
    headers: { 'retry-after': retryAfter },
    json: { error: code, message: '' },
  });
  const [noMoreCodes = ''] = texts.signIn.noMoreCodes('').split('.');
  const worksStill = page.getByText(texts.signIn.codeStillWorks);
  const [, inThisBrowser = ''] = texts.signIn.worksUntil('').split(', ');
  const worksUntil = page.getByText(inThisBrowser);
  const spent = refused('too_many_codes', '40000');
  await page.getByLabel(texts.email).fill(USER);
  await page.route('**/api/app/v1/sign-in', (route) => route.fulfill(spent));
  await button(page, texts.signIn.send);
  await page.getByText(noMoreCodes).waitFor();
  expect(await worksStill.count()).toBe(0);

  await page.unroute('**/api/app/v1/sign-in');
  await setup.mailedCode(page);
  await page.route('**/api/app/v1/sign-in', (route) => route.fulfill(spent));
  await button(page, texts.signIn.sendAgain);
  await worksStill.waitFor();
  await worksUntil.waitFor();

  await page.route('**/api/app/v1/sign-in/verify', (route) => route.fulfill(refused('locked', '0')));
  await page.getByLabel(texts.signIn.code).fill('123456');
  await button(page, texts.signIn.submit);
  await page.getByText(texts.problems.locked).waitFor();
  expect(await worksUntil.count()).toBe(0);
  await button(page, texts.signIn.sendAgain);
  await page.getByText(noMoreCodes).waitFor();
  expect(await worksStill.count()).toBe(0);

  await button(page, texts.signIn.otherAddress);
  await page.locator('#email:focus').waitFor();
  expect(await page.getByRole('button', { name: texts.signIn.haveCode }).count()).toBe(0);
  await page.reload();
  await page.getByLabel(texts.email).waitFor();
});

it('a code that ends before it is entered is said to have ended', async () => {
  const page = await setup.visit('/app', PHONE);
  await page.clock.install();
  await page.getByLabel(texts.email).fill(USER);
  await setup.mailedCode(page);
  const [, inThisBrowser = ''] = texts.signIn.worksUntil('').split(', ');
  await page.getByText(inThisBrowser).waitFor();
  await page.clock.fastForward(10 * MINUTE);
  await page.getByRole('alert').getByText(texts.problems.code_expired).waitFor();
  expect(await page.getByText(inThisBrowser).count()).toBe(0);
});

it('a browser whose clock is days ahead takes a mailed code after a reload, and names the day on which a request will end', async () => {
  const page = await setup.visit('/app', PHONE);
  const { baseUrl, cloud } = setup.stage.service;
  await page.clock.install({ time: cloud.clock.now() + 3 * DAY });
  await page.reload();
  await page.getByLabel(texts.email).fill(USER);
  const code = await setup.mailedCode(page);
  await page.locator('#code:focus').waitFor();
  await page.reload();
  await page.locator('#code:focus').waitFor();
  await button(page, texts.signIn.otherAddress);
  await button(page, texts.signIn.haveCode);
  await page.locator('#code:focus').fill(code);
  await button(page, texts.signIn.submit);
  await sees(page, texts.nav.requests);
  await page.goto(`${baseUrl}/app/new`);
  await page.getByText(texts.more).click();
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Europe/Helsinki' });
  const end = day.format(cloud.clock.now() + 30 * DAY);
  expect(await page.locator('#days-hint').textContent()).toBe(texts.create.daysHint(end));
});

it('a mailed code can be entered after a reload, and after another address was wanted by mistake', async () => {
  const page = await setup.visit('/app', PHONE);
  await page.getByLabel(texts.email).fill(USER);
  const code = await setup.mailedCode(page);
  await page.locator('#code:focus').waitFor();
  await page.reload();
  await page.locator('#code:focus').waitFor();
  await page.getByText(USER).waitFor();
  await button(page, texts.signIn.otherAddress);
  await page.locator('#email:focus').waitFor();
  await check(page, 'have-code-phone');
  await button(page, texts.signIn.haveCode);
  await page.locator('#code:focus').fill(code);
  await button(page, texts.signIn.submit);
  await sees(page, texts.nav.requests);
  await page.locator('.account-button').click();
  await button(page, texts.account.signOut);
  await sees(page, texts.signIn.heading);
  expect(await page.getByLabel(texts.email).inputValue()).toBe('');
  expect(await page.getByRole('button', { name: texts.signIn.haveCode }).count()).toBe(0);
});

it('a session that is ended from another browser is over at its next step', async () => {
  const stranger = await setup.newlySignedIn({ ...PHONE, userAgent: 'Stranger/1.0' });
  const page = await setup.newlySignedIn(DESKTOP, '/app/settings/sessions');
  const { end } = texts.settings.sessions;
  const row = page.getByRole('row').filter({ hasText: 'Stranger/1.0' });
  await row.getByRole('button', { name: end }).click();
  await button(page, end);
  await row.waitFor({ state: 'detached' });
  await page.getByText(texts.settings.sessions.ended).waitFor();
  await page.locator('h1:focus', { hasText: texts.nav.settings }).waitFor();
  await stranger.reload();
  await sees(stranger, texts.signIn.heading);
});

it('a browser that denies storage can sign in, and a slow start says that the page is loading', async () => {
  const page = await setup.visit('/app');
  await page.addInitScript(() => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: denied });
  });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/app/v1/me', (route) => released.then(() => route.continue()));
  await page.reload();
  await page.getByText(texts.loading, { exact: true }).waitFor();
  release();
  await sees(page, texts.signIn.heading);
  await page.getByLabel(texts.email).fill(USER);
  await setup.enterCode(page);
  await sees(page, texts.nav.requests);
});

it('where the words of the page do not come, the document says that it has not loaded', async () => {
  const page = await setup.visit('/app');
  await page.route('**/assets/app-*.js', (route) => route.abort());
  await page.reload();
  // Ten seconds pass.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  for (const { notLoaded } of Object.values(INSTEAD_TEXTS)) await page.getByText(notLoaded).waitFor();
  await check(page, 'not-loaded');
});

it('an address that cannot be read is said to be no page, and a link leads away from it', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/requests/%E0%A4%A');
  await sees(page, texts.notFound.heading);
  await page.getByRole('link', { name: texts.notFound.toList }).click();
  await page.locator('h1:focus', { hasText: texts.nav.requests }).waitFor();
});

it('a link leads away from a page that crashed', async () => {
  const { id } = await setup.stage.send(1, { title: 'Odd' });
  const page = await setup.signedIn();
  await page.route(`**/api/v1/signatures/${id}`, (route) => route.fulfill({ json: { id } }));
  await page.getByRole('link', { name: 'Odd' }).click();
  await page.locator('h1:focus', { hasText: texts.trouble.heading }).waitFor();
  await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
  await page.locator('h1:focus', { hasText: texts.nav.requests }).waitFor();
});
