import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { LIMITS } from '../../shared/contract/limits.ts';
import { MAIL_TEXTS } from '../../shared/texts/languages.ts';
import { redraw } from '../../shared/verification/drawn-signature.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { until } from '../support/until.ts';
import { accessibilityFindings, SMALL_PHONE, screenshotState } from './browser.ts';
import { expectFits } from './layout.ts';
import { atSigning, pageSetup } from './page-setup.ts';
import type { Signer } from './signer.ts';

const setUp = pageSetup();

describe('signatures', () => {
  it('a signature names the document shown, the consent shown, the name and the typed signature', async () => {
    const { fake, signer } = await setUp();
    await signer.signAll(fake.link, CODE);
    expect(fake.signatures).toEqual([
      {
        document_sha256: fake.view.document.sha256,
        consent_version: '1',
        consent_locale: 'en',
        name: 'Aino Virtanen',
        signature: { type: 'typed', text: 'Aino Virtanen' },
      },
    ]);
  });

  it('a signer can correct the name, draw the signature and sign for an organization', async () => {
    const { fake, signer } = await setUp();
    const { page } = signer;
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await signer.toSign();
    await page.getByLabel(signer.texts.sign.name).fill('Aino Maria Virtanen');
    await signer.draw();
    await page.getByLabel(signer.texts.sign.forEntity).check();
    await page.getByLabel(signer.texts.sign.entity).fill('Kotilinna Oy');
    await page.getByLabel(signer.texts.sign.role).fill('CEO');
    await signer.agree();
    await signer.sign();
    const [sent] = fake.signatures;
    expect(sent).toMatchObject({
      name: 'Aino Maria Virtanen',
      representing: { name: 'Kotilinna Oy', role: 'CEO' },
      signature: { type: 'drawn' },
    });
    const picture =
      sent?.signature.type === 'drawn' ? Buffer.from(sent.signature.png_base64, 'base64') : Buffer.of();
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    // Cropped to its ink: wide and low, unlike the empty pad.
    expect(picture.readUInt32BE(16)).toBeGreaterThan(500);
    expect(picture.readUInt32BE(20)).toBeLessThan(400);
  });

  it('a palm beside the pen, whose touch the browser cancels, does not end the stroke', async () => {
    const { signer } = await atSigning(await setUp());
    const { page } = signer;
    await page.getByLabel(signer.texts.sign.drawn, { exact: true }).check();
    const pad = page.locator('svg.pad');
    const strokes = () => page.locator('.pad-ink').getAttribute('d');
    await pad.hover({ position: { x: 40, y: 40 } });
    await page.mouse.down();
    await pad.dispatchEvent('pointercancel', { pointerId: 77, bubbles: true });
    await pad.hover({ position: { x: 140, y: 80 } });
    await page.mouse.up();
    expect(await strokes()).toMatch(/^M[^M]+L[^M]+$/);
  });

  it('a typed signature can be in another style, and its preview shows it', async () => {
    const { fake, signer } = await atSigning(await setUp());
    const { page, texts } = signer;
    const family = () =>
      page.locator('.printed-signature').evaluate((shown) => getComputedStyle(shown).fontFamily);
    expect(await family()).toMatch(/^"?Signature"?$/);
    await page.getByRole('radio', { name: texts.sign.styles.serif }).check();
    expect(await family()).toContain('Signature Serif');
    await page.getByRole('radio', { name: texts.sign.styles.sans }).check();
    expect(await family()).toContain('Signature Sans');
    await screenshotState(page, 'phone-en-3-sign-style', true);
    await signer.agree();
    await signer.sign();
    expect(fake.signatures[0]?.signature).toEqual({ type: 'typed', text: 'Aino Virtanen', style: 'sans' });
  });

  describe('from an image', () => {
    const choose = async ({ page, texts }: Signer, name: string, buffer: Buffer) => {
      await page.getByRole('radio', { name: texts.sign.image, exact: true }).check();
      await page.getByLabel(texts.sign.imageChoose).setInputFiles({ name, mimeType: '', buffer });
    };

    /** A browser's rendering of a picture of this size, with a stroke across it. */
    const picture = async (page: Page, type: string, width: number, height: number) => {
      const url = await page.evaluate(
        ([mime, across, down]) => {
          const canvas = document.createElement('canvas');
          canvas.width = across;
          canvas.height = down;
          const context = canvas.getContext('2d');
          context?.fillRect(across / 4, down / 2, across / 2, down / 10);
          return canvas.toDataURL(mime);
        },
        [type, width, height] as const,
      );
      return Buffer.from(url.split(',')[1] ?? '', 'base64');
    };

    it.each([
      ['image/png', 'signature.png'],
      ['image/jpeg', 'signature.jpg'],
    ])('%s is sent as a small PNG, and survives a reload', async (type, name) => {
      const { fake, signer } = await atSigning(await setUp());
      const { page, texts } = signer;
      await choose(signer, name, await picture(page, type, 3_000, 2_000));
      const preview = page.getByRole('img', { name: texts.sign.imageChosen });
      await preview.waitFor();
      await screenshotState(page, `phone-en-3-sign-${name.replace('.', '-')}`, true);
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.reload();
      await preview.waitFor();
      // The browser says beside it that no file is chosen.
      await page.getByLabel(texts.sign.imageOther).waitFor();
      await signer.agree();
      await signer.sign();
      const sent = fake.signatures[0]?.signature;
      const png = sent?.type === 'drawn' ? Buffer.from(sent.png_base64, 'base64') : Buffer.of();
      expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
        'PNG',
        600,
        400,
      ]);
      // The service takes it as it takes a drawing.
      expect(redraw(png.toString('base64')).png.length).toBeGreaterThan(0);
    });

    it('is refused before it is decoded if it is none, or too large in bytes or pixels', async () => {
      const { fake, signer } = await atSigning(await setUp());
      const { page, texts } = signer;
      const bomb = Buffer.from(await picture(page, 'image/png', 10, 10));
      bomb.writeUInt32BE(100_000, 16);
      bomb.writeUInt32BE(100_000, 20);
      for (const [name, bytes, fault] of [
        ['a.png', bomb, 'too_large'],
        ['b.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'unreadable'],
        ['c.png', Buffer.alloc(5_000_001), 'too_large'],
        ['d.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 9, 0, 9, 1]), 'unreadable'],
      ] as const) {
        await choose(signer, name, bytes);
        await signer.seesText(texts.sign.imageFaults[fault]);
      }
      await screenshotState(page, 'phone-en-3-sign-image-refused', true);
      const asked = page.waitForEvent('filechooser');
      await page.getByLabel(texts.sign.imageChoose).click();
      await asked;
      // Otherwise the same file, saved anew, would be no change.
      expect(await page.getByLabel(texts.sign.imageChoose).inputValue()).toBe('');
      // As of a file that is gone by the time it is read.
      await choose(signer, 'e.png', bomb);
      await signer.seesText(texts.sign.imageFaults.too_large);
      await page.evaluate(() => {
        Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
      });
      await choose(signer, 'f.png', await picture(page, 'image/png', 10, 10));
      await signer.seesText(texts.sign.imageFaults.unreadable);
      expect(await accessibilityFindings(page)).toEqual([]);
      await signer.agree();
      await signer.press(texts.sign.submit);
      await signer.seesText(texts.checkFields(1));
      expect(fake.signatures).toEqual([]);
    });
  });
});

it('a browser that answers noise for what is drawn lets its signer type alone', async () => {
  const { fake, signer } = await atSigning(await setUp());
  const { page, texts } = signer;
  // As Firefox with `privacy.resistFingerprinting`, and so Tor Browser.
  await page.evaluate(() => {
    CanvasRenderingContext2D.prototype.getImageData = (_left, _top, width, height) =>
      new ImageData(
        new Uint8ClampedArray(width * height * 4).map((_, place) => (place * 37) % 256),
        width,
      );
  });
  for (const [way, place] of [
    [texts.sign.drawn, 'svg.pad'],
    [texts.sign.image, '#image'],
  ] as const) {
    await page.getByLabel(way, { exact: true }).check();
    await page.getByRole('alert').filter({ hasText: texts.sign.withheld }).waitFor();
    expect(await page.locator(place).count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
  }
  await page.getByLabel(texts.sign.typed, { exact: true }).check();
  await signer.agree();
  await signer.sign();
  expect(fake.signatures.map(({ signature }) => signature.type)).toEqual(['typed']);
});

it('a pasted code may contain spaces', async () => {
  const { fake, signer } = await setUp();
  await signer.open(fake.link);
  expect(await signer.codeField.getAttribute('autocomplete')).toBe('one-time-code');
  expect(await signer.codeField.getAttribute('inputmode')).toBe('numeric');
  await signer.enterCode(' 246 810 ');
  await signer.readDocument();
});

it('a code may be pasted with the whole line of the mail', async () => {
  const { fake, signer } = await setUp();
  await signer.open(fake.link);
  await signer.codeField.focus();
  await signer.page.keyboard.insertText(`${MAIL_TEXTS.en.code}: ${CODE}`);
  await signer.press(signer.texts.code.submit);
  await signer.readDocument();
});

it('before the code, the page shows nothing about the document, its sender or the signer', async () => {
  const { fake, signer } = await setUp();
  await signer.open(fake.link);
  const shown = await signer.page.locator('html').innerHTML();
  for (const secret of ['Lease', 'Kotilinna', 'Aino', 'example.com']) expect(shown).not.toContain(secret);
});

it('without a valid code the page offers to send one, and counts down to the next', async () => {
  const { fake, signer } = await setUp();
  fake.linkStatus.code_expires_at = null;
  await signer.open(fake.link);
  await screenshotState(signer.page, 'phone-en-1-code-none');
  await signer.press(signer.texts.code.send);
  await signer.seesText(signer.texts.code.sent);
  const again = signer.page.getByRole('button', { name: /ask for a new code in \d+ s/ });
  await again.waitFor();
  expect(await again.isDisabled()).toBe(true);
  await screenshotState(signer.page, 'phone-en-1-code-sent');
  expect(await accessibilityFindings(signer.page)).toEqual([]);
  await signer.enterCode(CODE);
  await signer.readDocument();
});

it('every step after the code names document and sender, and marks a test request', async () => {
  const { fake, signer } = await setUp();
  fake.view.request.test = true;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  const marks = async () => {
    await signer.seesText(signer.texts.test);
    await signer.seesText(fake.view.request.title);
    await signer.page.getByText(fake.view.request.sender_name).first().waitFor();
  };
  await marks();
  await screenshotState(signer.page, 'phone-en-2-document-test');
  await signer.chooseOther(signer.texts.document.toLater);
  await signer.seesHeading(signer.texts.document.toLater);
  await marks();
  await signer.press(signer.texts.document.back);
  await signer.toDecline();
  await marks();
  await signer.press(signer.texts.document.back);
  await signer.toSign();
  await marks();
  await signer.agree();
  await signer.sign();
  await marks();
});

it('a change of language keeps everything that was entered, and survives a reload', async () => {
  const { fake, signer } = await setUp();
  const { page } = signer;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.toSign();
  await page.getByLabel(signer.texts.sign.name).fill('Aino V.');
  await page.getByLabel(signer.languageLabel).selectOption('fi');
  await page.getByRole('heading', { level: 1, name: 'Allekirjoita', exact: true }).waitFor();
  expect(await page.getByLabel('Koko nimesi').inputValue()).toBe('Aino V.');
  expect(await page.locator('html').getAttribute('lang')).toBe('fi');
  // The consent text stays as the service sent it, and names its language.
  expect(await page.locator('#consent-text').getAttribute('lang')).toBe('en');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Allekirjoita', exact: true }).waitFor();
});

describe('after signing', () => {
  it('the last step waits for the seal and offers the sealed document', async () => {
    const { fake, signer } = await setUp();
    await signer.signAll(fake.link, CODE);
    await signer.seesText(signer.texts.done.sealing);
    await screenshotState(signer.page, 'phone-en-4-done-sealing');
    fake.view.request.status = 'signed';
    await signer.seesText(signer.texts.done.sealed);
    await screenshotState(signer.page, 'phone-en-4-done-sealed');
    expect(await accessibilityFindings(signer.page)).toEqual([]);
    const advice = signer.page.getByText(signer.texts.done.noFile);
    expect(await advice.count()).toBe(0);
    const copy = await signer.download(() => signer.press(signer.texts.done.download));
    expect(copy).toEqual({ name: 'Lease agreement-signed.pdf', bytes: Buffer.from(fake.sealed) });
    // A viewer inside a mail program may drop a download without a word.
    await advice.waitFor();
    // A request from before has no evidence file.
    expect(await signer.page.getByText(signer.texts.done.downloadEvidence).count()).toBe(0);
  });

  it('the last step offers the evidence file beside the sealed document', async () => {
    const { fake, signer } = await setUp();
    fake.view.signer.status = 'signed';
    fake.view.request.status = 'signed';
    fake.view.request.evidence = true;
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText(signer.texts.done.sealed);
    await screenshotState(signer.page, 'phone-en-4-done-evidence');
    expect(await accessibilityFindings(signer.page)).toEqual([]);
    const evidence = await signer.download(() => signer.press(signer.texts.done.downloadEvidence));
    expect(evidence).toEqual({ name: 'Lease agreement-evidence.pdf', bytes: Buffer.from(fake.evidence) });
  });

  it('the last step offers one thing at a time: document, evidence, the way back', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    fake.view.request.return_url = 'https://shop.example.com/back';
    fake.view.request.evidence = true;
    fake.afterSigning = 'signed';
    await signer.signAll(fake.link, CODE);
    await signer.seesText(texts.done.sealed);
    const main = () => page.locator('.button-main').allTextContents();
    expect(await main()).toEqual([texts.done.download]);
    await screenshotState(page, 'phone-en-4-done-first');
    await signer.download(() => signer.press(texts.done.download));
    await until(async () => (await main()).join() === texts.done.downloadEvidence, 'the evidence next');
    await signer.download(() => signer.press(texts.done.downloadEvidence));
    await until(
      async () => (await main()).join() === texts.done.back('shop.example.com'),
      'the way back last',
    );
    // The same choice can be made again.
    await signer.download(() => signer.press(texts.done.download));
    await screenshotState(page, 'phone-en-4-done-last');
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  it('the last step shows that one file is downloaded at a time', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    fake.view.request.evidence = true;
    fake.afterSigning = 'signed';
    await signer.signAll(fake.link, CODE);
    const evidence = page.getByRole('button', { name: texts.done.downloadEvidence });
    const isWaiting = () => evidence.getAttribute('aria-disabled');
    await evidence.waitFor();
    expect(await isWaiting()).toBeNull();
    const release = fake.hold('/sealed-document');
    await signer.press(texts.done.download);
    await signer.seesText(texts.done.downloading);
    expect(await isWaiting()).toBe('true');
    await signer.download(async () => release());
    await until(async () => (await isWaiting()) === null, 'the next download');
  });

  it('the last step shows how much of a download has arrived, and names the button anew at each fifth', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    fake.afterSigning = 'signed';
    fake.sealed = randomBytes(300_000);
    await signer.signAll(fake.link, CODE);
    const goOn = fake.stopNext('/sealed-document', 111_000);
    await signer.press(texts.done.download);
    await page.locator('button [aria-hidden]', { hasText: /^3\d%$/ }).waitFor();
    const name = `${texts.done.downloading} 20%`;
    await page.getByRole('button', { name, exact: true }).waitFor();
    await signer.download(async () => goOn());
  });

  it('the last step leads back to the sender’s page and tells it the outcome', async () => {
    const { fake, signer } = await setUp();
    fake.view.request.return_url = 'https://shop.example.com/back?order=7';
    await signer.signAll(fake.link, CODE);
    const link = signer.page.getByRole('link', { name: signer.texts.done.back('shop.example.com') });
    const { id } = fake.view.request;
    expect(await link.getAttribute('href')).toBe(
      `https://shop.example.com/back?order=7&signature_request_id=${id}&signer_id=${fake.view.signer.id}&outcome=signed`,
    );
    await screenshotState(signer.page, 'phone-en-4-done-way-back');
    expect(await accessibilityFindings(signer.page)).toEqual([]);
  });

  it('the way back fits the smallest phone, however long the name of its host', async () => {
    const { fake, signer } = await setUp(SMALL_PHONE);
    const host = 'returns.customerportal.production.kotilinnaasunnot.example.com';
    fake.view.request.return_url = `https://${host}/`;
    await signer.signAll(fake.link, CODE);
    await signer.page.getByRole('link', { name: signer.texts.done.back(host) }).waitFor();
    await screenshotState(signer.page, 'small-4-done-way-back');
    await expectFits(signer.page, 320);
  });

  it('a signer who comes back later needs a code, and is told if the document was removed', async () => {
    const { fake, signer } = await setUp();
    fake.linkStatus = { ...fake.linkStatus, signer_status: 'signed', code_expires_at: null };
    fake.view.signer.status = 'signed';
    fake.view.request.status = 'signed';
    await signer.open(fake.link);
    await signer.seesHeading(signer.texts.code.headingSigned);
    await screenshotState(signer.page, 'phone-en-1-code-signed');
    await signer.press(signer.texts.code.send);
    await signer.enterCode(CODE);
    await signer.seesHeading(signer.texts.done.heading);
    fake.failNext('/sealed-document', 'document_purged', { purged_at: '2026-11-20T10:00:00.000Z' });
    await signer.press(signer.texts.done.download);
    await signer.seesText('20 November 2026');
    await screenshotState(signer.page, 'phone-en-4-done-purged');
  });

  it('a signer who comes back after the document was removed is offered no download of it', async () => {
    const { fake, signer } = await setUp();
    fake.view.signer.status = 'signed';
    Object.assign(fake.view.request, {
      status: 'signed',
      evidence: true,
      purged_at: '2026-11-20T10:00:00.000Z',
    });
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText('20 November 2026');
    expect(await signer.page.locator('.done .button').count()).toBe(0);
  });

  it.each([
    ['stamp_failed', 'sealLate'],
    ['declined', 'endedEarly'],
  ] as const)('the last step explains a request that is %s', async (status, words) => {
    const { fake, signer } = await setUp();
    fake.view.signer.status = 'signed';
    fake.view.request.status = status;
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText(signer.texts.done[words]);
    await screenshotState(signer.page, `phone-en-4-done-${status}`);
  });

  it('the last step promises no seal once the time to sign is over, before the daily job ends the request', async () => {
    const { fake, signer } = await setUp();
    fake.view.signer.status = 'signed';
    fake.view.request.expires_at = new Date(Date.now() - 60_000).toISOString();
    fake.view.others = { total: 2, signed: 1 };
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText(signer.texts.done.endedEarly);
  });
});

it('a signer who declines can give a reason, and the link ends', async () => {
  const { fake, signer } = await setUp();
  fake.view.request.return_url = 'http://localhost:3000/';
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.toDecline();
  await signer.page.getByLabel(signer.texts.decline.reason).fill('The rent is not the agreed one.');
  await signer.press(signer.texts.decline.submit);
  await signer.seesHeading(signer.texts.ended.link_declined.heading);
  const back = signer.page.getByRole('link', { name: signer.texts.done.back('localhost:3000') });
  expect(new URL((await back.getAttribute('href')) ?? '').searchParams.get('outcome')).toBe('declined');
  await signer.seesText(signer.texts.decline.told);
  await screenshotState(signer.page, 'phone-en-5-declined');
  expect(await accessibilityFindings(signer.page)).toEqual([]);
  expect(fake.callsOf('/decline')).toEqual([
    { path: '/decline', body: { reason: 'The rent is not the agreed one.' } },
  ]);
});

it('the reason to decline is counted in characters as the service does, and is cut nowhere', async () => {
  const { fake, signer } = await setUp();
  const { page, texts } = signer;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.toDecline();
  const reason = page.getByLabel(texts.decline.reason);
  const longest = '\u{1f600}'.repeat(LIMITS.reasonLength);
  await reason.fill(`${longest}no`);
  await signer.seesText(texts.decline.tooMany(2));
  await page.getByRole('button', { name: texts.decline.submit }).press('Enter');
  expect(fake.callsOf('/decline')).toEqual([]);
  await reason.fill(longest);
  await signer.seesText(texts.decline.left(0));
  await signer.press(texts.decline.submit);
  await signer.seesHeading(texts.ended.link_declined.heading);
  expect(fake.callsOf('/decline')).toEqual([{ path: '/decline', body: { reason: longest } }]);
});
