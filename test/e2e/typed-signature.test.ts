import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INK } from '../../shared/typesetting/style.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { plainPaper } from '../support/paper.ts';
import { someOf } from '../support/thorough.ts';
import { DESKTOP } from './browser.ts';
import { type Ink, inkOf, overlap, pictureOf, pngOf } from './ink.ts';
import { pageSetup } from './page-setup.ts';

const PICTURES = join(import.meta.dirname, '../../artifacts/e2e/typed-signatures');

/** The page's size of a signature in its pixels, and theirs in the picture. */
const PAGE_SIZE = 28;
const SCALE = 3;
const PRINT_SIZE = 24;
const DOTS_PER_INCH = (PAGE_SIZE * SCALE * 72) / PRINT_SIZE;

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['latin', 'Aino Virtanen'],
  ['accents', 'Þórður Nguyễn'],
  ['african-letters', 'Kɔ̀fi Ɗan Ɓaɓura'],
  ['greek', 'Αλέξανδρος'],
  ['cyrillic', 'Алексей Щукин'],
  ['uncomposed-marks', 'Q̃ed M̌ara'],
  ['arabic', 'محمد علي بن أحمد'],
  ['arabic-marks', 'مُحَمَّد'],
  ['persian', 'علی می‌خواهد'],
  ['urdu', 'محمد اقبال'],
  ['hebrew', 'נעים כהן (2026)'],
  ['hebrew-points', 'שָׁלוֹם'],
  ['syriac', 'ܣܘܪܝܝܐ'],
  ['hindi', 'क्षत्रिय हिन्दी श्री'],
  ['bengali', 'বাংলা কর্মকার'],
  ['punjabi', 'ਪੰਜਾਬੀ ਸਿੰਘ'],
  ['gujarati', 'ગુજરાતી'],
  ['tamil', 'செல்வன்'],
  ['telugu', 'తెలుగు శ్రీను'],
  ['kannada', 'ಕನ್ನಡ ಕೃಷ್ಣ'],
  ['malayalam', 'ക്രിസ്തു രാജന്\u200d'],
  ['mongolian', 'ᠰᠠᠷ\u180eᠠ'],
  ['sinhala', 'ශ්‍රී සිංහල'],
  ['thai', 'สมชาย น้ำ ที่'],
  ['lao', 'ລາວ ທີ່'],
  ['khmer', 'ខ្មែរ ស្រី'],
  ['burmese', 'ဗမာ ကြွေး'],
  ['tibetan', 'བསྒྲུབས'],
  ['georgian', 'ქართული'],
  ['armenian', 'Հայերեն'],
  ['amharic', 'አማርኛ'],
  ['japanese', '山田太郎 さくら'],
  ['japanese-variants', '\ufa19谷 \ufa4f子'],
  ['chinese', '刘德华 陳大文'],
  ['korean', '김철수'],
  ['emoji', '👩‍💻👍🏽😀🇫🇮'],
  ['mixed', 'Anna 山田 محمد x'],
  ['mixed-from-the-right', 'مرحبا Anna 42'],
  ['uncovered', 'A\ue000'],
];

async function printed(text: string): Promise<Uint8Array> {
  const paper = await plainPaper();
  paper.write(paper.set(text, { face: 'italic', size: PRINT_SIZE, leading: 60, ink: INK.signature }));
  return pngOf(await paper.finish(), DOTS_PER_INCH);
}

const setUp = pageSetup();

it('a typed signature looks on the page as it will be printed, in every script', async () => {
  mkdirSync(PICTURES, { recursive: true });
  const { fake, signer, tab } = await setUp({ ...DESKTOP, deviceScaleFactor: SCALE });
  const { page } = tab;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.toSign();
  const preview = page.locator('.printed-signature');

  const shown = async (text: string): Promise<Uint8Array> => {
    await page.getByLabel(signer.texts.sign.typedLabel).fill(text);
    // The preview is hidden until the fonts of its scripts are known, and then shows all of the text.
    await preview.waitFor();
    await page.waitForFunction(() => document.fonts.ready.then(() => document.fonts.status === 'loaded'));
    return preview.screenshot();
  };

  const prints: Ink[] = [];
  const differing: string[] = [];
  for (const [name, text] of someOf(SIGNATURES, 2)) {
    const [onPage, onPaper] = [await shown(text), await printed(text)];
    writeFileSync(join(PICTURES, `${name}-page.png`), onPage);
    writeFileSync(join(PICTURES, `${name}-paper.png`), onPaper);
    const [ours, theirs] = [inkOf(pictureOf(onPaper)), inkOf(pictureOf(onPage))];
    prints.push(ours);
    const shared = overlap(ours, theirs);
    const growth = Math.max(Math.abs(ours.width - theirs.width), Math.abs(ours.height - theirs.height));
    if (shared < 0.98 || growth > 2) differing.push(`${name}: ${shared.toFixed(3)}, ${growth} px`);
  }
  expect(differing).toEqual([]);
  // The measure tells one text from another.
  for (const [index, print] of prints.entries())
    expect(overlap(print, prints[(index + 1) % prints.length] ?? print)).toBeLessThan(0.8);
  expect(tab.errors).toEqual([]);
}, 180_000);

it('a Latin signature fetches its face alone, a Japanese one the slices that have its characters', async () => {
  const { fake, signer, tab } = await setUp();
  const fonts: string[] = [];
  tab.page.on('request', (request) => {
    const name = /([\w-]+)-[\w-]{8}\.(ttf|woff|js)$/.exec(request.url())?.[1];
    if (name !== undefined && (request.resourceType() === 'font' || name === 'script-files'))
      fonts.push(name);
  });
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  expect(fonts).toEqual([]);
  await signer.toSign();
  const type = async (text: string) => {
    await tab.page.getByLabel(signer.texts.sign.typedLabel).fill(text);
    await tab.page.locator('.printed-signature', { hasText: text }).waitFor();
    await tab.page.evaluate(() => document.fonts.ready);
  };
  await type('Þórður Щукин');
  expect(fonts).toEqual(['serif-italic']);
  await type('山田太郎');
  expect(fonts.slice(1).sort()).toEqual([
    'han-japanese-103',
    'han-japanese-108',
    'han-japanese-114',
    'script-files',
  ]);
});
