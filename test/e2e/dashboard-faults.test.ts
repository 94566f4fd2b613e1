import { makePdfOfSize } from '../support/pdf.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { button, check, dashboardSetup, sees, texts, USER } from './dashboard-setup.ts';

/** What goes wrong is said, and nothing that was entered is lost. */

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
