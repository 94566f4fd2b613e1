import type { Page } from 'playwright-core';
import { isFoundByTitle, seed } from '../support/seed-requests.ts';
import { first } from '../support/signing-stage.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { DESKTOP } from './browser.ts';
import { dashboardSetup, texts } from './dashboard-setup.ts';

/** The list of an owner with many requests; `npm run bench:dashboard` says how smooth it is. */

const COUNT = IS_THOROUGH ? 10_000 : 600;
const PAGE_SIZE = 25;
/** Pages on the screen and as far above and below it as they are kept. */
const MOST_ROWS = 300;
/** For the pages that are held away from the screen, and a little for each page that was let go. */
const MOST_GROWTH = 4_000_000;

const setup = dashboardSetup();

const rowsIn = (page: Page) => page.locator('tbody tr:not(.requests-away)').count();
const titlesIn = (page: Page) => page.locator('tbody th a').allTextContents();

/** The objects of scripts that are still held, once all others are thrown away. */
async function held(page: Page): Promise<{ rows: number; heap: number }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { result } = await cdp.send('Runtime.evaluate', { expression: 'HTMLTableRowElement.prototype' });
  const { objects } = await cdp.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
  const count = await cdp.send('Runtime.callFunctionOn', {
    ...(objects.objectId && { objectId: objects.objectId }),
    functionDeclaration: 'function () { return this.length; }',
    returnByValue: true,
  });
  await cdp.detach();
  return { rows: Number(count.result.value), heap: usedSize };
}

it('a list of many requests is scrolled to its end, shows each once, and holds few rows', async () => {
  const { service, client } = setup.stage;
  await seed(service.cloud, client.ownerId, COUNT, isFoundByTitle);
  const page = await setup.signedIn(DESKTOP);
  await page.locator('tbody a').first().waitFor();
  const before = await held(page);
  const seen = new Set<string>();
  let most = 0;
  await until(
    async () => {
      for (const title of await titlesIn(page)) seen.add(title);
      most = Math.max(most, await rowsIn(page));
      await page.mouse.wheel(0, 2_500);
      return page.getByText(texts.list.end).isVisible();
    },
    'the end of the list',
    IS_THOROUGH ? 600 : 120,
  );
  for (const title of await titlesIn(page)) seen.add(title);
  expect(seen.size).toBe(COUNT);
  expect(most).toBeLessThan(MOST_ROWS);
  const after = await held(page);
  expect(after.rows).toBeLessThan(MOST_ROWS + COUNT / PAGE_SIZE);
  expect(after.heap - before.heap).toBeLessThan(MOST_GROWTH);
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
  expect(await page.getByRole('row').last().getAttribute('aria-rowindex')).toBe(String(COUNT + 1));

  await page.keyboard.press('Home');
  await page.getByRole('link', { name: `Contract ${COUNT - 1}`, exact: true }).waitFor();

  await page.getByLabel(texts.list.search, { exact: true }).fill(`contract ${COUNT - 1}`);
  await until(
    async () => (await titlesIn(page)).join() === `Contract ${COUNT - 1}`,
    'the one that was looked for',
  );
  await page.getByLabel(texts.list.search, { exact: true }).fill('contract');
  await page.getByRole('status').getByText(texts.list.found(PAGE_SIZE, true)).waitFor({ state: 'attached' });

  // With the keyboard: whoever asks for more is at the end of the list once there is no more.
  await page.getByLabel(texts.list.search, { exact: true }).fill('contract 5');
  await page.getByRole('link', { name: 'Contract 5', exact: true }).waitFor();
  await page.getByRole('button', { name: texts.list.more, exact: true }).focus();
  await until(async () => {
    await page.keyboard.press('Enter');
    return page.getByText(texts.list.end).isVisible();
  }, 'the end of what was found');
  await page.locator('.list-end:focus').waitFor();
}, 900_000);

it('going back from a request leads to its row in the list, and a link to the list leads to its top', async () => {
  const page = await setup.signedIn(DESKTOP);
  const far = page.getByRole('link', { name: `Contract ${COUNT - 120}`, exact: true });
  await until(async () => {
    await page.mouse.wheel(0, 2_500);
    return far.isVisible();
  }, 'a request far down the list');
  await far.click();
  await page.locator('h1:focus', { hasText: `Contract ${COUNT - 120}` }).waitFor();
  await page.goBack();
  await page.locator('tbody a:focus', { hasText: `Contract ${COUNT - 120}` }).waitFor();
  await page.goForward();
  await page.getByRole('link', { name: texts.request.back }).click();
  await page.locator('h1:focus', { hasText: texts.nav.requests }).waitFor();
  await page.getByRole('link', { name: `Contract ${COUNT - 1}`, exact: true }).waitFor();
  expect(await far.count()).toBe(0);
});

it('a search by Enter keeps its place in the history: the back button leads to the row of a request that was found', async () => {
  const title = `Contract ${COUNT - 120}`;
  const page = await setup.signedIn(DESKTOP);
  await page.locator('tbody a').first().waitFor();
  await page.clock.install();
  const search = page.getByLabel(texts.list.search, { exact: true });
  await search.fill(title);
  await search.press('Enter');
  const found = page.getByRole('link', { name: title, exact: true });
  await found.waitFor();
  // Without Enter, the search begins by now.
  await page.clock.fastForward(1_000);
  await found.click();
  await page.locator('h1:focus', { hasText: title }).waitFor();
  await page.goBack();
  await page.locator('tbody a:focus', { hasText: title }).waitFor();
});

it('a search goes on over pages that hold nothing, until it finds something', async () => {
  // By title after all others. A page of a search ends after a few hundred requests, however few of them match.
  const { signers } = await setup.stage.send(1, { title: 'Contract zero' });
  await (await setup.stage.verified(first(signers))).decline();
  const page = await setup.signedIn(DESKTOP, '/app?title_prefix=contract&status=declined');
  await page.getByRole('link', { name: 'Contract zero' }).waitFor();
  await page.getByRole('status').getByText(texts.list.found(1, false)).waitFor({ state: 'attached' });
  await page.getByLabel(texts.list.status).selectOption('expired');
  await page.locator('.empty', { hasText: texts.list.nothingFound }).waitFor();
});
