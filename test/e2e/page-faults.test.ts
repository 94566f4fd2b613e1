import type { Page } from 'playwright-core';
import { MINUTE } from '../../shared/runtime/time.ts';
import { LOCALES } from '../../shared/texts/languages.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { accessibilityFindings, screenshotState } from './browser.ts';
import { atSigning, pageSetup } from './page-setup.ts';
import { contractPdf } from './pdfs.ts';

const setUp = pageSetup();

describe('links that end', () => {
  it.each(['not_found', 'link_expired', 'link_cancelled', 'link_declined', 'link_invalidated'] as const)(
    'a link that has ended says why when it is opened: %s',
    async (reason) => {
      const { fake, signer } = await setUp();
      fake.failNext('/open', reason);
      await signer.open(fake.link);
      await signer.seesHeading(signer.texts.ended[reason].heading);
      await screenshotState(signer.page, `phone-en-5-${reason}`);
      expect(await accessibilityFindings(signer.page)).toEqual([]);
    },
  );

  it.each(['.', ')', '%3E', '%20', '&data=05'])(
    'a link opens with what a text or a mail program put behind it: %s',
    async (addition) => {
      const { fake, signer } = await setUp();
      await signer.open(fake.link + addition);
      await signer.seesHeading(signer.texts.code.heading);
    },
  );

  it.each(LOCALES)('a link that has ended says so in the language of its signer: %s', async (locale) => {
    const { fake, signer } = await setUp(undefined, locale);
    fake.failNext('/open', 'link_cancelled', { locale });
    await signer.open(fake.link);
    await signer.seesHeading(signer.texts.ended.link_cancelled.heading);
    expect(await signer.page.locator('html').getAttribute('lang')).toBe(locale);
    await screenshotState(signer.page, `phone-${locale}-5-link_cancelled`);
  });

  it.each([
    ['/sign', 'link_cancelled'],
    ['/sign', 'request_not_active'],
    ['/decline', 'link_invalidated'],
    ['/verify', 'link_expired'],
    ['/document', 'link_cancelled'],
  ] as const)('a link that ends while the page is open says why: %s answers %s', async (path, reason) => {
    const { fake, signer } = await setUp();
    fake.failNext(path, reason);
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    if (path === '/sign' || path === '/decline') {
      await signer.readDocument();
      if (path === '/sign') {
        await signer.toSign();
        await signer.agree();
        await signer.press(signer.texts.sign.submit);
      } else {
        await signer.toDecline();
        await signer.press(signer.texts.decline.submit);
      }
    }
    await signer.seesHeading(signer.texts.ended[reason].heading);
    await signer.page.goBack().catch(() => null);
  });
});

describe('codes', () => {
  it('five wrong codes lock the link, and a new code works after the lock', async () => {
    const { fake, signer } = await setUp();
    await signer.open(fake.link);
    for (const left of [4, 3, 2, 1]) {
      await signer.enterCode('000000');
      await signer.seesText(signer.texts.code.wrong(left));
    }
    await signer.enterCode('000000');
    await signer.seesHeading(signer.texts.code.lockedHeading);
    await screenshotState(signer.page, 'phone-en-1-code-locked');
    expect(await accessibilityFindings(signer.page)).toEqual([]);
    fake.linkStatus = { ...fake.linkStatus, locked_until: null, attempts_left: 5 };
    await signer.press(signer.texts.code.lockedCheck);
    await signer.press(signer.texts.code.send);
    await signer.enterCode(CODE);
    await signer.readDocument();
  });

  it('if no further code is sent, the newest one can still be entered', async () => {
    const { fake, signer } = await setUp();
    fake.failNext('/code', 'locked', { locked_until: null });
    await signer.open(fake.link);
    await signer.press(signer.texts.code.sendAgain);
    await signer.seesText(signer.texts.code.noMore);
    await screenshotState(signer.page, 'phone-en-1-code-no-more');
    expect(await accessibilityFindings(signer.page)).toEqual([]);
    await signer.enterCode(`Your code: ${CODE} It works for 10 minutes, until 10:05.`);
    await signer.readDocument();
  });

  it('after too many codes the page says that only the sender can go on, and goes on after a resend', async () => {
    const { fake, signer } = await setUp();
    fake.failNext('/code', 'locked', { locked_until: null });
    fake.linkStatus = { ...fake.linkStatus, code_expires_at: null };
    await signer.open(fake.link);
    fake.linkStatus = { ...fake.linkStatus, code_entry_ended: true };
    await signer.press(signer.texts.code.send);
    await signer.seesHeading(signer.texts.code.endedHeading);
    await screenshotState(signer.page, 'phone-en-1-code-ended');
    expect(await accessibilityFindings(signer.page)).toEqual([]);
    const release = fake.hold('/open');
    await signer.press(signer.texts.code.lockedCheck);
    await signer.page.locator('button[aria-disabled]', { hasText: signer.texts.code.checking }).waitFor();
    fake.linkStatus = { ...fake.linkStatus, code_entry_ended: false };
    release();
    await signer.press(signer.texts.code.send);
    await signer.enterCode(CODE);
    await signer.readDocument();
  });

  it.each([
    ['/verify', 'code_expired', 'expired'],
    ['/code', 'email_failed', 'emailFailed'],
  ] as const)('the page explains a problem with a code: %s answers %s', async (path, error, words) => {
    const { fake, signer } = await setUp();
    fake.failNext(path, error);
    await signer.open(fake.link);
    if (path === '/verify') await signer.enterCode(CODE);
    else await signer.press(signer.texts.code.sendAgain);
    await signer.seesText(signer.texts.code[words]);
    await screenshotState(signer.page, `phone-en-1-code-${error}`);
    expect(await accessibilityFindings(signer.page)).toEqual([]);
  });

  it('a code that ends while it is typed is said to have ended', async () => {
    const { fake, signer } = await setUp();
    const { page, texts } = signer;
    await page.clock.install();
    await signer.open(fake.link);
    await signer.codeField.fill(CODE.slice(0, 3));
    await page.clock.runFor(10 * MINUTE);
    await page.getByRole('alert').getByText(texts.code.expired).waitFor();
    fake.linkStatus.code_expires_at = new Date(Date.now() + 20 * MINUTE).toISOString();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await signer.codeField.waitFor();
    expect(await page.getByText(texts.code.expired).count()).toBe(0);
  });

  it('a tab whose code was used in another one goes on without a code', async () => {
    const { fake, signer } = await setUp();
    await signer.open(fake.link);
    fake.sessionOpen = true;
    fake.linkStatus.code_expires_at = null;
    await signer.page
      .context()
      .addCookies([{ name: 'session', value: 'yes', url: new URL('/', fake.link).href }]);
    await signer.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await signer.readDocument();
  });

  it('after too many codes, the button for a new one is disabled for a while', async () => {
    const { fake, signer } = await setUp();
    fake.failNext('/code', 'too_many_codes', {}, { 'retry-after': '600' });
    await signer.open(fake.link);
    await signer.press(signer.texts.code.sendAgain);
    await signer.page.getByText(/You can ask for another code from \d\d:\d\d/).waitFor();
    expect(await signer.page.getByRole('button', { name: signer.texts.code.sendAgain }).isDisabled()).toBe(
      true,
    );
    await screenshotState(signer.page, 'phone-en-1-code-too-many');
  });

  it('a code that is not six digits is not sent', async () => {
    const { fake, signer } = await setUp();
    await signer.open(fake.link);
    await signer.enterCode('12');
    await signer.seesText(signer.texts.code.format);
    expect(fake.callsOf('/verify')).toEqual([]);
  });
});

it('while a signature is being sent, the page shows what is sent, whatever the signer enters', async () => {
  const { fake, signer } = await atSigning(await setUp());
  const { page, texts } = signer;
  await signer.agree();
  const release = fake.hold('/sign');
  await signer.press(texts.sign.submit);
  await signer.seesText(texts.sign.submitting);
  const name = page.getByLabel(texts.sign.name);
  await name.pressSequentially(' V.');
  await page.getByLabel(texts.sign.agree).click();
  await page.getByLabel(texts.sign.drawn, { exact: true }).click();
  expect(await name.inputValue()).toBe(fake.view.signer.name);
  expect(await page.getByLabel(texts.sign.agree).isChecked()).toBe(true);
  expect(await page.getByLabel(texts.sign.typed, { exact: true }).isChecked()).toBe(true);
  release();
  await signer.seesHeading(texts.done.heading);
  expect(fake.signatures[0]).toMatchObject({ name: fake.view.signer.name, signature: { type: 'typed' } });
});

describe('double clicks', () => {
  it('a double click signs once', async () => {
    const { fake, signer } = await atSigning(await setUp());
    await signer.agree();
    const release = fake.hold('/sign');
    const button = signer.page.locator('button[type=submit]');
    await button.click();
    await signer.seesText(signer.texts.sign.submitting);
    await screenshotState(signer.page, 'phone-en-3-sign-busy');
    await button.click({ force: true });
    await button.press('Enter');
    release();
    await signer.seesHeading(signer.texts.done.heading);
    expect(fake.callsOf('/sign')).toHaveLength(1);
  });

  it('a double click sends one code and checks one code', async () => {
    const { fake, signer } = await setUp();
    await signer.open(fake.link);
    await signer.page.getByRole('button', { name: signer.texts.code.sendAgain }).dblclick();
    await signer.seesText(signer.texts.code.sent);
    await signer.codeField.fill(CODE);
    await signer.page.getByRole('button', { name: signer.texts.code.submit }).dblclick();
    await signer.readDocument();
    expect([fake.callsOf('/code').length, fake.callsOf('/verify').length]).toEqual([1, 1]);
  });
});

describe('the second click of a double one', () => {
  /** On a phone of 360 by 640, the button that declines appears in the place of the one that leads to it. */
  async function clickAgain(page: Page, name: string) {
    await page.getByRole('button', { name }).hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
  }

  /** Two clicks in one place within a millisecond, which the browser does not count, as in Safari on iOS. */
  const clickUncounted = (page: Page, names: { way: string; end: string }) =>
    page.evaluate(async ({ way, end }) => {
      const buttonOf = (name: string) =>
        [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);
      const click = () => new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 });
      const [one, two] = [click(), click()];
      Object.defineProperty(two, 'timeStamp', { value: one.timeStamp + 1 });
      buttonOf(way)?.dispatchEvent(one);
      while (!buttonOf(end)) await new Promise(requestAnimationFrame);
      buttonOf(end)?.dispatchEvent(two);
    }, names);

  it('on the way to declining declines nothing', async () => {
    const { fake, signer } = await setUp();
    const { decline, document } = signer.texts;
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.readDocument();
    await signer.toDecline();
    await clickAgain(signer.page, decline.submit);
    // There is no such way while it is being sent.
    await signer.press(document.back);
    await signer.readDocument();
    await clickUncounted(signer.page, { way: document.toDecline, end: decline.submit });
    await signer.press(document.back);
    await signer.readDocument();
    expect(fake.callsOf('/decline')).toEqual([]);
  });

  it('on the way to signing signs nothing, though the consent was given before', async () => {
    const { fake, signer } = await atSigning(await setUp());
    const { sign, document } = signer.texts;
    await signer.agree();
    await signer.press(document.back);
    await signer.readDocument();
    await signer.toSign();
    await clickAgain(signer.page, sign.submit);
    await signer.press(document.back);
    await signer.readDocument();
    await clickUncounted(signer.page, { way: document.toSign, end: sign.submit });
    await signer.press(document.back);
    await signer.readDocument();
    expect(fake.callsOf('/sign')).toEqual([]);
  });
});

describe('sessions', () => {
  it('after a session ended, a new code leads back to everything that was entered', async () => {
    const { fake, signer } = await atSigning(await setUp());
    const { page } = signer;
    await page.getByLabel(signer.texts.sign.name).fill('Aino Maria');
    await signer.draw();
    await signer.agree();
    fake.sessionOpen = false;
    fake.linkStatus.code_expires_at = null;
    await signer.press(signer.texts.sign.submit);
    await signer.seesHeading(signer.texts.code.headingAgain);
    await screenshotState(page, 'phone-en-1-code-again');
    expect(await accessibilityFindings(page)).toEqual([]);
    await signer.press(signer.texts.code.send);
    await signer.enterCode(CODE);
    await signer.seesHeading(signer.texts.sign.heading);
    expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe('Aino Maria');
    await signer.sign();
    expect(fake.signatures[0]).toMatchObject({ name: 'Aino Maria', signature: { type: 'drawn' } });
  });
});

it('a browser that keeps no cookies is said to be the reason why the code is asked for again', async () => {
  const { fake, signer } = await setUp();
  const { page, texts } = signer;
  // The cookie of the session is lost, as where the browser blocks all cookies.
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { value: false }),
  );
  fake.failNext('/document', 'verification_required');
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.seesHeading(texts.code.headingAgain);
  await signer.seesText(texts.code.noCookies);
  expect(await page.getByText(texts.code.sessionEnded).count()).toBe(0);
});

it('a document that has changed is shown again before it is signed', async () => {
  const { fake, signer } = await atSigning(await setUp());
  await signer.agree();
  fake.setDocument(await contractPdf(1));
  await signer.press(signer.texts.sign.submit);
  await signer.seesHeading(signer.texts.document.heading);
  await signer.seesText(signer.texts.document.changed);
  await signer.readDocument();
  await screenshotState(signer.page, 'phone-en-2-document-changed');
  await signer.page.goBack();
  expect(signer.page.url()).toBe('about:blank');
  await signer.page.goForward();
  await signer.readDocument();
  await signer.toSign();
  await signer.sign();
  expect(fake.signatures.map((sent) => sent.document_sha256)).toEqual([fake.view.document.sha256]);
});

it('a consent text that has changed needs a new agreement', async () => {
  const { fake, signer } = await atSigning(await setUp());
  await signer.agree();
  fake.view.consent = { version: '2', locale: 'en', text: 'I agree to the newer words.' };
  await signer.press(signer.texts.sign.submit);
  await signer.seesText(signer.texts.sign.consentChanged);
  await signer.seesText('I agree to the newer words.');
  expect(await signer.page.getByLabel(signer.texts.sign.agree).isChecked()).toBe(false);
  await screenshotState(signer.page, 'phone-en-3-sign-consent-changed');
  await signer.agree();
  await signer.sign();
  expect(fake.signatures[0]?.consent_version).toBe('2');
});

describe('history', () => {
  it('back and forward move between the steps, but not back to signing after the signature', async () => {
    const { fake, signer } = await atSigning(await setUp());
    const { page } = signer;
    await page.goBack();
    await signer.seesHeading(signer.texts.document.heading);
    await page.goForward();
    await signer.seesHeading(signer.texts.sign.heading);
    await signer.agree();
    await signer.sign();
    await page.goBack();
    await signer.seesHeading(signer.texts.done.heading);
    await page.goForward();
    await signer.seesHeading(signer.texts.done.heading);
    expect(fake.signatures).toHaveLength(1);
  });

  it('a reload shows the same step with everything that was entered', async () => {
    const { fake, signer } = await setUp();
    const { page } = signer;
    await signer.open(fake.link);
    await page.reload();
    await signer.enterCode(CODE);
    await signer.readDocument();
    await page.reload();
    await signer.readDocument();
    await signer.toSign();
    await page.getByLabel(signer.texts.sign.name).fill('Aino Maria');
    await page.reload();
    await signer.seesHeading(signer.texts.sign.heading);
    expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe('Aino Maria');
    await page.goBack();
    await signer.toDecline();
    await page.getByLabel(signer.texts.decline.reason).fill('Because');
    await page.reload();
    await signer.seesHeading(signer.texts.decline.heading);
    expect(await page.getByLabel(signer.texts.decline.reason).inputValue()).toBe('Because');
    await page.goBack();
    await signer.toSign();
    await signer.agree();
    await signer.sign();
    await page.reload();
    await signer.seesHeading(signer.texts.done.heading);
  });
});
