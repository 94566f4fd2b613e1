import { LOCALES } from '../../shared/texts/languages.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { someOf } from '../support/thorough.ts';
import { DESKTOP, PHONE, SMALL_PHONE } from './browser.ts';
import { expectFits, expectFitsEverywhere } from './layout.ts';
import { pageSetup } from './page-setup.ts';
import { walkThrough } from './walk-through.ts';

const setUp = pageSetup();
const setUpLarge = pageSetup({ largeLetters: true });

// By day `service-flow` looks at the steps in the other languages.
it.each(someOf(LOCALES, 2))(
  'no step in %s has a finding, and each fits a phone, a desktop, and a zoom of 200 %%',
  async (locale) => {
    const scene = await setUp(PHONE, locale);
    scene.fake.linkStatus.locale = locale;
    await walkThrough(scene, `phone-${locale}`, expectFitsEverywhere);
  },
  120_000,
);

it.each(someOf(LOCALES, 5))(
  'no step in %s has a finding with letters of 200 %%, and each fits the smallest phone',
  async (locale) => {
    const scene = await setUpLarge(SMALL_PHONE, locale);
    scene.fake.linkStatus.locale = locale;
    await walkThrough(scene, `large-${locale}`, (page) => expectFits(page, 320));
  },
);

it.each(someOf(LOCALES, 5))('no step in %s has a finding with forced colours', async (locale) => {
  const scene = await setUp({ ...DESKTOP, forcedColors: 'active' }, locale);
  scene.fake.linkStatus.locale = locale;
  await walkThrough(scene, `forced-colours-${locale}`);
});

it('no step has a finding on the smallest phone', async () => walkThrough(await setUp(SMALL_PHONE), 'small'));
it('no step has a finding on a desktop', async () => walkThrough(await setUp(DESKTOP), 'desktop'));
it.each(someOf(['phone', 'desktop'] as const, 2))(
  'no step has a finding in dark mode on a %s',
  async (device) => {
    const scene = await setUp({ ...(device === 'phone' ? PHONE : DESKTOP), colorScheme: 'dark' });
    await walkThrough(scene, device === 'phone' ? 'dark' : 'dark-desktop');
  },
);

it('each paragraph of a message runs in the direction of its own language', async () => {
  const { fake, signer } = await setUp(DESKTOP);
  fake.view.request.message = 'مرحبا.\n\nPlease sign.';
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  const message = signer.page.locator('.letter-message');
  await message.waitFor();
  const [first, last] = await message.evaluate(({ firstChild }) =>
    ['P', '.'].map((character) => {
      const at = firstChild?.textContent?.lastIndexOf(character) ?? 0;
      const range = document.createRange();
      if (firstChild) range.setStart(firstChild, at);
      if (firstChild) range.setEnd(firstChild, at + 1);
      return range.getBoundingClientRect().left;
    }),
  );
  expect(first).toBeLessThan(last ?? 0);
});
