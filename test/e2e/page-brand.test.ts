import { encode } from 'fast-png';
import { CODE } from '../support/fake-signer-api.ts';
import { accessibilityFindings, DESKTOP, PHONE, SMALL_PHONE, screenshot } from './browser.ts';
import { expectFits } from './layout.ts';
import { pageSetup } from './page-setup.ts';
import { walkThrough } from './walk-through.ts';

/** The sender's brand on the page. */

const setUp = pageSetup();

const [WIDTH, HEIGHT] = [800, 200];
const LOGO = Buffer.from(
  encode({
    width: WIDTH,
    height: HEIGHT,
    channels: 3,
    depth: 8,
    data: new Uint8Array(WIDTH * HEIGHT * 3).fill(150),
  }),
);
const BRAND = {
  name: 'Kotilinna Vuokra-asunnot',
  logo: { path: `/api/signing/v1/logos/${'a'.repeat(64)}`, width: WIDTH, height: HEIGHT },
  accent: '#7a1f3d',
  imprint_url: 'https://example.com/imprint',
  privacy_url: 'https://example.com/privacy',
  support_url: null,
};

async function brandedSetUp(...options: Parameters<typeof setUp>) {
  const scene = await setUp(...options);
  Object.assign(scene.fake.linkStatus, { brand: BRAND });
  scene.fake.view.brand = BRAND;
  await scene.tab.page.route('**/logos/**', (route) =>
    route.fulfill({ body: LOGO, contentType: 'image/png' }),
  );
  return scene;
}

it.each([
  ['a small phone', SMALL_PHONE],
  ['a phone in dark mode', { ...PHONE, colorScheme: 'dark' as const }],
  ['a desktop', DESKTOP],
])('before the code the page shows the brand and nothing of the request, on %s', async (name, options) => {
  const { fake, signer, tab } = await brandedSetUp(options);
  const { page } = tab;
  await signer.open(fake.link);
  await signer.seesHeading(signer.texts.code.heading);
  await signer.seesText(BRAND.name);
  const colourOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  const logo = page.locator('.brand-logo');
  await logo.evaluate((picture: HTMLImageElement) => picture.decode());
  const box = await logo.boundingBox();
  expect(box && Math.round(box.width / box.height)).toBeGreaterThanOrEqual(3);
  const text = await page.locator('body').textContent();
  expect(text).not.toContain(fake.view.request.title);
  expect(text).not.toContain(fake.view.request.sender_name);
  for (const [label, url] of [
    [signer.texts.brand.imprint, BRAND.imprint_url],
    [signer.texts.brand.privacy, BRAND.privacy_url],
  ] as const)
    expect(await page.getByRole('link', { name: label }).getAttribute('href')).toBe(url);
  expect(await page.getByRole('link', { name: signer.texts.brand.support }).count()).toBe(0);
  expect(await colourOf('.foot a')).toBe(await colourOf('.foot'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await screenshot(page, `brand/${name.replaceAll(' ', '-')}`, true);
  expect(await accessibilityFindings(page)).toEqual([]);

  await signer.enterCode(CODE);
  await signer.readDocument();
  const button = page.getByRole('button', { name: signer.texts.document.toSign, exact: true });
  expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgb(122, 31, 61)',
  );
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(tab.errors).toEqual([]);
});

it('no step with a brand has a finding in dark mode on the smallest phone, and each fits it', async () => {
  const scene = await brandedSetUp({ ...SMALL_PHONE, colorScheme: 'dark' });
  await walkThrough(scene, 'brand/small-dark', (page) => expectFits(page, 320));
});

it('without a brand the page names the service, and has no foot', async () => {
  const { fake, signer, tab } = await setUp();
  await signer.open(fake.link);
  await signer.seesText('Signature requests');
  expect(await tab.page.locator('.brand-logo, .foot').count()).toBe(0);
});

it('the page for a copy shows the brand', async () => {
  const { fake, signer, tab } = await brandedSetUp();
  fake.view.request.status = 'signed';
  fake.copy.brand = BRAND;
  await signer.open(fake.copyLink);
  await signer.seesText(BRAND.name);
  await signer.seesText(signer.texts.document.downloaded);
  expect(await accessibilityFindings(tab.page)).toEqual([]);
});
