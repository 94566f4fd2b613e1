import { randomBytes } from 'node:crypto';
import { LOCALES, PAGE_TEXTS } from '../../shared/texts/languages.ts';
import { COPY_TOKEN, TOKEN } from '../support/fake-signer-api.ts';
import { someOf } from '../support/thorough.ts';
import { accessibilityFindings, DESKTOP, PHONE, SMALL_PHONE, screenshot } from './browser.ts';
import { expectFits } from './layout.ts';
import { pageSetup } from './page-setup.ts';

/** The page that the mail with the sealed document leads to. */

const setUp = pageSetup();
const setUpLarge = pageSetup({ largeLetters: true });

async function sealedSetUp(...options: Parameters<typeof setUp>) {
  const scene = await setUp(...options);
  scene.fake.view.request.status = 'signed';
  return scene;
}

const pressed = async (press: () => Promise<unknown>, scene: Awaited<ReturnType<typeof setUp>>) =>
  scene.signer.download(async () => void (await press()));

it('following the link downloads the sealed document, with no further click and no code', async () => {
  const scene = await sealedSetUp();
  const { fake, signer, tab } = scene;
  const addresses: string[] = [];
  tab.page.on('request', (request) => addresses.push(`${request.url()} ${request.headers().referer ?? ''}`));
  const { name, bytes } = await pressed(() => signer.open(fake.copyLink), scene);
  expect([name, bytes]).toEqual(['Lease agreement-signed.pdf', Buffer.from(fake.sealed)]);
  await signer.seesText(signer.texts.document.downloaded);
  await signer.seesText(signer.texts.done.noFile);
  expect(fake.calls.map(({ path }) => path)).toEqual(['/copy', '/sealed-document']);
  expect(addresses.join()).not.toContain(COPY_TOKEN);
  const evidence = await pressed(() => signer.press(signer.texts.done.downloadEvidence), scene);
  expect([evidence.name, evidence.bytes]).toEqual([
    'Lease agreement-evidence.pdf',
    Buffer.from(fake.evidence),
  ]);
  expect(tab.errors).toEqual([]);
});

it('a link whose “#” a mail gateway has encoded works, and keeps its token out of the path from then on', async () => {
  const scene = await sealedSetUp();
  const { fake, signer, tab } = scene;
  const { name } = await pressed(() => signer.open(fake.copyLink.replace('#', '%23')), scene);
  expect(name).toBe('Lease agreement-signed.pdf');
  expect(tab.page.url()).toBe(new URL(fake.copyLink, tab.page.url()).href);
  await tab.page.reload();
  await signer.seesHeading(signer.texts.copy.heading);
});

it.each(['.', '%3E'])(
  'the link works with what a text or a mail program put behind it: %s',
  async (addition) => {
    const scene = await sealedSetUp();
    const { fake, signer } = scene;
    const { bytes } = await pressed(() => signer.open(fake.copyLink + addition), scene);
    expect(bytes).toEqual(Buffer.from(fake.sealed));
  },
);

it('a reload downloads nothing by itself, and the button downloads again', async () => {
  const scene = await sealedSetUp();
  const { fake, signer, tab } = scene;
  await pressed(() => signer.open(fake.copyLink), scene);
  await signer.seesText(signer.texts.document.downloaded);
  await tab.page.reload();
  await signer.seesHeading(signer.texts.copy.heading);
  const { name } = await pressed(() => signer.press(signer.texts.done.download), scene);
  expect(name).toBe('Lease agreement-signed.pdf');
  expect(fake.callsOf('/sealed-document')).toHaveLength(2);
});

it.each(LOCALES)(
  'the page is in the signer’s language and has no accessibility findings: %s',
  async (locale) => {
    const scene = await sealedSetUp(
      locale === 'de' ? DESKTOP : locale === 'fi' ? SMALL_PHONE : PHONE,
      locale,
    );
    const { fake, signer, tab } = scene;
    Object.assign(fake.copy, { locale, test: true, title: `Mietvertrag ${'sehr '.repeat(40)}lang` });
    await pressed(() => signer.open(fake.copyLink), scene);
    await signer.seesHeading(PAGE_TEXTS[locale].copy.heading);
    await signer.seesText(PAGE_TEXTS[locale].test);
    await signer.seesText(PAGE_TEXTS[locale].document.from(fake.copy.sender_name));
    await signer.seesText(PAGE_TEXTS[locale].document.downloaded);
    expect(await accessibilityFindings(tab.page)).toEqual([]);
    expect(await tab.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await screenshot(tab.page, `copy/${locale}`, true);
  },
);

it.each(someOf(LOCALES, 3))(
  'every state in %s fits the smallest phone with letters of 200 %%',
  async (locale) => {
    const scene = await setUpLarge(SMALL_PHONE, locale);
    const { fake, signer, tab } = scene;
    fake.view.request.status = 'signed';
    Object.assign(fake.copy, { locale, title: 'x'.repeat(200), sender_name: 'عقد إيجار' });
    await pressed(() => signer.open(fake.copyLink), scene);
    await signer.seesText(signer.texts.document.downloaded);
    await expectFits(tab.page, 320);
    for (const error of ['link_expired', 'document_purged', 'not_found'] as const) {
      fake.failNext('/copy', error, { locale, purged_at: '2026-11-20T12:00:00.000Z' });
      await tab.page.reload();
      const { copy, ended } = signer.texts;
      await signer.seesHeading(error === 'document_purged' ? copy.purged : ended[error].heading);
      await expectFits(tab.page, 320);
    }
    await screenshot(tab.page, `copy/large-${locale}`, true);
  },
);

it('the language can be changed in a browser that denies storage', async () => {
  const scene = await sealedSetUp();
  const { fake, signer, tab } = scene;
  await tab.page.addInitScript(() => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Object.defineProperty(window, 'sessionStorage', { get: denied });
  });
  await pressed(() => signer.open(fake.copyLink), scene);
  await tab.page.getByLabel(signer.languageLabel).selectOption('de');
  await signer.seesHeading(PAGE_TEXTS.de.copy.heading);
});

it.each(
  LOCALES.flatMap((locale) =>
    (['link_expired', 'document_purged', 'not_found'] as const).map((error) => [error, locale] as const),
  ),
)('a link that is dead says so: %s, %s', async (error, locale) => {
  const browserLocale = error === 'not_found' ? { ...PHONE, locale } : PHONE;
  const { fake, signer, tab } = await setUp(browserLocale, locale);
  // A link that is unknown has no signer, so the browser's language has to do.
  fake.failNext(
    '/copy',
    error,
    error === 'not_found' ? {} : { locale, purged_at: '2026-11-20T12:00:00.000Z' },
  );
  await signer.open(fake.copyLink);
  const { copy, ended } = signer.texts;
  await signer.seesHeading(error === 'document_purged' ? copy.purged : ended[error].heading);
  if (error !== 'document_purged') await signer.seesText(copy[error]);
  expect(await tab.page.evaluate(() => document.documentElement.lang)).toBe(locale);
  expect(await accessibilityFindings(tab.page)).toEqual([]);
  expect(fake.callsOf('/sealed-document')).toEqual([]);
});

it('a fault during the download can be repeated, and a purge meanwhile is told', async () => {
  const scene = await sealedSetUp();
  const { fake, signer, tab } = scene;
  for (const _ of [1, 2, 3]) fake.failNext('/sealed-document', 'internal_error', {}, { 'retry-after': '0' });
  await signer.open(fake.copyLink);
  await signer.seesText(signer.texts.copy.fault);
  fake.failNext('/sealed-document', 'document_purged', { purged_at: null });
  await signer.press(signer.texts.done.download);
  await signer.seesHeading(signer.texts.copy.purged);
  await signer.seesText(signer.texts.done.purgedPlain);
  await tab.page.locator('h1:focus', { hasText: signer.texts.copy.purged }).waitFor();
  expect(await tab.page.title()).toBe(`${signer.texts.copy.purged} – Signature requests`);
  expect(await accessibilityFindings(tab.page)).toEqual([]);
});

it('a page that could not be opened is tried again as soon as there is a connection', async () => {
  const scene = await sealedSetUp();
  const { fake, signer, tab } = scene;
  for (const _ of [1, 2, 3]) fake.failNext('/copy', 'internal_error', {}, { 'retry-after': '0' });
  await signer.open(fake.copyLink);
  await signer.seesHeading(signer.texts.trouble.heading);
  await tab.page.context().setOffline(true);
  await signer.press(signer.texts.trouble.again);
  await signer.seesText(signer.texts.connection.lost);
  await pressed(() => tab.page.context().setOffline(false), scene);
  await signer.seesHeading(signer.texts.copy.heading);
});

it('over a slow line the button says how much of the file has arrived', async () => {
  const scene = await sealedSetUp();
  const { fake, signer, tab } = scene;
  fake.sealed = randomBytes(300_000);
  const network = await tab.page.context().newCDPSession(tab.page);
  await signer.open(fake.link);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: 100_000,
    uploadThroughput: 100_000,
  });
  const saved = tab.page.waitForEvent('download');
  await tab.page.goto(fake.copyLink);
  await tab.page.getByRole('button', { name: /\d+%$/ }).waitFor();
  // One file is downloaded at a time.
  const evidence = tab.page.getByRole('button', { name: signer.texts.done.downloadEvidence });
  expect(await evidence.isDisabled()).toBe(true);
  await saved;
  await tab.page.getByRole('button', { name: signer.texts.done.download, exact: true }).waitFor();
});

it('another link opened in the same tab is another copy', async () => {
  const scene = await sealedSetUp();
  const { fake, signer, tab } = scene;
  await pressed(() => signer.open(fake.copyLink), scene);
  await tab.page.goto(fake.copyLink.replace(COPY_TOKEN, TOKEN));
  await signer.seesText(signer.texts.copy.not_found);
});
