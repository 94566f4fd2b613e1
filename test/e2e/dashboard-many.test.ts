import type { Page } from 'playwright-core';
import { isFoundByTitle, seed } from '../support/seed-requests.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { DESKTOP } from './browser.ts';
import { dashboardSetup, texts } from './dashboard-setup.ts';

/** The list of an owner with many requests; `npm run bench:dashboard` says how smooth it is. */

const COUNT = IS_THOROUGH ? 10_000 : 600;
/** Pages of 25 on the screen and as far above and below it as they are kept. */
const MOST_ROWS = 300;

const setup = dashboardSetup();

const rowsIn = (page: Page) => page.locator('tbody tr:not(.requests-away)').count();
const titlesIn = (page: Page) => page.locator('tbody th a').allTextContents();

it('a list of many requests is scrolled to its end, shows each once, and keeps few rows', async () => {
  const { service, client } = setup.stage;
  await seed(service.cloud, client.ownerId, COUNT, isFoundByTitle);
  const page = await setup.signedIn(DESKTOP);
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
    600,
  );
  for (const title of await titlesIn(page)) seen.add(title);
  expect(seen.size).toBe(COUNT);
  expect(most).toBeLessThan(MOST_ROWS);

  await page.getByLabel(texts.list.search, { exact: true }).fill(`contract ${COUNT - 1}`);
  await until(
    async () => (await titlesIn(page)).join() === `Contract ${COUNT - 1}`,
    'the one that was looked for',
  );
}, 900_000);
