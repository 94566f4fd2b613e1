import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../shared/runtime/hash.ts';
import { PAGE_TEXTS, VERIFY_TEXTS } from '../../shared/texts/languages.ts';
import { APP_TEXTS } from '../support/app-texts.ts';
import { first, SigningStage } from '../support/signing-stage.ts';
import { stamped } from '../support/tampering.ts';
import { until } from '../support/until.ts';
import { type Engine, type EngineTab, type Size, STEP_SECONDS } from './engine.ts';
import { launchFirefox } from './firefox.ts';
import { contractPdf } from './pdfs.ts';
import { launchWebKit } from './webkit.ts';

/** The main ways through the pages in the engines of Safari and Firefox: the other browser tests run in Chromium. */

const TIMEOUT_MS = 120_000;
/** A little wider is the narrowest that this browser can be. */
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
const texts = PAGE_TEXTS.en;

const codeIn = (text = '') => /\b\d{6}\b/.exec(text)?.[0] ?? '';

/** Runs in the page: whether something dark is on the first sheet. */
function isDrawn(): boolean {
  const canvas = document.querySelector<HTMLCanvasElement>('.sheet canvas');
  if (!canvas?.width) return false;
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, 400) ?? { data: [] };
  return Array.from(data).some((value, place) => place % 4 < 3 && value < 128 && data[place | 3] === 255);
}

describe.each([
  ['webkit', launchWebKit],
  ['firefox', launchFirefox],
])('in %s', (engineName, launch) => {
  const folder = mkdtempSync(join(tmpdir(), 'verified-'));
  let engine: Engine;
  let stage: SigningStage;
  const open: EngineTab[] = [];

  beforeAll(async () => {
    [engine, stage] = await Promise.all([launch(), SigningStage.open(await contractPdf())]);
  }, TIMEOUT_MS);
  afterEach(async () => {
    for (const tab of open.splice(0)) {
      await tab.close();
      expect(tab.errors()).toEqual([]);
    }
  });
  afterAll(async () => {
    await engine?.stop();
    await stage?.close();
    rmSync(folder, { recursive: true });
  });

  async function visit(path: string, size: Size): Promise<EngineTab> {
    const tab = await engine.openTab(size);
    open.push(tab);
    await tab.open(new URL(path, stage.service.baseUrl).href);
    return tab;
  }

  async function toDocument(size: Size): Promise<{ tab: EngineTab; id: string }> {
    const { id, signers } = await stage.send();
    const { email, sign_url } = first(signers);
    const tab = await visit(sign_url, size);
    await tab.type(texts.code.label, codeIn(stage.service.mails(email)[0]?.text));
    await tab.press(texts.code.submit);
    await tab.seesHeading(texts.document.heading);
    await tab.seesCss('.sheet canvas');
    await until(() => tab.run(isDrawn), 'the drawn page', STEP_SECONDS);
    return { tab, id };
  }

  it(
    'a signer on a phone reads, searches, signs and gets the sealed document',
    async () => {
      const { tab, id } = await toDocument(PHONE);
      await tab.press(texts.document.search);
      await tab.typeInto('.finder-words', 'landlord');
      await until(
        async () => {
          const found = await tab.run(() => document.querySelector('.finder-found')?.textContent);
          return /^1 \/ \d+$/.test(found ?? '');
        },
        'the word that was searched for',
        STEP_SECONDS,
      );
      await tab.press(texts.document.closeSearch);
      await tab.press(texts.document.toSign);
      await tab.seesHeading(texts.sign.heading);
      await tab.choose(texts.sign.agree);
      await tab.screenshot(`${engineName}-sign`);
      await tab.press(texts.sign.submit);
      await tab.seesHeading(texts.done.heading);
      await tab.seesText(texts.done.sealed);
      await tab.press(texts.done.download);
      const { name, bytes } = await tab.downloaded();
      expect(name).toMatch(/-signed\.pdf$/);
      expect(sha256Hex(bytes)).toBe((await stage.get(id)).document_hash);
    },
    TIMEOUT_MS,
  );

  it(
    'a signer at a desk draws the signature, which outlasts a reload',
    async () => {
      const { tab, id } = await toDocument(DESKTOP);
      await tab.press(texts.document.toSign);
      await tab.seesHeading(texts.sign.heading);
      await tab.choose(texts.sign.drawn);
      await tab.draw('svg.pad');
      const ink = () => tab.run(() => document.querySelector('.pad-ink')?.getAttribute('d') ?? '');
      const drawn = await ink();
      expect(drawn.length).toBeGreaterThan(100);
      await tab.reload();
      await until(async () => (await ink()) === drawn, 'the drawn signature', STEP_SECONDS);
      await tab.choose(texts.sign.agree);
      await tab.press(texts.sign.submit);
      await tab.seesHeading(texts.done.heading);
      const [entry] = await stage.trail(id, 'signer_signed');
      expect(entry?.details.signature_type).toBe('drawn');
    },
    TIMEOUT_MS,
  );

  it(
    'the verify page tells a sealed document from a changed one',
    async () => {
      const { id, signers } = await stage.send();
      await stage.sign(first(signers));
      await stage.untilStatus(id, 'signed');
      const sealed = Buffer.from(await stage.sealedDocument(id));
      const tab = await visit('/verify', PHONE);
      const { verdicts } = VERIFY_TEXTS.en;
      for (const [name, bytes, heading] of [
        ['sealed', sealed, verdicts.intact.heading],
        ['changed', stamped(sealed), verdicts.red.heading],
      ] as const) {
        const file = join(folder, `${name}.pdf`);
        writeFileSync(file, bytes);
        await tab.attach('#document', file);
        await tab.seesHeading(heading);
        await tab.screenshot(`${engineName}-verify-${name}`);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'a sender signs in to the dashboard, and opens a request and the settings, with nothing of the list over the page',
    async () => {
      const words = APP_TEXTS.en;
      const user = `${engineName}@example.com`;
      await stage.service.admin(
        'user',
        'create',
        '--email',
        user,
        '--org',
        stage.client.ownerId,
        '--role',
        'admin',
      );
      await stage.send(1, { title: 'The older one' });
      await stage.send(1, { title: 'The newer one' });
      const tab = await visit('/app', DESKTOP);
      await tab.type(words.email, user);
      await tab.press(words.signIn.send);
      const mail = await until(() => stage.service.mails(user)[0], 'the mail with the code');
      await tab.type(words.signIn.code, codeIn(mail.text));
      await tab.press(words.signIn.submit);
      await tab.seesText('The older one');
      await tab.screenshot(`${engineName}-list`);
      expect(await tab.isOnTop('nav a:last-of-type')).toBe(true);
      await tab.follow('The newer one');
      await tab.seesHeading('The newer one');
      await tab.follow(words.nav.settings);
      await tab.seesText(words.settings.keys.intro);
    },
    TIMEOUT_MS,
  );
});
