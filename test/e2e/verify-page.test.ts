import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { INSTEAD_TEXTS, LOCALES, VERIFY_TEXTS } from '../../shared/texts/languages.ts';
import { first, SigningStage } from '../support/signing-stage.ts';
import { stamped } from '../support/tampering.ts';
import { until } from '../support/until.ts';
import {
  accessibilityFindings,
  DESKTOP,
  launchBrowser,
  openTab,
  PHONE,
  SMALL_PHONE,
  screenshot,
  type Tab,
} from './browser.ts';
import { contractPdf } from './pdfs.ts';

const texts = VERIFY_TEXTS.en;
const CHECK_MS = 25_000;

let browser: Browser;
let stage: SigningStage;
let sealed: Buffer;
let evidence: Buffer;
const open: Tab[] = [];

beforeAll(async () => {
  [browser, stage] = await Promise.all([launchBrowser(), SigningStage.open(await contractPdf())]);
  const { id, signers } = await stage.send();
  await stage.sign(first(signers));
  await stage.untilStatus(id, 'signed');
  sealed = Buffer.from(await stage.sealedDocument(id));
  evidence = Buffer.from((await stage.client.get(`/api/v1/signatures/${id}/evidence.pdf`)).bytes);
}, 120_000);
afterEach(async () => {
  for (const tab of open.splice(0)) {
    expect(tab.errors).toEqual([]);
    await tab.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

async function openPage(options?: BrowserContextOptions): Promise<Page> {
  const tab = await openTab(browser, options);
  tab.page.setDefaultTimeout(CHECK_MS);
  open.push(tab);
  await tab.page.goto(`${stage.service.baseUrl}/verify`);
  return tab.page;
}

const pdf = (buffer: Buffer, name = 'contract.pdf') => ({ name, mimeType: 'application/pdf', buffer });
const choose = (page: Page, bytes: Buffer, name?: string) =>
  page.locator('#document').setInputFiles(pdf(bytes, name));
const seesHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

/** The fingerprints that the page shows, as a person would copy them. */
const fingerprints = (page: Page) => page.locator('.facts .digest').allTextContents();

it.each([
  ['desk', DESKTOP],
  ['phone', PHONE],
] as const)(
  'the verdict comes into sight at a %s, where it is below the form, and the field stays in sight while certificates are entered',
  async (_place, options) => {
    const page = await openPage(options);
    const isInSight = (selector: string) => () =>
      page.locator(selector).evaluate((shown) => {
        const { top, bottom } = shown.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      });
    await choose(page, sealed);
    await until(isInSight('.verdict-intact'), 'the verdict in sight');
    const trusted = await fingerprints(page);
    await page.getByLabel(texts.trusted).focus();
    await page.keyboard.insertText(trusted.join(' '));
    await seesHeading(page, texts.verdicts.green.heading);
    expect(await isInSight('#trusted')()).toBe(true);
  },
);

it('what cannot be shown is told, and the next file is checked as ever', async () => {
  const page = await openPage(DESKTOP);
  await page.evaluate(() => {
    const { DateTimeFormat } = Intl;
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct() {
        Intl.DateTimeFormat = DateTimeFormat;
        throw new RangeError('planted');
      },
    });
  });
  await choose(page, sealed);
  await page.getByText(texts.broken).waitFor();
  expect(await page.locator('.result').count()).toBe(0);
  await choose(page, sealed, 'again.pdf');
  await seesHeading(page, texts.verdicts.intact.heading);
});

it('a document sealed by the service is unchanged, and green once its certificates are named', async () => {
  const page = await openPage(DESKTOP);
  await choose(page, sealed);
  await seesHeading(page, texts.verdicts.intact.heading);
  await page.getByText(texts.findings.covers_all).waitFor();
  await page.locator('dt', { hasText: texts.level.name }).waitFor();
  await page.getByText('B-T: with a timestamp.').waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await screenshot(page, 'verify-desktop-intact', true);

  const shown = await fingerprints(page);
  expect(shown).toHaveLength(2);
  await page.getByLabel(texts.compare).fill('ab12');
  await page.getByLabel(texts.trusted).fill(shown.join('\n'));
  await seesHeading(page, texts.verdicts.green.heading);
  expect(await page.getByLabel(texts.compare).inputValue()).toBe('ab12');
  await page.getByLabel(texts.compare).fill('');
  expect(await accessibilityFindings(page)).toEqual([]);
  await screenshot(page, 'verify-desktop-green', true);
});

it('a text without any certificate or fingerprint is said to be none, until it is one', async () => {
  const page = await openPage(PHONE);
  await choose(page, sealed);
  const trusted = page.getByLabel(texts.trusted);
  await trusted.fill('the certificate of Acme');
  await page.getByRole('alert').getByText(texts.trustedUnread).waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await screenshot(page, 'verify-phone-trusted-unread', true);
  const [sealer = ''] = await fingerprints(page);
  await trusted.fill(sealer);
  await page.getByText(texts.isTrusted, { exact: true }).first().waitFor();
  expect(await page.getByText(texts.trustedUnread).count()).toBe(0);
  expect(await trusted.getAttribute('aria-invalid')).toBeNull();
});

it('a hash that cannot be copied says so', async () => {
  const page = await openPage(PHONE);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
  });
  await choose(page, sealed);
  await page.getByRole('button', { name: texts.copy, exact: true }).click();
  await page.getByRole('alert').getByText(texts.copyFailed).waitFor();
});

it('a stamp that was put on a page later is red', async () => {
  const page = await openPage(PHONE);
  await choose(page, stamped(sealed));
  await seesHeading(page, texts.verdicts.red.heading);
  await page.getByText(texts.findings.changed_after).waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await screenshot(page, 'verify-phone-red', true);
});

it('a sealed document that a program has saved again is red, and is said to be such a copy perhaps', async () => {
  const page = await openPage(PHONE);
  await choose(page, Buffer.from(await (await PDFDocument.load(sealed)).save()));
  await seesHeading(page, texts.verdicts.red.heading);
  await page.getByText('The file may be a copy that was made by saving it again.').waitFor();
});

it('a file that is no PDF is red, and removing it takes the result away', async () => {
  const page = await openPage();
  await choose(page, Buffer.from('hello'), '<b>hello</b>.txt');
  await page.getByText(texts.findings.not_a_pdf).waitFor();
  await page.getByRole('button', { name: `${texts.remove} <b>hello</b>.txt`, exact: true }).waitFor();
  await page.getByRole('status').getByText(texts.verdicts.red.heading).waitFor({ state: 'attached' });
  const asked = page.waitForEvent('filechooser');
  await page.locator('#document').click();
  await asked;
  // Otherwise the same file would be no change, and what is shown stays until there is one.
  expect(await page.locator('#document').inputValue()).toBe('');
  await page.getByRole('button', { name: `${texts.remove} <b>hello</b>.txt`, exact: true }).waitFor();
  await page.getByRole('button', { name: texts.remove }).click();
  await page.getByText(texts.findings.not_a_pdf).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('document');
});

/** As a person drops them from their folder. */
async function drop(page: Page, onto: string, ...paths: string[]) {
  const place = await page.locator(onto).boundingBox();
  if (!place) throw new Error(`Nothing is seen of ${onto}.`);
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x, y, data });
}

describe('a file that is dropped', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dropped-'));
    await writeFile(join(folder, 'sealed.pdf'), sealed);
    await writeFile(join(folder, 'evidence.pdf'), evidence);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['h1', 'label[for=document]', '#document', '#trusted'])('on %s is the document', async (onto) => {
    const page = await openPage();
    await drop(page, onto, join(folder, 'sealed.pdf'));
    await seesHeading(page, texts.verdicts.intact.heading);
    expect(await page.locator('#document').inputValue()).toMatch(/sealed\.pdf$/);
    await drop(page, 'label[for=evidence]', join(folder, 'evidence.pdf'));
    await page.getByText(texts.findings.evidence_fits).waitFor();
    expect(await page.locator('#evidence').inputValue()).toMatch(/evidence\.pdf$/);
  });

  it('is taken alone if several are dropped, which the page says until the next is chosen', async () => {
    const page = await openPage();
    await drop(page, '#document', join(folder, 'sealed.pdf'), join(folder, 'evidence.pdf'));
    await page.getByRole('status').getByText(texts.oneFile).waitFor();
    await seesHeading(page, texts.verdicts.intact.heading);
    await page.locator('#evidence').setInputFiles(pdf(evidence, 'evidence.pdf'));
    await page.getByText(texts.oneFile).waitFor({ state: 'detached' });
  });

  it('cannot be read if it is a folder, which the page says', async () => {
    const page = await openPage();
    await drop(page, '#document', folder);
    await page.getByRole('status').getByText(texts.unreadableFile).waitFor();
    await screenshot(page, 'verify-unreadable', true);
  });

  it.each(['document', 'evidence'])(
    'is said to be too large without being read, as the %s',
    async (field) => {
      // Larger than what a browser can read at once.
      await writeFile(join(folder, 'large.pdf'), '');
      await truncate(join(folder, 'large.pdf'), 3 * 1024 ** 3);
      const page = await openPage();
      await choose(page, sealed);
      await seesHeading(page, texts.verdicts.intact.heading);
      await page.locator(`#${field}`).setInputFiles(join(folder, 'large.pdf'));
      await page.getByRole('status').getByText(texts.findings.too_large).waitFor();
      await screenshot(page, 'verify-too-large', true);
    },
  );
});

it('nothing is sent while a file is verified, and the browser would refuse it', async () => {
  const page = await openPage();
  await choose(page, sealed);
  await seesHeading(page, texts.verdicts.intact.heading);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await choose(page, stamped(sealed), 'other.pdf');
  await seesHeading(page, texts.verdicts.red.heading);
  // The worker’s own script, which is cached for good.
  expect(sent.filter((each) => !/^GET \/verify\/assets\/worker-[\w-]+\.js$/.test(each))).toEqual([]);
  const answer = page.evaluate(() => fetch('/verify').then(String, () => 'refused'));
  expect(await answer).toBe('refused');
  // The console tells of the refusal.
  expect(open[0]?.errors.splice(0).join()).toContain('connect-src');
});

it('a hash can be copied, and compared with another', async () => {
  const page = await openPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await choose(page, sealed);
  const sha256 = createHash('sha256').update(sealed).digest('hex');
  await page.getByRole('button', { name: texts.copy }).click();
  await page.getByText(texts.copied).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sha256);
  const field = page.getByLabel(texts.compare);
  await field.fill(sha256.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:'));
  await page.getByRole('status').getByText(texts.same).waitFor();
  await field.fill('0'.repeat(64));
  await page.getByRole('status').getByText(texts.different).waitFor();
  expect(await page.locator('#compare[aria-invalid]').getAttribute('aria-describedby')).toBe('compare-error');
  expect(await page.locator('#compare-error').textContent()).toBe(texts.different);
  expect(await accessibilityFindings(page)).toEqual([]);
  await field.fill('hello');
  await page.getByText(texts.compareInvalid).waitFor();
  // As OpenSSL prints it, after the path of the file. `fill` would exceed the limit of a field.
  await field.fill('');
  await page.keyboard.insertText(`SHA2-256(${'/a long path'.repeat(20)}/lease.pdf)= ${sha256}`);
  await page.getByRole('status').getByText(texts.same).waitFor();
});

it('the evidence file is recognized as that of the document', async () => {
  const page = await openPage(PHONE);
  await choose(page, sealed);
  await page.locator('#evidence').setInputFiles(pdf(evidence, 'evidence.pdf'));
  await page.getByText(texts.findings.evidence_fits).waitFor();
  await seesHeading(page, texts.verdicts.intact.heading);
  expect(await accessibilityFindings(page)).toEqual([]);
  await screenshot(page, 'verify-phone-evidence', true);
  await choose(page, stamped(sealed));
  await page.getByText(texts.findings.evidence_of_other).waitFor();
});

it('a second file that is no evidence is red, and nothing is said against the document', async () => {
  const page = await openPage();
  await choose(page, sealed);
  await seesHeading(page, texts.verdicts.intact.heading);
  await page.locator('#evidence').setInputFiles(pdf(sealed, 'evidence.pdf'));
  await page.getByText(texts.findings.evidence_missing).waitFor();
  await seesHeading(page, texts.verdicts.evidence.heading);
});

it('the keyboard alone reaches everything, and every stop has a focus ring', async () => {
  const page = await openPage(DESKTOP);
  await choose(page, sealed);
  await seesHeading(page, texts.verdicts.intact.heading);
  const stops = [];
  for (let stop = 0; stop < 8; stop += 1) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const { activeElement: at } = document;
        const ring = at && getComputedStyle(at).outlineStyle !== 'none';
        return `${at?.id || at?.textContent}${ring ? '' : ' without a ring'}`;
      }),
    );
  }
  expect(stops.slice(1, 7)).toEqual([
    'document',
    expect.stringContaining(texts.remove),
    'evidence',
    'trusted',
    texts.copy,
    'compare',
  ]);
});

it.each(LOCALES)(
  'the page in %s fits a screen 320 pixels wide, with targets of at least 44 pixels',
  async (locale) => {
    const page = await openPage({ ...SMALL_PHONE, locale });
    await choose(page, stamped(sealed), 'a-contract-with-a-rather-long-name-that-has-no-spaces-at-all.pdf');
    await seesHeading(page, VERIFY_TEXTS[locale].verdicts.red.heading);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBe(320);
    await choose(page, sealed);
    await page.locator('dt', { hasText: VERIFY_TEXTS[locale].level.name }).waitFor();
    expect(await width()).toBe(320);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, textarea')]
        .filter((target) => target.getBoundingClientRect().height < 44)
        .map((target) => target.outerHTML),
    );
    expect(small).toEqual([]);
    await screenshot(page, `verify-small-${locale}`, true);
  },
);

it.each(LOCALES)('the result in %s fits a phone with letters of 200 %', async (locale) => {
  const large = await launchBrowser({ largeLetters: true });
  const { page, close } = await openTab(large, { ...SMALL_PHONE, locale });
  await page.goto(`${stage.service.baseUrl}/verify`);
  await choose(page, stamped(sealed));
  await page.locator('.verdict').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await close();
  await large.close();
});

it('the page is accessible in dark mode, and nothing moves for those who prefer that', async () => {
  const page = await openPage({ ...PHONE, colorScheme: 'dark' });
  await choose(page, sealed);
  await seesHeading(page, texts.verdicts.intact.heading);
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await screenshot(page, 'verify-dark', true);
});

it('the chosen language is still spoken after a reload', async () => {
  const page = await openPage(PHONE);
  await page.locator('.language select').selectOption('fi');
  await seesHeading(page, VERIFY_TEXTS.fi.heading);
  await page.reload();
  await seesHeading(page, VERIFY_TEXTS.fi.heading);
});

it('without scripts the page says in every language that it needs them', async () => {
  const page = await openPage({ ...PHONE, javaScriptEnabled: false });
  for (const locale of LOCALES)
    await page.locator(`[lang=${locale}]`, { hasText: INSTEAD_TEXTS[locale].noScript.verify }).waitFor();
});
