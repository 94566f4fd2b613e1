import { encode } from 'fast-png';
import type { Page, Route } from 'playwright-core';
import type { CreatedSignatureRequest, SignatureRequest } from '../../client/src/types.ts';
import { LIMITS } from '../../shared/contract/limits.ts';
import { DAY } from '../../shared/runtime/time.ts';
import { NOT_LOADED_TEXTS } from '../../shared/texts/languages.ts';
import type { Me } from '../../web/app/contract.ts';
import { makePdfOfSize } from '../support/pdf.ts';
import { first } from '../support/signing-stage.ts';
import { until } from '../support/until.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { button, check, dashboardSetup, sees, send, texts, USER } from './dashboard-setup.ts';

/** Faults are said, and nothing that was entered is lost. */

const setup = dashboardSetup();

const NOW = new Date().toISOString();

type Answer = (route: Route) => Promise<void>;

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

it('a document of 6 MB goes straight to storage, and sending it twice makes one request', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  const uploads: string[] = [];
  page.on('request', (request) => {
    const isUpload = request.method() === 'POST' && !request.url().startsWith(setup.stage.service.baseUrl);
    if (isUpload) uploads.push(request.url());
  });
  await setup.fillIn(page, 'Plans', 'ann@example.com', await makePdfOfSize(6_000_000));
  await button(page, texts.create.toReview);
  // The request is made, but the page is gone before it hears of it.
  const answered = new Promise<void>((resolve) => {
    void page.route('**/api/v1/signatures', (route) => route.fetch().then(() => resolve()));
  });
  await send(page);
  await send(page);
  await answered;
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  await page.unrouteAll();
  await button(page, texts.create.toReview);
  await send(page);
  await sees(page, 'Plans');
  expect(uploads).toHaveLength(1);
  expect(setup.stage.service.mails('ann@example.com')).toHaveLength(1);
});

it('a double click on “Check and send” does not send a request that nobody has checked', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await setup.fillIn(page, 'Looked at', 'looked@example.com');
  await button(page, texts.create.toReview);
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  // The place of its button depends on the document and the size of the window.
  await page.getByRole('button', { name: texts.create.review.send(1) }).hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  // There is no such way while it is being sent.
  await button(page, texts.create.review.back);
  await sees(page, texts.nav.create);
});

it('a preview that is left before its document has opened frees the memory of it', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
  await page.route('**/pdf.worker*', (route) => isLeft.then(() => route.continue()));
  await setup.fillIn(page, 'Quickly sent', 'quick@example.com');
  await button(page, texts.create.toReview);
  await sees(page, texts.create.toReview);
  leave();
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  await until(() => page.workers().length === 1, 'the end of the first worker');
});

it('a file that cannot be shown takes no memory for its preview', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await setup.fillIn(page, 'Broken', 'broken@example.com', Buffer.from('%PDF-1.7 and no more'));
  await page.getByText(texts.create.noPreview).waitFor();
  await until(() => page.workers().length === 0, 'the end of the worker');
});

describe('a page that is left while its request is sent', () => {
  /** Begins to send a request that waits for an answer to this call, and leaves its page. */
  async function leaveWhileSending(buffer: Buffer, email: string, call: string, answer: Answer) {
    const page = await setup.signedIn(DESKTOP, '/app/new');
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await isLeft;
      await answer(route);
    });
    const file = { name: 'Left.pdf', mimeType: 'application/pdf', buffer };
    await page.getByLabel(texts.create.document).setInputFiles(file);
    await page.getByLabel(texts.email).fill(email);
    await button(page, texts.create.toReview);
    await send(page);
    await page.locator('progress').waitFor();
    return { page, leave };
  }

  it('sends it for the owner and in the mode in which it was begun', async () => {
    const document = await makePdfOfSize(4_100_000);
    const { page, leave } = await leaveWhileSending(
      document,
      'begun@example.com',
      '**/api/v1/uploads',
      (route) => route.continue(),
    );
    await page.locator('.account-button').click();
    await page.getByRole('switch').click();
    await page.getByText(texts.testMode.banner).waitFor();
    leave();
    await page.getByText(texts.create.sent).waitFor();
    await page.getByRole('switch').click();
    await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
    await page.getByRole('link', { name: 'Left' }).waitFor();
  });

  it('is closed or reloaded only once the browser has asked, until the answer has come', async () => {
    const { page, leave } = await leaveWhileSending(
      setup.contract,
      'asked@example.com',
      '**/api/v1/signatures',
      (route) => route.continue(),
    );
    const asked: string[] = [];
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type());
      await dialog.dismiss();
    });
    await page.evaluate(() => location.reload());
    await until(() => asked.length > 0, 'the question');
    leave();
    await page.getByText(texts.create.sent).waitFor();
    await page.reload();
    await sees(page, 'Left');
    expect(asked).toEqual(['beforeunload']);
  });

  it('tells why it could not be sent, and that the draft is kept', async () => {
    const error = { error: 'subscription_inactive', message: 'The subscription is not active.' };
    const { page, leave } = await leaveWhileSending(
      setup.contract,
      'failed@example.com',
      '**/api/v1/signatures',
      (route) => route.fulfill({ status: 403, json: error }),
    );
    await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
    await sees(page, texts.nav.requests);
    leave();
    const told = texts.create.sendingFailed('Left', texts.problems.subscription_inactive);
    await page.getByRole('alert').getByText(`${told} ${texts.create.kept}`).waitFor();
    await check(page, 'unsent');
    await button(page, texts.close);
    await page.getByText(told).waitFor({ state: 'detached' });
  });

  it('tells a user who signs out and stays that it could not be sent', async () => {
    const error = { error: 'sign_in_required', message: 'Sign in.' };
    const { page, leave } = await leaveWhileSending(
      setup.contract,
      'stayed@example.com',
      '**/api/v1/signatures',
      (route) => route.fulfill({ status: 401, json: error }),
    );
    page.on('dialog', (dialog) => dialog.dismiss());
    await page.locator('.account-button').click();
    await button(page, texts.account.signOut);
    await sees(page, texts.signIn.heading);
    leave();
    const told = texts.create.sendingFailed('Left', texts.problems.sign_in_required);
    await page.getByRole('alert').getByText(told, { exact: true }).waitFor();
    await check(page, 'stayed');
  });

  it('tells by name that not every invitation was mailed', async () => {
    const { page, leave } = await leaveWhileSending(
      setup.contract,
      'unmailed@example.com',
      '**/api/v1/signatures',
      async (route) => {
        const answer = await route.fetch();
        const made: CreatedSignatureRequest = await answer.json();
        const signers = made.signers.map((signer) => ({ ...signer, email_sent: false }));
        await route.fulfill({ response: answer, json: { ...made, signers } });
      },
    );
    await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
    await sees(page, texts.nav.requests);
    leave();
    await page.getByRole('alert').getByText(texts.create.unmailed('Left')).waitFor();
  });
});

it('someone without a subscription reads so before the form, but not in test mode, nor once there is one', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  const lacking = page.getByText(texts.problems.subscription_required);
  await page.getByLabel(texts.create.title).waitFor();
  expect(await lacking.count()).toBe(0);
  await page.locator('.account-button').click();
  await page.getByRole('radio', { name: USER }).check();
  await lacking.waitFor();
  await check(page, 'no-subscription');
  await page.getByRole('switch', { name: texts.testMode.label }).check();
  await lacking.waitFor({ state: 'detached' });
  await page.getByRole('switch', { name: texts.testMode.label }).uncheck();
  await lacking.waitFor();
  await page.route('**/api/app/v1/me', async (route) => {
    const answer = await route.fetch();
    const me: Me = await answer.json();
    const owners = me.owners.map((owner) => ({ ...owner, subscription: 'active' }));
    await route.fulfill({ response: answer, json: { ...me, owners } });
  });
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
  await page.getByRole('navigation').getByRole('link', { name: texts.nav.create }).click();
  await lacking.waitFor({ state: 'detached' });
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
  await page.locator('.account-button').click();
  await button(page, texts.account.signOut);
  await sees(page, texts.signIn.heading);
  expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBeNull();
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

  await page.route('**/api/app/v1/sign-in/verify', (route) => route.fulfill(refused('locked', '0')));
  await page.getByLabel(texts.signIn.code).fill('123456');
  await button(page, texts.signIn.submit);
  await page.getByText(texts.problems.locked).waitFor();
  await button(page, texts.signIn.sendAgain);
  await page.getByText(noMoreCodes).waitFor();
  expect(await worksStill.count()).toBe(0);

  await button(page, texts.signIn.otherAddress);
  await page.locator('#email:focus').waitFor();
  expect(await page.getByRole('button', { name: texts.signIn.haveCode }).count()).toBe(0);
  await page.reload();
  await page.getByLabel(texts.email).waitFor();
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

it('a new request that is left open over night names the end that it has when it is sent', async () => {
  const page = await setup.signedIn();
  const { baseUrl, cloud } = setup.stage.service;
  await page.clock.install();
  await page.goto(`${baseUrl}/app/new`);
  const dateStyle = 'medium';
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle, timeZone: 'Europe/Helsinki' });
  const endAfterNights = (nights: number) => day.format(cloud.clock.now() + (30 + nights) * DAY);
  await setup.fillIn(page, 'Overnight', 'overnight@example.com');
  await page.getByText(texts.more).click();
  await page.getByText(texts.create.daysHint(endAfterNights(0))).waitFor();
  await page.clock.fastForward(DAY);
  await page.getByText(texts.create.daysHint(endAfterNights(1))).waitFor();
  await button(page, texts.create.toReview);
  await page.getByText(endAfterNights(1)).waitFor();
  await page.clock.fastForward(DAY);
  await page.getByText(endAfterNights(2)).waitFor();
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

it('the browser’s back button leads from the summary to the form, and from the sent request to the list', async () => {
  const page = await setup.signedIn();
  const focused = (heading: string) => page.locator('h1:focus', { hasText: heading }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: texts.nav.create }).click();
  await setup.fillIn(page, 'There and back', 'back@example.com');
  await button(page, texts.create.toReview);
  await focused(texts.create.toReview);
  await page.goBack();
  await focused(texts.nav.create);
  expect(await page.getByLabel(texts.email).inputValue()).toBe('back@example.com');
  await page.goForward();
  await focused(texts.create.toReview);
  await page.getByRole('link', { name: texts.skip }).press('Enter');
  expect(await page.locator('main').evaluate((main) => main === document.activeElement)).toBe(true);
  await send(page);
  await focused('There and back');
  await page.goBack();
  await focused(texts.nav.requests);
});

it('a file input shows the chosen file until it is discarded, and the file can be chosen again', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  const input = page.locator('#document');
  const file = { name: 'Named.pdf', mimeType: 'application/pdf', buffer: setup.contract };
  const preview = page.getByRole('img', { name: texts.create.firstPage });
  await input.setInputFiles(file);
  await preview.waitFor();
  expect(await input.inputValue()).toMatch(/Named\.pdf$/);
  const asked = page.waitForEvent('filechooser');
  await input.click();
  await asked;
  // Otherwise the same file, exported anew, would be no change.
  expect(await input.inputValue()).toBe('');
  await input.setInputFiles(file);
  await page.getByRole('button', { name: texts.create.discard }).click();
  // Read out with the heading: the focus is on a button.
  const question = await page.locator('dialog[aria-describedby]').getAttribute('aria-describedby');
  expect(await page.locator(`[id="${question}"]`).textContent()).toBe(texts.create.discardQuestion);
  await button(page, texts.create.discard);
  await page.getByText(texts.create.discarded).waitFor();
  await preview.waitFor({ state: 'detached' });
  expect(await input.inputValue()).toBe('');
});

it('a pasted text that is too long is kept whole, and reported', async () => {
  const { id } = await setup.stage.send(1, { title: 'Too long' });
  const page = await setup.signedIn(DESKTOP, '/app/new');
  const paste = async (label: string, text: string) => {
    await page.getByLabel(label).focus();
    await page.keyboard.insertText(text);
    expect((await page.getByLabel(label).inputValue()).length).toBe(text.length);
  };
  await setup.fillIn(page, 'Long', 'long@example.com');
  await paste(texts.create.message, 'm'.repeat(5_001));
  await button(page, texts.create.toReview);
  await page.getByText(texts.problems.invalid_message).waitFor();
  await page.locator('#message:focus[aria-invalid]').waitFor();
  await page.getByText(texts.more).click();
  for (const label of [texts.create.title, texts.create.name, texts.create.reference]) {
    await page.getByLabel(label).fill('');
    await paste(label, 'l'.repeat(201));
  }
  await page.locator('#title[aria-invalid]').waitFor();
  expect(await page.getByText(texts.create.faults.tooLong).count()).toBe(3);

  const { cancelling, correcting } = texts.request;
  await page.goto(`${setup.stage.service.baseUrl}/app/requests/${id}`);
  await button(page, texts.request.correct);
  await page.getByRole('dialog').waitFor();
  await page.getByLabel(texts.create.name).fill('');
  await paste(texts.create.name, 'n'.repeat(201));
  await button(page, correcting.submit);
  await page.locator('#correct-name:focus[aria-invalid]').waitFor();
  await page.getByText(texts.create.faults.tooLong).waitFor();
  await page.getByLabel(texts.email).fill('');
  await paste(texts.email, `${'a'.repeat(243)}@example.com`);
  await page.getByText(texts.problems.invalid_signer_email).waitFor();
  await button(page, texts.cancel);
  await button(page, texts.more);
  await button(page, texts.request.cancel);
  // It takes the focus once it is open.
  await page.getByRole('dialog').waitFor();
  await paste(cancelling.reason, 'r'.repeat(501));
  await button(page, cancelling.submit);
  await page.getByText(texts.problems.invalid_reason).waitFor();

  const { keys, brand } = texts.settings;
  await page.goto(`${setup.stage.service.baseUrl}/app/settings/keys`);
  await paste(keys.name, 'k'.repeat(201));
  await button(page, keys.create);
  await page.locator('#key-name[aria-invalid]').waitFor();
  await page.getByText(texts.create.faults.tooLong).waitFor();
  await page.goto(`${setup.stage.service.baseUrl}/app/settings/brand`);
  await paste(brand.fields.display_name, 'b'.repeat(2_049));
  await button(page, texts.save);
  await page.locator('#display_name[aria-invalid]').waitFor();
  await page.getByText(texts.problems.invalid_name).waitFor();
});

it('an address of a brand is stored without what nobody sees', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { fields } = texts.settings.brand;
  await page.getByLabel(fields.support_url).fill('https://help.example.com/\u200b');
  await button(page, texts.save);
  await page.getByText(texts.saved).waitFor();
  await page.reload();
  await until(
    async () => (await page.getByLabel(fields.support_url).inputValue()) === 'https://help.example.com/',
    'the stored address',
  );
});

it('a link to an address, as browsers copy it, is pasted as the address', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  const email = page.getByLabel(texts.email);
  await email.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'mailto:ann@example.com');
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByText(texts.create.pasted(1)).waitFor();
  expect(await email.inputValue()).toBe('ann@example.com');
});

it('the form takes a logo of every size that the service takes', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { logoFault, removeLogo } = texts.settings.brand;
  const sized = (bytes: number) => ({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(bytes),
  });
  await page.locator('#logo').setInputFiles(sized(LIMITS.logoBytes + 1));
  await page.getByText(logoFault).waitFor();
  await page.locator('#logo').setInputFiles(sized(LIMITS.logoBytes));
  await page.getByRole('button', { name: removeLogo }).waitFor();
  expect(await page.getByText(logoFault).count()).toBe(0);
});

it('a chosen logo is named by its field until it is removed, and one that cannot be read is refused', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const input = page.locator('#logo');
  const logo = encode({ width: 8, height: 2, channels: 3, depth: 8, data: new Uint8Array(48) });
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(logo) };
  await input.setInputFiles(file);
  const remove = page.getByRole('button', { name: texts.settings.brand.removeLogo });
  await remove.waitFor();
  expect(await input.inputValue()).toMatch(/logo\.png$/);
  // Its words stand below the field, not in the middle of the form.
  const [field, link] = [await input.boundingBox(), await remove.boundingBox()];
  expect(link?.width).toBeLessThan((field?.width ?? 0) / 2);
  expect(link?.x).toBe(field?.x);
  await remove.click();
  expect(await input.inputValue()).toBe('');

  await input.setInputFiles(file);
  await remove.waitFor();
  await page.evaluate(() => {
    const read = File.prototype.arrayBuffer;
    const held = Promise.withResolvers<void>();
    File.prototype.arrayBuffer = async function () {
      const bytes = await read.call(this);
      await held.promise;
      return bytes;
    };
    Object.assign(window, { goOn: held.resolve });
  });
  await input.setInputFiles({ ...file, name: 'slow.png' });
  await remove.click();
  await page.evaluate(async () => {
    Reflect.get(window, 'goOn')();
    await new Promise((resolve) => setTimeout(resolve));
  });
  expect(await remove.count()).toBe(0);

  await page.evaluate(() => {
    File.prototype.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  });
  await input.setInputFiles(file);
  await page.getByText(texts.problems.file_unreadable).waitFor();
});

it('what is entered in the settings is kept, and said to be unsaved, while another section is looked at', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { sections, notices, unsaved } = texts.settings;
  const section = (name: string) => page.getByRole('link', { name, exact: true }).click();
  const name = page.locator('#display_name');
  await name.fill('Acme Legal');
  await section(sections.notices);
  await page.getByLabel(notices.notify).fill('legal@example.com');
  await section(sections.brand);
  await page.getByText(unsaved).waitFor();
  expect(await name.inputValue()).toBe('Acme Legal');
  await check(page, 'brand-unsaved');
  await section(sections.notices);
  expect(await page.getByLabel(notices.notify).inputValue()).toBe('legal@example.com');

  await page.locator('.account-button').click();
  await page.getByRole('radio', { name: USER }).click();
  await section(sections.brand);
  await name.waitFor();
  expect(await name.inputValue()).not.toBe('Acme Legal');
  expect(await page.getByText(unsaved).count()).toBe(0);
});

it('unsaved entries of the settings are discarded on request, with the faults and the chosen file', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { unsaved, discard, discarded, brand } = texts.settings;
  const name = page.locator('#display_name');
  await name.waitFor();
  const before = await name.inputValue();
  await name.fill('Acme Legal');
  await page.getByText(unsaved).waitFor();
  await name.fill(before);
  await page.getByText(unsaved).waitFor({ state: 'detached' });
  await name.fill('Acme Legal');
  await page.locator('#logo').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture at all'),
  });
  await button(page, texts.save);
  await page.getByText(brand.logoFault).waitFor();
  await check(page, 'settings-discard');
  await button(page, discard);
  await page.getByText(discarded).waitFor();
  expect(await name.inputValue()).toBe(before);
  expect(await page.locator('#logo').inputValue()).toBe('');
  expect(await page.getByText(brand.logoFault).count()).toBe(0);
  expect(await page.getByText(unsaved).count()).toBe(0);
  await page.locator('button:focus', { hasText: texts.save }).waitFor();
});

it('a section stays open while a value in it is corrected', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await page.getByText(texts.more, { exact: true }).click();
  const days = page.getByLabel(texts.create.days);
  await days.fill('31');
  await page.getByText(texts.more, { exact: true }).click();
  await days.waitFor({ state: 'hidden' });
  await button(page, texts.create.toReview);
  await days.waitFor();
  await days.press('End');
  await days.press('Backspace');
  await days.press('0');
  expect(await page.locator('#days:focus').inputValue()).toBe('30');
});

it('the days to sign do not change while one scrolls over them', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await page.getByText(texts.more, { exact: true }).click();
  const days = page.getByLabel(texts.create.days);
  await days.click();
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => scrollY > 0);
  expect(await days.inputValue()).toBe('30');
});

it('a short message disappears by itself, and a repeated one is announced again', async () => {
  const { id } = await setup.stage.send(1, { title: 'Receipt' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = async () => {
    await button(page, texts.more);
    await button(page, texts.request.copyJson);
  };
  await page.clock.install();
  await copy();
  const message = page.getByText(texts.copied);
  await message.waitFor();
  const earlier = await message.elementHandle();
  await copy();
  await page.waitForFunction((shown) => !shown?.isConnected, earlier);
  await message.waitFor();
  await page.clock.fastForward(6_000);
  await message.waitFor({ state: 'detached' });
});

it('one draft sent from two tabs makes one request, and a lost connection is said until it is back', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await setup.fillIn(page, 'Twice', 'twice@example.com');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('img', { name: texts.create.firstPage }).waitFor();
  for (const tab of [page, other]) {
    await button(tab, texts.create.toReview);
    await send(tab);
    await sees(tab, 'Twice');
  }
  expect(other.url()).toBe(page.url());
  expect(setup.stage.service.mails('twice@example.com')).toHaveLength(1);

  await page.context().setOffline(true);
  await page.getByRole('link', { name: texts.request.back }).click();
  await page.getByText(texts.connection.lost).waitFor();
  await button(page, texts.connection.tryNow);
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Twice' }).waitFor();
  await page.getByText(texts.connection.lost).waitFor({ state: 'hidden' });
  // The button is gone.
  await page.locator('h1:focus').waitFor();
});

it('a cancellation that is under way cannot be left as if it had stopped, and the focus goes back to its menu', async () => {
  const { id } = await setup.stage.send(1, { title: 'Draft contract' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/api/v1/signatures/${id}/cancel`, (route) => released.then(() => route.continue()));
  await button(page, texts.more);
  await button(page, texts.request.cancel);
  await button(page, texts.request.cancelling.submit);
  expect(await page.getByRole('button', { name: texts.request.cancelling.keep }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await sees(page, texts.request.cancel);
  release();
  await page.getByText(texts.request.cancelling.done).waitFor();
  await page.locator('button:focus', { hasText: texts.more }).waitFor();
});

it('a correction of someone who has signed meanwhile is refused in words, and keeps what was entered', async () => {
  const { id, signers } = await setup.stage.send(2, { title: 'Protocol' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  const signer = first(signers);
  const card = page.getByRole('article', { name: signer.name });
  await card.getByRole('button', { name: texts.request.correct }).click();
  const email = page.locator('dialog').getByLabel(texts.email);
  await email.fill('elsewhere@example.com');
  await page.locator('#correct-name').fill('');
  await button(page, texts.request.correcting.submit);
  // The service would keep the name of the person before.
  await page.locator('#correct-name:focus').waitFor();
  await page.getByText(texts.nameMissing).waitFor();
  await page.locator('#correct-name').fill(signer.name);
  await setup.stage.sign(signer);
  await button(page, texts.request.correcting.submit);
  await page.getByText(texts.problems.signer_not_active).waitFor();
  expect(await email.inputValue()).toBe('elsewhere@example.com');
});

/** Whether the page kept the browser from leaving it for the file: while that is dragged over it, and when it is dropped. */
const drop = (page: Page, name: string, base64: string) =>
  page.evaluate(
    ([called = '', content = '']) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], called));
      return ['dragover', 'drop'].map(
        (type) =>
          !document.body.dispatchEvent(
            new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
          ),
      );
    },
    [name, base64],
  );

it('a file dropped on any page begins a request; one that is no PDF is refused with what to do', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/keys');
  // Otherwise the browser would leave the page for the file.
  expect(await drop(page, 'Offer.docx', btoa('PK'))).toEqual([true, true]);
  await sees(page, texts.nav.create);
  await page.getByText(texts.problems.not_a_pdf).waitFor();
  await drop(page, 'Rent_2027.pdf', setup.contract.toString('base64'));
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  await page.getByText(texts.problems.not_a_pdf).waitFor({ state: 'hidden' });
  expect(await page.getByLabel(texts.create.title).inputValue()).toBe('Rent 2027');
});

it('of several files dropped at once, the first is taken, and the page says so', async () => {
  const page = await setup.signedIn();
  await page.evaluate((content) => {
    const dataTransfer = new DataTransfer();
    for (const name of ['Contract.pdf', 'Annex.pdf']) dataTransfer.items.add(new File([content], name));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, '%PDF-1.7');
  await page.getByText(texts.create.oneDocument).waitFor();
  expect(await page.getByLabel(texts.create.title).inputValue()).toBe('Contract');
});

it('a picture dropped on the field of the logo is left to the field', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const prevented = await page.locator('#logo').evaluate((input) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['PNG'], 'logo.png', { type: 'image/png' }));
    return ['dragover', 'drop'].map(
      (type) => !input.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
    );
  });
  expect(prevented).toEqual([false, false]);
  expect(new URL(page.url()).pathname).toBe('/app/settings/brand');
  expect(await page.getByText(texts.create.dropHere).count()).toBe(0);
});

it('a copy as JSON that the browser refuses is not called a fault of the service', async () => {
  const { id } = await setup.stage.send(1, { title: 'Uncopied' });
  const page = await setup.signedIn(PHONE, `/app/requests/${id}`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'));
  });
  await button(page, texts.more);
  await button(page, texts.request.copyJson);
  await page.getByRole('alert').getByText(texts.request.copyRefused).waitFor();
  // The menu would cover it.
  await page.getByRole('button', { name: texts.request.copyJson }).waitFor({ state: 'hidden' });
  await page.locator('button:focus', { hasText: texts.more }).waitFor();
});

it('a request whose invitations are under way says so, and that none could be mailed only once that is known', async () => {
  const { id } = await setup.stage.send(1, { title: 'Under way' });
  const page = await setup.signedIn(DESKTOP);
  const failed = { kind: 'invitation', sent_at: NOW, outcome: 'failed', at: NOW };
  let mails: unknown[] = [];
  await page.route(`**/api/v1/signatures/${id}`, async (route) => {
    const answer = await route.fetch();
    const request: SignatureRequest = await answer.json();
    const signers = request.signers.map((signer) => ({ ...signer, status: 'pending', mails }));
    await route.fulfill({ response: answer, json: { ...request, status: 'pending', signers } });
  });
  await page.getByRole('link', { name: 'Under way' }).click();
  await page.getByText(texts.request.standing.inviting).waitFor();
  expect(await page.getByText(texts.request.standing.pending).count()).toBe(0);
  mails = [failed];
  await page.reload();
  await page.getByText(texts.request.standing.pending).waitFor();
});

it('a request whose time has ended is called so and not waited for, though the daily job has not ended it yet', async () => {
  const { id } = await setup.stage.send(1, { title: 'Overdue' });
  const page = await setup.signedIn(DESKTOP);
  const row = page.getByRole('row').filter({ hasText: 'Overdue' });
  const until = texts.list.until('');
  await row.getByText(until).waitFor();
  await page.route('**/api/v1/signatures?*', async (route) => {
    const answer = await route.fetch();
    const list: { data: object[] } = await answer.json();
    const data = list.data.map((summary) => ({ ...summary, is_expired: true }));
    await route.fulfill({ response: answer, json: { ...list, data } });
  });
  await page.reload();
  await row.getByText(texts.statuses.expired).waitFor();
  expect(await row.getByText(until).count()).toBe(0);
  const late = page.getByText(texts.list.expiredLate);
  expect(await late.count()).toBe(0);
  const filter = page.getByLabel(texts.list.status);
  await filter.selectOption('sent');
  await late.waitFor();
  await row.getByText(texts.statuses.expired).waitFor();
  await check(page, 'expired-among-sent');
  await filter.selectOption('expired');
  await page.locator('.empty').getByText(texts.list.nothingFound).waitFor();
  await late.waitFor();
  await filter.selectOption('');
  await row.waitFor();
  await page.route(`**/api/v1/signatures/${id}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), is_expired: true } });
  });
  await page.getByRole('link', { name: 'Overdue' }).click();
  await page.getByText(texts.request.standing.expired('').split('.')[0] ?? '').waitFor();
  expect(await page.locator('.request-state').textContent()).toBe(texts.statuses.expired);
  expect(await page.getByRole('button', { name: texts.sendAgain }).count()).toBe(0);
});

it('a failed sealing is said plainly, and a request is copied as JSON without what would let its reader sign', async () => {
  const { id } = await setup.stage.send(1, { title: 'Statutes' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, texts.more);
  await button(page, texts.request.copyJson);
  await page.getByText(texts.copied).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toMatchObject({ id, title: 'Statutes' });
  expect(copied).not.toMatch(/access_token|sign_url/);

  await page.route(`**/api/v1/signatures/${id}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), status: 'stamp_failed' } });
  });
  await page.getByText(texts.request.standing.sealingFailed).waitFor();
  await check(page, 'sealing-failed');
});

it('a key that is shown once stays until its reader has stored it, whatever is pressed or dropped meanwhile', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/keys');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByLabel(texts.settings.keys.name, { exact: true }).fill('Once');
  await page.keyboard.press('Enter');
  const secret = page.locator('dialog output');
  const key = await secret.textContent();
  await page.keyboard.press('Enter');
  await page.locator('dialog').getByText(texts.copied).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  // Some browsers close a dialog on the second, whatever the page says to the first.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await drop(page, 'Rent.pdf', setup.contract.toString('base64'))).toEqual([true, true]);
  expect(await secret.isVisible()).toBe(true);
  expect(new URL(page.url()).pathname).toBe('/app/settings/keys');
  await button(page, texts.settings.secretKept);
  await secret.waitFor({ state: 'detached' });
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

it('what was entered in the settings outlives a lost connection, which is tried again by itself', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/notices');
  const notify = page.getByLabel(texts.settings.notices.notify);
  await notify.fill('notices@example.com');
  await page.context().setOffline(true);
  await button(page, texts.save);
  await page.getByText(texts.connection.lost).waitFor();
  await button(page, texts.connection.tryNow);
  await page.context().setOffline(false);
  await page.getByText(texts.connection.lost).waitFor({ state: 'hidden' });
  expect(await notify.inputValue()).toBe('notices@example.com');
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
  for (const text of Object.values(NOT_LOADED_TEXTS)) await page.getByText(text).waitFor();
  await check(page, 'not-loaded');
});

it('while the file of the settings is slow their heading has the focus, and the page says that it loads only if that lasts', async () => {
  const page = await setup.signedIn();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/sections-*.js', (route) => released.then(() => route.continue()));
  await page.getByRole('link', { name: texts.nav.settings, exact: true }).click();
  const { sections, keys } = texts.settings;
  await page.locator('h1:focus', { hasText: `${texts.nav.settings} – ${sections.keys}` }).waitFor();
  expect(await page.title()).toContain(sections.keys);
  const status = page.locator('.loading[role="status"]');
  expect(await status.textContent()).toBe('');
  await status.getByText(texts.loading, { exact: true }).waitFor();
  await page.goBack();
  await page.locator('h1:focus', { hasText: texts.nav.requests }).waitFor();
  await page.goForward();
  await page.locator('h1:focus', { hasText: texts.nav.settings }).waitFor();
  await page.getByRole('link', { name: sections.sessions }).click();
  await page.locator('h1:focus', { hasText: sections.sessions }).waitFor();
  release();
  await page.getByText(texts.settings.sessions.intro).waitFor();
  await page.goBack();
  await page.getByText(keys.intro).waitFor();
  await page.locator('h1:focus', { hasText: sections.keys }).waitFor();
});

it('settings whose file does not come say so, and come once it can be loaded', async () => {
  const page = await setup.signedIn();
  await page.route('**/assets/sections-*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: texts.nav.settings, exact: true }).click();
  const { sections, keys } = texts.settings;
  await page.locator('h1:focus', { hasText: `${texts.nav.settings} – ${sections.keys}` }).waitFor();
  await page.getByRole('alert').getByText(texts.trouble.notLoaded).waitFor();
  await check(page, 'settings-not-loaded');
  await page.context().setOffline(true);
  await button(page, texts.trouble.again);
  await page.getByText(texts.connection.lost).waitFor();
  await page.getByText(texts.trouble.notLoaded).waitFor();
  await page.context().setOffline(false);
  await page.unroute('**/assets/sections-*.js');
  await button(page, texts.trouble.again);
  await page.getByText(keys.intro).waitFor();
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

it('the effect of an action is shown even if its response was lost', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/keys');
  const { keys } = texts.settings;
  await page.getByLabel(keys.name, { exact: true }).waitFor();
  await page.route('**/api/app/v1/api-keys', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByLabel(keys.name, { exact: true }).fill('Unanswered');
  await button(page, keys.create);
  await page.getByRole('row').filter({ hasText: 'Unanswered' }).first().waitFor();
  await page.getByText(texts.problems.connection_failed).waitFor();
});

it('a refused brand says why at its field, and what is typed while it is saved stays to be saved', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { brand } = texts.settings;
  const zone = page.locator('#time_zone');
  await zone.fill('Berlin');
  await button(page, texts.save);
  await page.getByText(brand.zoneFault).waitFor();
  await page.locator('#time_zone:focus').waitFor();
  await page.getByText(texts.problems.invalid_request).waitFor();
  await check(page, 'brand-refused');

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/app/v1/brand', (route) => released.then(() => route.continue()));
  await zone.fill('Europe/Berlin');
  await button(page, texts.save);
  await page.getByLabel(brand.fields.support_url).fill('https://acme.example/help');
  release();
  await page.getByText(texts.saved).waitFor();
  expect(await page.getByLabel(brand.fields.support_url).inputValue()).toBe('https://acme.example/help');
});

it('administrators are asked before they take their own rights, and lose those pages at once', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/members');
  const { members } = texts.settings;
  const role = page.getByRole('combobox', { name: `${members.role}: ${USER}` });
  await role.focus();
  await role.selectOption('member');
  await page.getByText(members.stepDownQuestion).waitFor();
  expect(await role.inputValue()).toBe('admin');
  await button(page, members.stepDown);
  await page.getByText(texts.problems.last_admin).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await role.evaluate((select) => select === document.activeElement)).toBe(true);

  // As if there were another administrator.
  await page.route('**/api/app/v1/members/*', (route) => route.fulfill({ json: {} }));
  await page.route('**/api/app/v1/me', (route) => route.fulfill({ status: 503, json: {} }));
  await role.selectOption('member');
  await button(page, members.stepDown);
  await page.getByText(texts.saved).waitFor();
  expect(await role.isVisible()).toBe(true);
  await page.unroute('**/api/app/v1/me');
  await page.route('**/api/app/v1/me', async (route) => {
    const answer = await route.fetch();
    const me: Me = await answer.json();
    const owners = me.owners.map((owner) => ({ ...owner, role: 'member' }));
    await route.fulfill({ response: answer, json: { ...me, owners } });
  });
  await role.focus();
  await role.selectOption('member');
  await button(page, members.stepDown);
  await page.getByText(texts.settings.adminsOnly).waitFor();
  await role.waitFor({ state: 'detached' });
  await page.locator('h1:focus', { hasText: texts.nav.settings }).waitFor();
});

it('an item that someone else has removed disappears once removing it is refused', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/webhooks');
  const { webhooks } = texts.settings;
  const address = 'https://gone.example.com/hook';
  await page.getByLabel(webhooks.url).fill(address);
  await page.getByLabel(webhooks.url).press('Enter');
  await button(page, texts.settings.secretKept);
  const endpoint = page.getByRole('article', { name: address });
  await endpoint.waitFor();
  const { client } = setup.stage;
  const { body } = await client.get('/api/v1/webhook-endpoints');
  const { id } = body.data.find(({ url }: { url: string }) => url === address);
  await client.call('DELETE', `/api/v1/webhook-endpoints/${id}`);
  await endpoint.getByRole('button', { name: texts.remove }).click();
  await button(page, texts.remove);
  await endpoint.waitFor({ state: 'detached' });
  await page.locator('dialog').waitFor({ state: 'detached' });
});

it('a request that someone else has cancelled shows it at once when cancelling it is refused', async () => {
  const request = await setup.stage.send(1, { title: 'Ended' });
  const page = await setup.signedIn();
  // A page that nobody sees does not ask from time to time.
  await page.addInitScript(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
  await page.goto(`${setup.stage.service.baseUrl}/app/requests/${request.id}`);
  await button(page, texts.more);
  await button(page, texts.request.cancel);
  await setup.stage.cancel(request.id);
  await button(page, texts.request.cancelling.submit);
  await page.getByText(texts.statuses.cancelled, { exact: true }).waitFor();
});

it('on a phone each value in a table of the settings stands beside the name of its column', async () => {
  const page = await setup.signedIn(PHONE, '/app/settings');
  const labels = () =>
    page
      .locator('.rows tr')
      .last()
      .locator('td')
      .evaluateAll((cells) =>
        cells.map((cell) => getComputedStyle(cell, '::before').content.split(' / ')[0]),
      );
  const { keys, members, sessions } = texts.settings;
  for (const [section, names] of [
    ['keys', [texts.created, keys.lastUse]],
    ['members', [members.role, texts.since]],
    ['sessions', [texts.since, sessions.until]],
  ] as const) {
    await page.goto(`${setup.stage.service.baseUrl}/app/settings/${section}`);
    await page.locator('.rows').waitFor();
    expect(await labels()).toEqual([...names.map((name) => `"${name}"`), 'none']);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await labels()).toEqual(['none', 'none', 'none']);
});

it('the reason of a signer who declined keeps its lines', async () => {
  const { id } = await setup.stage.send(1, { title: 'Refused' });
  const page = await setup.signedIn();
  await page.route(`**/api/v1/signatures/${id}`, async (route) => {
    const answer = await route.fetch();
    const request: SignatureRequest = await answer.json();
    const signers = request.signers.map((signer) => ({
      ...signer,
      decline_reason: 'Too dear.\nAnd too late.',
    }));
    await route.fulfill({ response: answer, json: { ...request, signers } });
  });
  await page.getByRole('link', { name: 'Refused' }).click();
  expect(await page.locator('.reason').textContent()).toBe('Too dear.\nAnd too late.');
});

it('the error of an action disappears with the next action, and a list that cannot be reloaded says so', async () => {
  await setup.stage.send(1, { title: 'Delivered' });
  const page = await setup.signedIn(DESKTOP, '/app/settings/webhooks');
  const { webhooks } = texts.settings;
  const refuse = (path: string, error: string) =>
    page.route(path, (route) => route.fulfill({ status: 403, json: { error, message: 'Refused.' } }));
  await refuse('**/api/v1/webhook-endpoints/*/test', 'endpoint_paused');
  await button(page, webhooks.test);
  await page.getByText(texts.problems.endpoint_paused).waitFor();
  await button(page, webhooks.pause);
  await button(page, webhooks.resume);
  await page.getByText(texts.problems.endpoint_paused).waitFor({ state: 'detached' });
  await button(page, webhooks.deliveries);
  await page.getByText('signature_request.').first().waitFor();
  await refuse('**/api/v1/webhook-endpoints/*/deliveries*', 'forbidden');
  await button(page, webhooks.reload);
  await page.getByText(texts.problems.forbidden).waitFor();
  await page.getByText('signature_request.').first().waitFor();
});
