import { CODE } from '../support/fake-signer-api.ts';
import { until } from '../support/until.ts';
import { accessibilityFindings, screenshotState } from './browser.ts';
import { atSigning, type PageSetup, pageSetup } from './page-setup.ts';

/** A lost connection, a fault of the service or a file that did not come: the signer goes on where they were. */

const setUp = pageSetup();

describe('connection', () => {
  it('a connection lost at signing is reported, and the retry signs once', async () => {
    const { fake, signer, tab } = await atSigning(await setUp());
    await signer.agree();
    fake.dropNext('/sign', 2);
    await signer.press(signer.texts.sign.submit);
    await signer.seesText(signer.texts.connection.lost);
    await screenshotState(tab.page, 'phone-en-3-sign-offline');
    expect(await accessibilityFindings(tab.page)).toEqual([]);
    await signer.seesHeading(signer.texts.done.heading);
    expect(fake.signatures).toHaveLength(1);
    await tab.page.getByText(signer.texts.connection.lost).waitFor({ state: 'detached' });
  });

  it('“Try now” retries at once', async () => {
    const { fake, signer } = await setUp();
    fake.dropNext('/document', 3);
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText(signer.texts.connection.lost);
    for (let i = 0; i < 3; i++) {
      const before = fake.callsOf('/document').length;
      await signer.press(signer.texts.connection.tryNow);
      while (fake.callsOf('/document').length === before) await signer.page.waitForTimeout(20);
    }
    // The button is gone.
    await signer.page.locator('h1:focus').waitFor();
    await signer.readDocument();
  });

  it('a busy service that asks for a minute is reported, and “Try now” signs at once', async () => {
    const { fake, signer, tab } = await atSigning(await setUp());
    await signer.agree();
    fake.failNext('/sign', 'too_many_requests', {}, { 'retry-after': '60' });
    await signer.press(signer.texts.sign.submit);
    await tab.page.getByRole('status').getByText(signer.texts.connection.busy).waitFor();
    expect(await accessibilityFindings(tab.page)).toEqual([]);
    await signer.press(signer.texts.connection.tryNow);
    await signer.seesHeading(signer.texts.done.heading);
    await tab.page.getByText(signer.texts.connection.busy).waitFor({ state: 'detached' });
  });

  it('a document whose download breaks goes on where it was, tells its progress, and can be signed', async () => {
    const { fake, signer, tab } = await setUp();
    const { length } = fake.document;
    const [most, tail] = [Math.floor(length * 0.6), Math.floor(length * 0.9)];
    const breakFirst = fake.stopNext('/document', most);
    const breakSecond = fake.stopNext('/document', tail - most);
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    // Screen readers hear it after ten seconds.
    const told = tab.page.locator('[aria-live=polite]').getByText('Loading the document 60%');
    await told.waitFor({ state: 'attached', timeout: 20_000 });
    breakFirst();
    await tab.page.locator('.sheet-waiting').getByText('90%').waitFor();
    breakSecond();
    await signer.readDocument();
    expect(fake.callsOf('/document').map(({ range }) => range)).toEqual([
      undefined,
      `bytes=${most}-`,
      `bytes=${tail}-`,
    ]);
    await signer.toSign();
    await signer.agree();
    await signer.press(signer.texts.sign.submit);
    await signer.seesHeading(signer.texts.done.heading);
    expect(fake.signatures[0]?.document_sha256).toBe(fake.view.document.sha256);
  });

  it('a signer whose decline arrived, but not its answer, is led back to the sender all the same', async () => {
    const { fake, signer } = await setUp();
    fake.view.request.return_url = 'https://shop.example.com/back';
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await signer.toDecline();
    fake.dropNext('/decline');
    fake.failNext('/decline', 'link_declined');
    await signer.press(signer.texts.decline.submit);
    await signer.seesHeading(signer.texts.ended.link_declined.heading);
    const back = signer.page.getByRole('link', { name: signer.texts.done.back('shop.example.com') });
    expect(new URL((await back.getAttribute('href')) ?? '').searchParams.get('outcome')).toBe('declined');
  });

  it('a code is not sent again automatically after the connection was lost', async () => {
    const { fake, signer } = await setUp();
    fake.dropNext('/verify');
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText(signer.texts.code.lost);
    expect(await signer.codeField.inputValue()).toBe(CODE);
    expect(fake.callsOf('/verify')).toHaveLength(1);
    await signer.press(signer.texts.code.submit);
    await signer.readDocument();
  });

  it('a connection lost at opening is reported, and the page opens when it is back', async () => {
    const { fake, signer } = await setUp();
    fake.dropNext('/open', 2);
    await signer.page.goto(fake.link);
    await signer.seesText(signer.texts.connection.lost);
    await screenshotState(signer.page, 'phone-en-0-opening-offline');
    await signer.seesHeading(signer.texts.code.heading);
  });
});

describe('errors of the service', () => {
  /** Until the page gives the call up. */
  const fault = (fake: PageSetup['fake'], path: string) => {
    const answer = { status: 500, body: { nothing: 'of ours' }, headers: { 'retry-after': '0' } };
    for (let tries = 0; tries < 3; tries++) fake.answerNext(path, answer);
  };

  it('after an error at opening the signer can try again', async () => {
    const { fake, signer } = await setUp();
    fault(fake, '/open');
    await signer.open(fake.link);
    await signer.seesHeading(signer.texts.trouble.heading);
    await screenshotState(signer.page, 'phone-en-0-trouble');
    await signer.press(signer.texts.trouble.again);
    await signer.seesHeading(signer.texts.code.heading);
  });

  it('a signer who tries again without a connection keeps the page, which is loaded again as soon as it can be', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    fault(fake, '/open');
    await signer.open(fake.link);
    await signer.seesHeading(texts.trouble.heading);
    await page.context().setOffline(true);
    await signer.press(texts.trouble.again);
    await signer.seesText(texts.connection.lost);
    await signer.seesHeading(texts.trouble.heading);
    await page.context().setOffline(false);
    await signer.seesHeading(texts.code.heading);
  });

  it('an error at signing keeps everything that was entered', async () => {
    const { fake, signer } = await atSigning(await setUp());
    await signer.page.getByLabel(signer.texts.sign.name).fill('Aino V.');
    await signer.agree();
    fault(fake, '/sign');
    await signer.press(signer.texts.sign.submit);
    await signer.seesText(signer.texts.trouble.inline);
    await screenshotState(signer.page, 'phone-en-3-sign-fault');
    await signer.sign();
    expect(fake.signatures[0]?.name).toBe('Aino V.');
  });
});

describe('a document that is not loaded', () => {
  it('can be asked for again after the service refused it', async () => {
    const { fake, signer } = await setUp();
    for (let i = 0; i < 3; i++) fake.failNext('/document', 'service_unavailable', {}, { 'retry-after': '0' });
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText(signer.texts.document.notLoaded);
    await screenshotState(signer.page, 'phone-en-2-document-not-loaded');
    for (const colorScheme of ['light', 'dark'] as const) {
      await signer.page.emulateMedia({ colorScheme });
      expect(await accessibilityFindings(signer.page)).toEqual([]);
    }
    await signer.press(signer.texts.trouble.again);
    await signer.page.locator('h1:focus').waitFor();
    await signer.readDocument();
  });

  it.each(['pdf-', 'pdf.worker'])(
    'can be downloaded and asked for again if %s*.js is missing',
    async (part) => {
      const { fake, signer } = await setUp();
      await signer.page.route(`**/assets/${part}*.js`, (route) => route.abort());
      await signer.open(fake.link);
      await signer.enterCode(CODE);
      await signer.seesText(signer.texts.document.notLoaded);
      await signer.seesText(signer.texts.document.cannotShow);
      const saved = await signer.download(() => signer.press(signer.texts.document.download));
      expect(saved.bytes).toEqual(Buffer.from(fake.document));
      await signer.page.unrouteAll();
      await signer.press(signer.texts.trouble.again);
      await signer.readDocument();
    },
  );

  describe('that is asked for again without a connection', () => {
    const askOffline = async () => {
      const { fake, signer } = await setUp();
      const { page, texts } = signer;
      await page.route('**/assets/pdf-*.js', (route) => route.abort());
      await signer.open(fake.link);
      await signer.enterCode(CODE);
      await signer.seesText(texts.document.cannotShow);
      await page.unrouteAll();
      await page.context().setOffline(true);
      await signer.press(texts.trouble.again);
      await signer.seesText(texts.connection.lost);
      await signer.seesText(texts.document.notLoaded);
      return { fake, signer };
    };

    it('is shown as soon as there is one', async () => {
      const { signer } = await askOffline();
      await signer.page.context().setOffline(false);
      await signer.readDocument();
    });

    it('does not interrupt a signer who has gone on to the next step', async () => {
      const { fake, signer } = await askOffline();
      const { page, texts } = signer;
      await signer.toSign();
      const asked = fake.callsOf('/request').length;
      await page.evaluate(() => Object.assign(window, { isSamePage: true }));
      await page.context().setOffline(false);
      await until(() => fake.callsOf('/request').length > asked, 'the page has reached the service');
      await page.getByText(texts.connection.lost).waitFor({ state: 'detached' });
      expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    });
  });
});
