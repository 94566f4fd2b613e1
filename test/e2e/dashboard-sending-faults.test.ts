import type { Route } from 'playwright-core';
import type { CreatedSignatureRequest } from '../../client/src/types.ts';
import { DAY } from '../../shared/runtime/time.ts';
import type { Me } from '../../web/app/contract.ts';
import { makePdfOfSize } from '../support/pdf.ts';
import { until } from '../support/until.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { button, check, dashboardSetup, drop, sees, send, texts, USER } from './dashboard-setup.ts';
import { expectFits } from './layout.ts';
import { encryptedPdf } from './pdfs.ts';

/** Nothing that was entered for a new request is lost, and it is sent once. */

const setup = dashboardSetup();

type Answer = (route: Route) => Promise<void>;

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

it.each(['pdf-*.js', 'pdf.worker*'])(
  'a preview whose viewer did not load can be tried again: %s',
  async (part) => {
    const page = await setup.signedIn(PHONE, '/app/new');
    await page.route(`**/${part}`, (route) => route.abort());
    await setup.fillIn(page, 'Offline', 'offline@example.com');
    await page.getByText(texts.trouble.notLoaded).waitFor();
    await check(page, 'preview-not-loaded');
    await page.unrouteAll();
    await button(page, texts.trouble.again);
    await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
    expect(await page.getByLabel(texts.email).inputValue()).toBe('offline@example.com');
  },
);

it('that a file cannot be shown is announced, and it takes no memory for its preview', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await setup.fillIn(page, 'Broken', 'broken@example.com', Buffer.from('%PDF-1.7 and no more'));
  await page.getByRole('status').getByText(texts.create.noPreview).waitFor();
  await until(() => page.workers().length === 0, 'the end of the worker');
});

it('a document with a password is refused with one error, which another document takes away', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await setup.fillIn(page, 'Locked', 'locked@example.com', Buffer.from(await encryptedPdf()));
  const error = page.getByText(texts.problems.pdf_encrypted).filter({ visible: true });
  await error.waitFor();
  await button(page, texts.create.toReview);
  await send(page);
  await page.locator('#document[aria-invalid="true"]').waitFor();
  expect(await error.count()).toBe(1);
  await page.setInputFiles('#document', { name: 'Open.pdf', mimeType: '', buffer: setup.contract });
  await page.locator('.preview canvas').waitFor();
  expect(await error.count()).toBe(0);
});

describe('a page that is left while its request is sent', () => {
  /** Begins to send a request that waits for an answer to this call, and leaves its page. */
  async function leaveWhileSending(
    buffer: Buffer,
    email: string,
    call: string,
    answer: Answer,
    title = 'Left',
  ) {
    const page = await setup.signedIn(DESKTOP, '/app/new');
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await isLeft;
      await answer(route);
    });
    await setup.fillIn(page, title, email, buffer);
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

  it('tells by name that not every invitation was mailed, on the smallest phone however long that is', async () => {
    const title = 'L'.repeat(150);
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
      title,
    );
    await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
    await sees(page, texts.nav.requests);
    leave();
    await page.getByRole('alert').getByText(texts.create.unmailed(title)).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    await expectFits(page, 320);
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

it('the days to sign do not change while one scrolls over them', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await page.getByText(texts.more, { exact: true }).click();
  const days = page.getByLabel(texts.create.days);
  await days.click();
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => scrollY > 0);
  expect(await days.inputValue()).toBe('30');
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
