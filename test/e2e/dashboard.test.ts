import { readFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { formatDayAndTime } from '../../web/parts/format.ts';
import { first } from '../support/signing-stage.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { button, check, dashboardSetup, sees, texts } from './dashboard-setup.ts';

const setup = dashboardSetup();

it('a person signs in, sends, corrects, sends again, cancels and finds a request by what the page says', async () => {
  const page = await setup.signedIn();
  await sees(page, texts.list.empty);
  await check(page, '1-empty');
  await page.getByRole('link', { name: texts.list.first }).click();
  await page.getByLabel(texts.create.document).setInputFiles({
    name: 'Lease_2026.pdf',
    mimeType: 'application/pdf',
    buffer: setup.contract,
  });
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  expect(await page.getByLabel(texts.create.title).inputValue()).toBe('Lease 2026');
  await page.getByLabel(texts.email).focus();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'Ann <ann@example.com>, Bob Berg <bounce@simulator.amazonses.com>');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await page.getByText(texts.create.pasted(2)).waitFor();
  await check(page, '2-new');
  await page.reload();
  expect(await page.locator('#email-1').inputValue()).toBe('bounce@simulator.amazonses.com');
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  await button(page, texts.create.toReview);
  await sees(page, texts.create.toReview);
  await page.getByRole('img', { name: texts.create.firstPage }).waitFor();
  await page.locator('.facts div', { hasText: texts.request.facts.reminders }).getByText(texts.yes).waitFor();
  await check(page, '3-review');
  await page.getByRole('button', { name: texts.create.review.send(2) }).dblclick();

  await sees(page, 'Lease 2026');
  await page.getByText(texts.request.standing.awaited('Ann and Bob Berg', '').split(',')[0] ?? '').waitFor();
  const bob = page.getByRole('article', { name: 'Bob Berg' });
  await bob.getByText(texts.request.mailFailed).waitFor();
  await page.getByText(texts.request.standing.mailTrouble).waitFor();
  await check(page, '4-bounced');
  await bob.getByRole('button', { name: texts.request.correct }).click();
  await page.locator('dialog').getByLabel(texts.email).fill('bob@example.com');
  await check(page, '5-correct');
  await button(page, texts.request.correcting.submit);
  await bob.getByText('bob@example.com').waitFor();
  expect(setup.stage.service.mails('bob@example.com')).toHaveLength(1);
  const remind = bob.getByRole('button', { name: texts.sendAgain });
  const nameId = await remind.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${nameId}"]`).textContent()).toBe('Bob Berg');
  await remind.click();
  await bob.getByText(texts.request.mails.resend).waitFor();

  await button(page, texts.more);
  await button(page, texts.request.cancel);
  await page.getByLabel(texts.request.cancelling.reason).fill('Wrong rent');
  await button(page, texts.request.cancelling.submit);
  await page.getByText(texts.statuses.cancelled, { exact: true }).waitFor();
  await page.getByRole('link', { name: texts.request.back }).click();
  const search = page.getByLabel(texts.list.search, { exact: true });
  await search.pressSequentially('Lease ');
  await page.waitForURL(/title_prefix=Lease$/);
  // As someone goes on who has read the first results.
  await page.getByRole('link', { name: 'Lease 2026' }).waitFor();
  await search.pressSequentially('2026');
  await page.waitForURL(/title_prefix=Lease\+2026/);
  expect(await search.inputValue()).toBe('Lease 2026');
  await page.getByRole('link', { name: 'Lease 2026' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByRole('status').getByText(texts.list.found(1, false)).waitFor({ state: 'attached' });
  await search.fill('nothing of that name');
  await page.getByRole('status').getByText(texts.list.nothingFound).waitFor();
  await page.locator('.empty').getByText(texts.list.nothingFound).waitFor();
}, 120_000);

it('a request that is signed meanwhile shows it by itself, and its sealed document is downloaded', async () => {
  const { id, signers } = await setup.stage.send(1, { title: 'Minutes\u200b of "May": 1 / 2' });
  const page = await setup.signedIn(PHONE, `/app/requests/${id}`);
  await page.getByText(texts.statuses.sent, { exact: true }).waitFor();
  await setup.stage.sign(first(signers));
  await setup.stage.untilStatus(id, 'signed');
  await page.getByText(texts.statuses.signed, { exact: true }).first().waitFor();
  await check(page, '6-signed-phone');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, texts.request.download)]);
  expect(await readFile(await download.path())).toEqual(Buffer.from(await setup.stage.sealedDocument(id)));
  expect(download.suggestedFilename()).toBe(`Minutes of May 1 2 – ${texts.request.files.sealed}.pdf`);
}, 120_000);

it('a request names the minute and its zone until which it waits for signers, and until which its files are kept', async () => {
  const timeZone = 'Pacific/Kiritimati';
  const moment = (iso: string) => formatDayAndTime(iso, 'en', timeZone);
  const { id, expires_at, signers } = await setup.stage.send();
  const page = await setup.signedIn({ ...PHONE, timezoneId: timeZone }, `/app/requests/${id}`);
  const end = moment(expires_at).replace('+', '\\+');
  expect(end).toMatch(/:\d\d\u00a0GMT\\\+14$/);
  await page.getByText(new RegExp(`^Waiting for .*, until ${end}\\.$`)).waitFor();
  await setup.stage.sign(first(signers));
  const { retention } = await setup.stage.untilStatus(id, 'signed');
  const kept = moment(retention.pdf_available_until ?? '');
  await page.getByText(texts.request.keptUntil(kept)).waitFor();
}, 120_000);

it('a key that is made in the settings is shown even on another page, and works; and each section has no finding in dark mode', async () => {
  const page = await setup.signedIn({ ...DESKTOP, colorScheme: 'dark' }, '/app/settings/keys');
  await button(page, texts.settings.keys.create);
  await page.locator('#key-name:focus').waitFor();
  await page.getByLabel(texts.settings.keys.name, { exact: true }).fill('Shop');
  const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
  await page.route('**/api/app/v1/api-keys', (route) => isLeft.then(() => route.continue()));
  const called = page.waitForRequest('**/api/app/v1/api-keys');
  await button(page, texts.settings.keys.create);
  await called;
  await page.getByRole('link', { name: texts.nav.requests, exact: true }).click();
  await sees(page, texts.nav.requests);
  leave();
  const key = await page.locator('dialog output').textContent();
  await check(page, '8-key-dark');
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'));
  });
  await button(page, texts.copy);
  await page.locator('dialog').getByText(texts.copyFailed).waitFor();
  const answer = await fetch(`${setup.stage.service.baseUrl}/api/v1/signatures`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  await button(page, texts.settings.secretKept);
  await page.getByRole('link', { name: texts.nav.settings, exact: true }).click();
  for (const section of ['webhooks', 'members', 'brand', 'notices', 'sessions'] as const) {
    await page.getByRole('link', { name: texts.settings.sections[section] }).click();
    await sees(page, `${texts.nav.settings} – ${texts.settings.sections[section]}`);
    await page.locator('.loading').waitFor({ state: 'detached' });
    await check(page, `9-${section}-dark`);
  }
});

/** As CloudFront compresses for every browser that the page supports, over https. */
const asSent = (body: Buffer) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

it('the list loads at most 45 KB of scripts and one language; the settings come when they are opened, and pdf.js only with a document', async () => {
  const page = await setup.signedIn();
  const scripts: { path: string; size: number; caching: string | undefined }[] = [];
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script') return;
    const { pathname: path } = new URL(response.url());
    const caching = response.headers()['cache-control'];
    scripts.push({ path, caching, size: asSent(await response.body()).length });
  });
  const load = async (path: string) => {
    scripts.length = 0;
    await page.goto(`${setup.stage.service.baseUrl}${path}`, { waitUntil: 'networkidle' });
    for (const { path, caching } of scripts)
      expect([path, caching]).toEqual([
        expect.stringMatching(/-[\w-]{8}\.js$/),
        expect.stringMatching('immutable'),
      ]);
    return scripts.reduce((sum, { size }) => sum + size, 0);
  };
  const start = await load('/app');
  expect(scripts.map(({ path }) => path.split('/').at(-1)?.split('-')[0]).toSorted()).toEqual([
    'app',
    'index',
  ]);
  expect(start).toBeGreaterThan(20_000);
  expect(start).toBeLessThan(45_000);
  const whole = await load('/app/settings');
  expect(whole).toBeGreaterThan(start);
  expect(whole).toBeLessThan(50_000);
  expect(scripts.filter(({ path }) => path.includes('pdf'))).toEqual([]);
});
