import { makePdfOfSize } from '../support/pdf.ts';
import { first } from '../support/signing-stage.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { button, check, dashboardSetup, sees, texts, USER } from './dashboard-setup.ts';

/** Faults are said, and nothing that was entered is lost. */

const setup = dashboardSetup();

it('an ended session is said over the page, and what was entered goes on after the next sign-in', async () => {
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
  await setup.enterCode(page);
  await sees(page, texts.list.heading);
  await page.getByRole('link', { name: 'Offer' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: texts.nav.create }).click();
  expect(await page.getByLabel(texts.create.title).inputValue()).toBe('Kept');
}, 60_000);

it('a document of 6 MB goes straight to storage, and sending it twice makes one request', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  const uploads: string[] = [];
  page.on('request', (request) => {
    const isUpload = request.method() === 'POST' && !request.url().startsWith(setup.stage.service.baseUrl);
    if (isUpload) uploads.push(request.url());
  });
  await page.getByLabel(texts.create.document).setInputFiles({
    name: 'Plans.pdf',
    mimeType: 'application/pdf',
    buffer: await makePdfOfSize(6_000_000),
  });
  await page.getByLabel(texts.create.email).fill('ann@example.com');
  await button(page, texts.create.toReview);
  const send = page.getByRole('button', { name: texts.create.review.send(1) });
  // The request is made, but the page is gone before it hears of it.
  const answered = new Promise<void>((resolve) => {
    void page.route('**/api/v1/signatures', (route) => route.fetch().then(() => resolve()));
  });
  await send.dblclick();
  await answered;
  await page.unrouteAll();
  await page.reload();
  await button(page, texts.create.toReview);
  await send.click();
  await sees(page, 'Plans');
  expect(uploads).toHaveLength(1);
  expect(setup.stage.service.mails('ann@example.com')).toHaveLength(1);
}, 60_000);

it('a wrong code says how many attempts are left, and the right one still works', async () => {
  const page = await setup.visit('/app', PHONE);
  await page.getByLabel(texts.signIn.email).fill(USER);
  const code = await setup.mailedCode(page);
  await page.getByLabel(texts.signIn.code).fill(code === '123456' ? '654321' : '123456');
  await button(page, texts.signIn.submit);
  await page.getByText(texts.signIn.wrongCode(4)).waitFor();
  await check(page, 'wrong-code-phone');
  await page.getByLabel(texts.signIn.code).fill(code);
  await button(page, texts.signIn.submit);
  await sees(page, texts.list.heading);
}, 60_000);

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
  await sees(page, texts.create.heading);
  await page.keyboard.press('r');
  await sees(page, texts.list.heading);
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
}, 60_000);

it('the focus goes to the heading of the summary, and of the form on the way back', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  const focused = (heading: string) => page.locator('h1:focus', { hasText: heading }).waitFor();
  await page.getByLabel(texts.create.document).setInputFiles({
    name: 'Focus.pdf',
    mimeType: 'application/pdf',
    buffer: setup.contract,
  });
  await page.getByLabel(texts.create.email).fill('focus@example.com');
  await page.keyboard.press('Enter');
  await focused(texts.create.review.heading);
  await page.getByRole('button', { name: texts.create.review.back }).press('Enter');
  await focused(texts.create.heading);
  await button(page, texts.create.discard);
}, 60_000);

it('a short message goes away by itself, and said again it is a new one', async () => {
  const { id } = await setup.stage.send(1, { title: 'Receipt' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = () => button(page, texts.request.copyJson);
  await page.clock.install();
  await button(page, texts.request.more);
  await copy();
  const message = page.getByText(texts.copied);
  await message.waitFor();
  const earlier = await message.elementHandle();
  await copy();
  await page.waitForFunction((shown) => !shown?.isConnected, earlier);
  await message.waitFor();
  await page.clock.fastForward(6_000);
  await message.waitFor({ state: 'detached' });
}, 60_000);

it('one draft sent from two tabs makes one request, and a lost connection is said until it is back', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await page.getByLabel(texts.create.document).setInputFiles({
    name: 'Twice.pdf',
    mimeType: 'application/pdf',
    buffer: setup.contract,
  });
  await page.getByLabel(texts.create.email).fill('twice@example.com');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('img', { name: texts.create.firstPage }).waitFor();
  for (const tab of [page, other]) {
    await button(tab, texts.create.toReview);
    await button(tab, texts.create.review.send(1));
    await sees(tab, 'Twice');
  }
  expect(other.url()).toBe(page.url());
  expect(setup.stage.service.mails('twice@example.com')).toHaveLength(1);

  await page.context().setOffline(true);
  await page.getByRole('link', { name: texts.request.back }).click();
  await page.getByText(texts.connection.lost).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Twice' }).waitFor();
  await page.getByText(texts.connection.lost).waitFor({ state: 'hidden' });
}, 60_000);

it('a correction of someone who has signed meanwhile is refused in words, and keeps what was entered', async () => {
  const { id, signers } = await setup.stage.send(2, { title: 'Protocol' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  const signer = first(signers);
  const card = page.getByRole('article', { name: signer.name });
  await card.getByRole('button', { name: texts.request.correct }).click();
  const email = page.locator('dialog').getByLabel(texts.create.email);
  await email.fill('elsewhere@example.com');
  await setup.stage.sign(signer);
  await button(page, texts.request.correcting.submit);
  await page.getByText(texts.problems.signer_not_active).waitFor();
  expect(await email.inputValue()).toBe('elsewhere@example.com');
}, 60_000);

it('a file dropped on any page begins a request; one that is no PDF is refused with what to do', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/keys');
  const drop = (name: string, content: string) =>
    page.evaluate(
      ([called = '', base64 = '']) => {
        const dataTransfer = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], called));
        const over = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(over);
        const dropped = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(dropped);
        return [over.defaultPrevented, dropped.defaultPrevented];
      },
      [name, content],
    );
  // Otherwise the browser would leave the page for the file.
  expect(await drop('Offer.docx', btoa('PK'))).toEqual([true, true]);
  await sees(page, texts.create.heading);
  await page.getByText(texts.problems.not_a_pdf).waitFor();
  await drop('Rent_2027.pdf', setup.contract.toString('base64'));
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  await page.getByText(texts.problems.not_a_pdf).waitFor({ state: 'hidden' });
  expect(await page.getByLabel(texts.create.title).inputValue()).toBe('Rent 2027');
}, 60_000);

it('a failed sealing is said plainly, and a request is copied as JSON without what would let its reader sign', async () => {
  const { id } = await setup.stage.send(1, { title: 'Statutes' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, texts.request.more);
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
}, 60_000);

it('a session that is ended from another browser is over at its next step', async () => {
  const stranger = await setup.signedIn({ ...PHONE, userAgent: 'Stranger/1.0' });
  const page = await setup.signedIn(DESKTOP, '/app/settings/sessions');
  const { end } = texts.settings.sessions;
  const row = page.getByRole('row').filter({ hasText: 'Stranger/1.0' });
  await row.getByRole('button', { name: end }).click();
  await button(page, end);
  await row.waitFor({ state: 'detached' });
  await stranger.reload();
  await sees(stranger, texts.signIn.heading);
}, 60_000);
