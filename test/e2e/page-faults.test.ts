import { CODE } from '../support/fake-signer-api.ts';
import { axeFindings, picture } from './browser.ts';
import { type Scene, stage } from './page-stage.ts';
import { contractPdf } from './pdfs.ts';

const enter = stage();

async function atSigning(scene: Scene) {
  const { fake, signer } = scene;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.toSign();
  return scene;
}

describe('a link that is dead', () => {
  it.each(['not_found', 'link_expired', 'link_cancelled', 'link_declined', 'link_invalidated'] as const)(
    'says so when it is opened: %s',
    async (reason) => {
      const { fake, signer } = await enter();
      fake.refuse('/open', reason);
      await signer.open(fake.link);
      await signer.sees(signer.texts.ended[reason].heading);
      await picture(signer.page, `phone-en-5-${reason}`);
      expect(await axeFindings(signer.page)).toEqual([]);
    },
  );

  it.each([
    ['/sign', 'link_cancelled'],
    ['/sign', 'request_not_active'],
    ['/decline', 'link_invalidated'],
    ['/verify', 'link_expired'],
    ['/document', 'link_cancelled'],
  ] as const)('says so when it dies while the page is open: %s answers %s', async (path, reason) => {
    const { fake, signer } = await enter();
    fake.refuse(path, reason);
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
    await signer.sees(signer.texts.ended[reason].heading);
    await signer.page.goBack().catch(() => null);
  });
});

describe('codes', () => {
  it('lock the link after five wrong ones, and open it again after a while', async () => {
    const { fake, signer } = await enter();
    await signer.open(fake.link);
    for (const left of [4, 3, 2, 1]) {
      await signer.enterCode('000000');
      await signer.seesText(signer.texts.code.wrong(left));
    }
    await signer.enterCode('000000');
    await signer.sees(signer.texts.code.lockedHeading);
    await picture(signer.page, 'phone-en-1-code-locked');
    expect(await axeFindings(signer.page)).toEqual([]);
    fake.standing = { ...fake.standing, locked_until: null, attempts_left: 5 };
    await signer.press(signer.texts.code.lockedCheck);
    await signer.press(signer.texts.code.send);
    await signer.enterCode(CODE);
    await signer.readDocument();
  });

  it.each([
    ['/verify', 'code_expired', 'expired'],
    ['/code', 'email_failed', 'emailFailed'],
  ] as const)('say what is the matter: %s answers %s', async (path, error, words) => {
    const { fake, signer } = await enter();
    fake.refuse(path, error);
    await signer.open(fake.link);
    if (path === '/verify') await signer.enterCode(CODE);
    else await signer.press(signer.texts.code.sendAgain);
    await signer.seesText(signer.texts.code[words]);
    await picture(signer.page, `phone-en-1-code-${error}`);
    expect(await axeFindings(signer.page)).toEqual([]);
  });

  it('wait when too many were asked for', async () => {
    const { fake, signer } = await enter();
    fake.refuse('/code', 'too_many_codes', {}, { 'retry-after': '600' });
    await signer.open(fake.link);
    await signer.press(signer.texts.code.sendAgain);
    await signer.page.getByText(/You can ask for another code at \d\d:\d\d/).waitFor();
    expect(await signer.page.getByRole('button', { name: signer.texts.code.sendAgain }).isDisabled()).toBe(
      true,
    );
    await picture(signer.page, 'phone-en-1-code-too-many');
  });

  it('that are no six digits cost no try', async () => {
    const { fake, signer } = await enter();
    await signer.open(fake.link);
    await signer.enterCode('12');
    await signer.seesText(signer.texts.code.format);
    expect(fake.callsOf('/verify')).toEqual([]);
  });
});

describe('a lost connection', () => {
  it('at signing is said at once and mended, with one signature and nothing lost', async () => {
    const { fake, signer, visit } = await atSigning(await enter());
    await signer.agree();
    fake.drop('/sign', 2);
    await signer.press(signer.texts.sign.submit);
    await signer.seesText(signer.texts.connection.lost);
    await picture(visit.page, 'phone-en-3-sign-offline');
    expect(await axeFindings(visit.page)).toEqual([]);
    await signer.sees(signer.texts.done.heading);
    expect(fake.signatures).toHaveLength(1);
    await visit.page.getByText(signer.texts.connection.lost).waitFor({ state: 'detached' });
  });

  it('is tried again at once when the signer asks for it', async () => {
    const { fake, signer } = await enter();
    fake.drop('/document', 3);
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText(signer.texts.connection.lost);
    for (let i = 0; i < 3; i++) {
      const before = fake.callsOf('/document').length;
      await signer.press(signer.texts.connection.tryNow);
      while (fake.callsOf('/document').length === before) await signer.page.waitForTimeout(20);
    }
    await signer.readDocument();
  });

  it('at the code is said, and the code is not sent twice behind the signer’s back', async () => {
    const { fake, signer } = await enter();
    fake.drop('/verify');
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText(signer.texts.code.lost);
    expect(await signer.codeField.inputValue()).toBe(CODE);
    expect(fake.callsOf('/verify')).toHaveLength(1);
    await signer.press(signer.texts.code.submit);
    await signer.readDocument();
  });

  it('before the page could open shows as soon as it can', async () => {
    const { fake, signer } = await enter();
    fake.drop('/open', 2);
    await signer.page.goto(fake.link);
    await signer.seesText(signer.texts.connection.lost);
    await picture(signer.page, 'phone-en-0-opening-offline');
    await signer.sees(signer.texts.code.heading);
  });
});

describe('a fault of the service', () => {
  it('at opening leaves a page that can be tried again', async () => {
    const { fake, signer } = await enter();
    fake.answer('/open', { status: 500, body: { nothing: 'of ours' } });
    await signer.open(fake.link);
    await signer.sees(signer.texts.trouble.heading);
    await picture(signer.page, 'phone-en-0-trouble');
    await signer.press(signer.texts.trouble.again);
    await signer.sees(signer.texts.code.heading);
  });

  it('at signing keeps everything for another try', async () => {
    const { fake, signer } = await atSigning(await enter());
    await signer.page.getByLabel(signer.texts.sign.name).fill('Aino V.');
    await signer.agree();
    fake.answer('/sign', { status: 500, body: {} });
    await signer.press(signer.texts.sign.submit);
    await signer.seesText(signer.texts.trouble.inline);
    await picture(signer.page, 'phone-en-3-sign-fault');
    await signer.sign();
    expect(fake.signatures[0]?.name).toBe('Aino V.');
  });
});

describe('pressing twice', () => {
  it('signs once', async () => {
    const { fake, signer } = await atSigning(await enter());
    await signer.agree();
    const release = fake.hold('/sign');
    const button = signer.page.locator('button[type=submit]');
    await button.click();
    await signer.seesText(signer.texts.sign.submitting);
    await picture(signer.page, 'phone-en-3-sign-busy');
    await button.click({ force: true });
    await button.press('Enter');
    release();
    await signer.sees(signer.texts.done.heading);
    expect(fake.callsOf('/sign')).toHaveLength(1);
  });

  it('sends one code and checks one code', async () => {
    const { fake, signer } = await enter();
    await signer.open(fake.link);
    await signer.page.getByRole('button', { name: signer.texts.code.sendAgain }).dblclick();
    await signer.seesText(signer.texts.code.sent);
    await signer.codeField.fill(CODE);
    await signer.page.getByRole('button', { name: signer.texts.code.submit }).dblclick();
    await signer.readDocument();
    expect([fake.callsOf('/code').length, fake.callsOf('/verify').length]).toEqual([1, 1]);
  });
});

describe('a session that ends', () => {
  it('asks for a code and leads back with everything that was entered', async () => {
    const { fake, signer } = await atSigning(await enter());
    const { page } = signer;
    await page.getByLabel(signer.texts.sign.name).fill('Aino Maria');
    await signer.draw();
    await signer.agree();
    fake.sessionOpen = false;
    fake.standing.code_expires_at = null;
    await signer.press(signer.texts.sign.submit);
    await signer.sees(signer.texts.code.headingAgain);
    await picture(page, 'phone-en-1-code-again');
    expect(await axeFindings(page)).toEqual([]);
    await signer.press(signer.texts.code.send);
    await signer.enterCode(CODE);
    await signer.sees(signer.texts.sign.heading);
    expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe('Aino Maria');
    await signer.sign();
    expect(fake.signatures[0]).toMatchObject({ name: 'Aino Maria', signature: { type: 'drawn' } });
  });
});

it('shows the document again when the one on the screen is not the current one', async () => {
  const { fake, signer } = await atSigning(await enter());
  await signer.agree();
  fake.show(await contractPdf(1));
  await signer.press(signer.texts.sign.submit);
  await signer.sees(signer.texts.document.heading);
  await signer.seesText(signer.texts.document.changed);
  await signer.readDocument();
  await picture(signer.page, 'phone-en-2-document-changed');
  await signer.toSign();
  await signer.sign();
  expect(fake.signatures.map((sent) => sent.document_sha256)).toEqual([fake.view.document.sha256]);
});

it('asks for the agreement again when its text has changed', async () => {
  const { fake, signer } = await atSigning(await enter());
  await signer.agree();
  fake.view.consent = { version: '2', locale: 'en', text: 'I agree to the newer words.' };
  await signer.press(signer.texts.sign.submit);
  await signer.seesText(signer.texts.sign.consentChanged);
  await signer.seesText('I agree to the newer words.');
  expect(await signer.page.getByLabel(signer.texts.sign.agree).isChecked()).toBe(false);
  await picture(signer.page, 'phone-en-3-sign-consent-changed');
  await signer.agree();
  await signer.sign();
  expect(fake.signatures[0]?.consent_version).toBe('2');
});

describe('back, forward and reload', () => {
  it('move between the steps and never behind the signature', async () => {
    const { fake, signer } = await atSigning(await enter());
    const { page } = signer;
    await page.goBack();
    await signer.sees(signer.texts.document.heading);
    await page.goForward();
    await signer.sees(signer.texts.sign.heading);
    await signer.agree();
    await signer.sign();
    await page.goBack();
    await signer.sees(signer.texts.done.heading);
    await page.goForward();
    await signer.sees(signer.texts.done.heading);
    expect(fake.signatures).toHaveLength(1);
  });

  it('show each step again where it was', async () => {
    const { fake, signer } = await enter();
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
    await signer.sees(signer.texts.sign.heading);
    expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe('Aino Maria');
    await page.goBack();
    await signer.toDecline();
    await page.getByLabel(signer.texts.decline.reason).fill('Because');
    await page.reload();
    await signer.sees(signer.texts.decline.heading);
    expect(await page.getByLabel(signer.texts.decline.reason).inputValue()).toBe('Because');
    await page.goBack();
    await signer.toSign();
    await signer.agree();
    await signer.sign();
    await page.reload();
    await signer.sees(signer.texts.done.heading);
  });
});
