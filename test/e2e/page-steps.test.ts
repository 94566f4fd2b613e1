import { LOCALES } from '../../shared/contract/fields.ts';
import { CODE } from '../support/fake-signer-api.ts';
import { axeFindings, DESKTOP, PHONE, picture, SMALL_PHONE } from './browser.ts';
import { type Scene, stage } from './page-stage.ts';

const enter = stage();

/** Each step is pictured, and looked at by axe. */
async function walk({ fake, signer, visit }: Scene, name: string) {
  const { page, complaints } = visit;
  const look = async (step: string) => {
    await picture(page, `${name}-${step}`, true);
    expect({ step, findings: await axeFindings(page) }).toEqual({ step, findings: [] });
  };
  fake.view.others = { total: 2, signed: 1 };
  await signer.open(fake.link);
  await look('1-code');
  await signer.enterCode('000000');
  await signer.seesText(signer.texts.code.wrong(4));
  await look('1-code-wrong');
  await signer.enterCode(CODE);
  await signer.readDocument();
  await picture(page, `${name}-2-document-first-view`);
  await look('2-document');
  await signer.toDecline();
  await look('3-decline');
  await signer.press(signer.texts.document.back);
  await signer.readDocument();
  await signer.toSign();
  await look('3-sign');
  await page.getByLabel(signer.texts.sign.forEntity).check();
  await signer.draw();
  await signer.press(signer.texts.sign.submit);
  await signer.seesText(signer.texts.sign.entityMissing);
  await look('3-sign-errors');
  await page.getByLabel(signer.texts.sign.forSelf).check();
  await signer.agree();
  await signer.sign();
  await look('4-done');
  expect(complaints).toEqual([]);
}

describe('every step, looked at and free of findings', () => {
  it.each(LOCALES)('on a phone in %s', async (locale) => {
    const scene = await enter(PHONE, locale);
    scene.fake.standing.locale = locale;
    await walk(scene, `phone-${locale}`);
  });

  it('on the smallest phone', async () => walk(await enter(SMALL_PHONE), 'small'));
  it('on a desk', async () => walk(await enter(DESKTOP), 'desktop'));
  it('in the dark', async () => walk(await enter({ ...PHONE, colorScheme: 'dark' }), 'dark'));
  it('in the dark on a desk', async () =>
    walk(await enter({ ...DESKTOP, colorScheme: 'dark' }), 'dark-desktop'));
  it('with forced colours', async () =>
    walk(await enter({ ...DESKTOP, forcedColors: 'active' }), 'forced-colours'));
});

describe('what is signed', () => {
  it('is the document shown, the consent shown and the name confirmed, with a typed signature', async () => {
    const { fake, signer } = await enter();
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

  it('is corrected, drawn, and for an organization, where the signer says so', async () => {
    const { fake, signer } = await enter();
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
    // Cut to its ink: wider than high, and not the empty pad.
    expect(picture.readUInt32BE(16)).toBeGreaterThan(500);
    expect(picture.readUInt32BE(20)).toBeLessThan(400);
  });
});

it('takes a code that is pasted with blanks', async () => {
  const { fake, signer } = await enter();
  await signer.open(fake.link);
  expect(await signer.codeField.getAttribute('autocomplete')).toBe('one-time-code');
  expect(await signer.codeField.getAttribute('inputmode')).toBe('numeric');
  await signer.enterCode(' 246 810 ');
  await signer.readDocument();
});

it('shows nothing of the document, its sender or the signer before the code', async () => {
  const { fake, signer } = await enter();
  await signer.open(fake.link);
  const shown = await signer.page.locator('html').innerHTML();
  for (const secret of ['Lease', 'Kotilinna', 'Aino', 'example.com']) expect(shown).not.toContain(secret);
});

it('asks for a code to be sent where there is none, and counts down to the next', async () => {
  const { fake, signer } = await enter();
  fake.standing.code_expires_at = null;
  await signer.open(fake.link);
  await picture(signer.page, 'phone-en-1-code-none');
  await signer.press(signer.texts.code.send);
  await signer.seesText(signer.texts.code.sent);
  const again = signer.page.getByRole('button', { name: /New code possible in \d+ s/ });
  await again.waitFor();
  expect(await again.isDisabled()).toBe(true);
  await picture(signer.page, 'phone-en-1-code-sent');
  expect(await axeFindings(signer.page)).toEqual([]);
  await signer.enterCode(CODE);
  await signer.readDocument();
});

it('marks a test on every step after the code', async () => {
  const { fake, signer } = await enter();
  fake.view.request.test = true;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.seesText(signer.texts.test);
  await picture(signer.page, 'phone-en-2-document-test');
  await signer.toSign();
  await signer.seesText(signer.texts.test);
  await signer.agree();
  await signer.sign();
  await signer.seesText(signer.texts.test);
});

it('changes the language on the way, and keeps it and everything entered', async () => {
  const { fake, signer } = await enter();
  const { page } = signer;
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.toSign();
  await page.getByLabel(signer.texts.sign.name).fill('Aino V.');
  await page.getByLabel(signer.texts.language).selectOption('fi');
  await page.getByRole('heading', { level: 1, name: 'Allekirjoita', exact: true }).waitFor();
  expect(await page.getByLabel('Koko nimesi').inputValue()).toBe('Aino V.');
  expect(await page.locator('html').getAttribute('lang')).toBe('fi');
  // The words agreed to stay the ones that the service sent, and say in which language they are.
  expect(await page.locator('#consent-text').getAttribute('lang')).toBe('en');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Allekirjoita', exact: true }).waitFor();
});

describe('after signing', () => {
  it('follows the sealing and hands over the sealed document', async () => {
    const { fake, signer } = await enter();
    await signer.signAll(fake.link, CODE);
    await signer.seesText(signer.texts.done.sealing);
    await picture(signer.page, 'phone-en-4-done-sealing');
    fake.view.request.status = 'signed';
    await signer.seesText(signer.texts.done.sealed);
    await picture(signer.page, 'phone-en-4-done-sealed');
    expect(await axeFindings(signer.page)).toEqual([]);
    const copy = await signer.download(() => signer.press(signer.texts.done.download));
    expect(copy).toEqual({ name: 'Lease agreement.pdf', bytes: Buffer.from(fake.sealed) });
  });

  it('opens with a code for one who comes back later, and says when the copy is gone', async () => {
    const { fake, signer } = await enter();
    fake.standing = { ...fake.standing, signer_status: 'signed', code_expires_at: null };
    fake.view.signer.status = 'signed';
    fake.view.request.status = 'signed';
    await signer.open(fake.link);
    await signer.sees(signer.texts.code.headingSigned);
    await picture(signer.page, 'phone-en-1-code-signed');
    await signer.press(signer.texts.code.send);
    await signer.enterCode(CODE);
    await signer.sees(signer.texts.done.heading);
    fake.refuse('/sealed-document', 'document_purged', { purged_at: '2026-11-20T10:00:00.000Z' });
    await signer.press(signer.texts.done.download);
    await signer.seesText('20 November 2026');
    await picture(signer.page, 'phone-en-4-done-purged');
  });

  it.each([
    ['stamp_failed', 'sealLate'],
    ['declined', 'endedEarly'],
  ] as const)('says how it stands when the request is %s', async (status, words) => {
    const { fake, signer } = await enter();
    fake.view.signer.status = 'signed';
    fake.view.request.status = status;
    await signer.open(fake.link);
    await signer.enterCode(CODE);
    await signer.seesText(signer.texts.done[words]);
    await picture(signer.page, `phone-en-4-done-${status}`);
  });
});

it('declines with a reason, and ends', async () => {
  const { fake, signer } = await enter();
  await signer.open(fake.link);
  await signer.enterCode(CODE);
  await signer.readDocument();
  await signer.toDecline();
  await signer.page.getByLabel(signer.texts.decline.reason).fill('The rent is not the agreed one.');
  await signer.press(signer.texts.decline.submit);
  await signer.sees(signer.texts.ended.link_declined.heading);
  await picture(signer.page, 'phone-en-5-declined');
  expect(await axeFindings(signer.page)).toEqual([]);
  expect(fake.callsOf('/decline')).toEqual([
    { path: '/decline', body: { reason: 'The rent is not the agreed one.' } },
  ]);
});
