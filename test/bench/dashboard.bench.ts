import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { DESKTOP, launchBrowser, openTab } from '../e2e/browser.ts';
import { APP_TEXTS } from '../support/app-texts.ts';
import prepare from '../support/prepare.ts';
import removeRunFolder from '../support/remove-run-folder.ts';
import { isFoundByTitle, seed } from '../support/seed-requests.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { circumstances, median, targetLines, writeSection } from './support/report.ts';

/**
 * `npm run bench:dashboard`: the time to the first list, and how smooth the list of an owner with 10,000 requests is. The
 * time of a task is that of its processor, so that other work on the machine does not count.
 */

const COUNT = 10_000;
const ROUNDS = 5;
const USER = 'office@example.com';
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const LONG_TASK_MS = 100;
const { email, signIn, list } = APP_TEXTS.en;

async function signedIn(browser: Browser, service: Service): Promise<Page> {
  const { page } = await openTab(browser, DESKTOP);
  await page.goto(`${service.baseUrl}/app`);
  await page.getByLabel(email).fill(USER);
  const earlier = service.mails(USER).length;
  await page.getByRole('button', { name: signIn.send }).click();
  await until(() => service.mails(USER).length > earlier, 'the mail with the code');
  await page.getByLabel(signIn.code).fill(service.code(USER));
  await page.getByRole('button', { name: signIn.submit, exact: true }).click();
  await page.locator('tbody a').first().waitFor();
  return page;
}

/** From the address to the first row, with an empty cache. */
async function firstLists(page: Page, cdp: CDPSession): Promise<number[]> {
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = performance.now();
    await page.reload({ waitUntil: 'commit' });
    // A locator looks only twice a second.
    await page.waitForFunction(() => document.querySelector('tbody a'), undefined, { polling: 'raf' });
    times.push(performance.now() - from);
  }
  return times;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** The longest tasks of the page's main thread, in milliseconds: by the clock, and of the processor alone. */
async function longestTasks(browser: Browser, page: Page, work: () => Promise<void>) {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const main = new Set(
    traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  );
  const tasks = traceEvents.filter(({ dur, pid, tid }) => dur !== undefined && main.has(`${pid} ${tid}`));
  const longest = (of: (task: TraceEvent) => number) =>
    Math.round(tasks.reduce((most, task) => Math.max(most, of(task)), 0) / 1_000);
  return { clock: longest(({ dur = 0 }) => dur), processor: longest(({ tdur = 0 }) => tdur) };
}

/** The bytes that came over the line, headers included. */
const transferred = (page: Page): Promise<number> =>
  page.evaluate(() =>
    performance
      .getEntries()
      .reduce((sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.transferSize : 0), 0),
  );

/** Megabytes of scripts' objects, and elements. */
async function memory(page: Page, cdp: CDPSession) {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return { heap: usedSize / 1_000_000, elements: await page.locator('*').count() };
}

const isAtEnd = (page: Page) => page.getByText(list.end).isVisible();

async function scrollToEnd(page: Page): Promise<void> {
  await until(
    async () => {
      await page.mouse.wheel(0, 2_500);
      return isAtEnd(page);
    },
    'the end of the list',
    900,
  );
}

async function scrollThrough(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (const direction of [-1, 1])
    for (let way = 0; way < height; way += 10_000) {
      await page.mouse.wheel(0, direction * 10_000);
      await wait(30);
    }
}

async function search(page: Page): Promise<void> {
  for (const number of ['1', '12', '123', '1234']) {
    await page.getByLabel(list.search, { exact: true }).fill(`contract ${number}`);
    await page.waitForURL(new RegExp(`${number}$`));
    await page.locator('tbody a').first().waitFor();
  }
}

await prepare();
const service = await Service.start();
const browser = await launchBrowser();
try {
  const { ownerId } = await service.client();
  await service.admin('user', 'create', '--email', USER, '--org', ownerId, '--role', 'admin');
  await seed(service.cloud, ownerId, COUNT, isFoundByTitle);
  const page = await signedIn(browser, service);
  const cdp = await page.context().newCDPSession(page);

  const local = median(await firstLists(page, cdp));
  await cdp.send('Network.emulateNetworkConditions', SLOW_LINE);
  const slow = median(await firstLists(page, cdp));
  const bytes = await transferred(page);
  await cdp.send('Network.emulateNetworkConditions', {
    ...SLOW_LINE,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });

  const before = await memory(page, cdp);
  const down = await longestTasks(browser, page, () => scrollToEnd(page));
  const after = await memory(page, cdp);
  const through = await longestTasks(browser, page, () => scrollThrough(page));
  const again = await memory(page, cdp);
  const searching = await longestTasks(browser, page, () => search(page));

  const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;
  const held = ({ heap, elements }: typeof before) => `${heap.toFixed(1)} MB, ${elements} elements`;
  const task = ({ clock, processor }: typeof down) => `${processor} ms (by the clock ${clock} ms)`;
  const isSmooth = (of: typeof down) => of.processor <= LONG_TASK_MS;
  const text = `\`npm run bench:dashboard\`, ${circumstances()}. Chromium over the local cloud, one owner with 10,000 requests. First list: from the address to the first row, nothing cached, medians of ${ROUNDS}. Tasks: the longest of the page's main thread, in processor time.

| | |
|---|---|
| first list | ${seconds(local)} |
| first list at 400 kbit/s with 150 ms latency, ${Math.round(bytes / 1_000)} KB | ${seconds(slow)} |
| longest task while scrolling through all, each page loaded | ${task(down)} |
| longest task while scrolling up and down again | ${task(through)} |
| longest task while searching by title | ${task(searching)} |
| held with the first requests | ${held(before)} |
| held with all 10,000 | ${held(after)} |
| held after scrolling up and down | ${held(again)} |

${targetLines([
  ['first list within 1 s', local <= 1_000],
  ['first list within 2.5 s at 400 kbit/s', slow <= 2_500],
  ['no task over 100 ms', [down, through, searching].every(isSmooth)],
  ['all 10,000 take at most 5 MB more than the first', after.heap <= before.heap + 5],
  ['scrolling up and down takes no memory', again.heap <= after.heap * 1.1],
])}`;
  writeSection('Dashboard', text);
  console.log(text);
  if (text.includes('MISSED')) process.exitCode = 1;
} finally {
  await browser.close();
  await service.stop();
  removeRunFolder();
}
