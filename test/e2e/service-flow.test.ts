import { sha256Hex } from '../../shared/runtime/hash.ts';
import { LOCALES, type Locale } from '../../shared/texts/languages.ts';
import { first, type Sent } from '../support/signing-stage.ts';
import { accessibilityFindings, DESKTOP, PHONE } from './browser.ts';
import {
  copyLinkIn,
  serviceSetup,
  takeScreenshot,
  toDocument,
  toSigning,
  type Visitor,
} from './service-setup.ts';

/** The page over the whole service: from the mail to the sealed document. */

const setup = serviceSetup();
const TIMEOUT_MS = 120_000;

const inLanguage = (locale: Locale) => ({ locale, title: 'Lease agreement', message: 'As we agreed.' });

/** The download of the last step is the sealed document whose hash is recorded. */
async function downloadsSealedDocument({ signer }: Visitor, { id }: Sent) {
  await signer.seesText(signer.texts.done.sealed);
  const { bytes } = await signer.download(() => signer.press(signer.texts.done.download));
  const { document_hash } = await setup.stage.get(id);
  expect(sha256Hex(bytes)).toBe(document_hash);
  expect(bytes.subarray(0, setup.stage.pdf.length).equals(setup.stage.pdf)).toBe(true);
}

describe('one signer', () => {
  const DEVICES = ['phone', 'desktop', 'desktop', 'phone'] as const;

  it.each(
    LOCALES.map(
      (locale, index) => [locale, DEVICES[index % 4] ?? 'phone', index % 2 ? 'drawn' : 'typed'] as const,
    ),
  )(
    'a signer gets from the mail to the sealed document in %s on a %s with a %s signature',
    async (locale, device, way) => {
      const request = await setup.stage.send(1, inLanguage(locale));
      const visitor = await setup.openMail(
        first(request.signers),
        locale,
        device === 'phone' ? PHONE : DESKTOP,
      );
      const { signer, tab, link, code } = visitor;
      const step = async (name: string) => {
        await takeScreenshot(visitor, `${locale}-${device}-${name}`);
        expect({ name, findings: await accessibilityFindings(tab.page) }).toEqual({ name, findings: [] });
      };
      await signer.open(link);
      await signer.seesHeading(signer.texts.code.heading);
      await step('1-code');
      await signer.enterCode(code);
      await signer.readDocument();
      await step('2-document');
      await signer.toSign();
      if (way === 'drawn') await signer.draw();
      await signer.agree();
      await step('3-sign');
      await signer.sign();
      await signer.seesText(signer.texts.done.sealed);
      await step('4-done');
      await downloadsSealedDocument(visitor, request);
      const { body } = await setup.stage.client.get(`/api/v1/signatures/${request.id}/signers`);
      expect(body.data[0]).toMatchObject({ status: 'signed', locale, name_as_signed: visitor.person.name });
      const [entry] = await setup.stage.trail(request.id, 'signer_signed');
      expect(entry?.details).toMatchObject({ signature_type: way, consent_locale: locale });
      expect(tab.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

it(
  'a signer gets from the mail to the own copy with one click and no second code',
  async () => {
    const request = await setup.stage.send(1, inLanguage('en'));
    const person = first(request.signers);
    await setup.stage.sign(person);
    await setup.stage.untilStatus(request.id, 'signed');
    const { text } = await setup.stage.untilMail(person.email, /sealed/);
    // In a browser that has never seen the signing page.
    const { signer, tab } = await setup.openMail(person);
    const mailsBefore = setup.stage.service.mails(person.email).length;
    const { name, bytes } = await signer.download(() => signer.open(copyLinkIn(text)));
    expect(name).toMatch(/-signed\.pdf$/);
    expect(sha256Hex(bytes)).toBe((await setup.stage.get(request.id)).document_hash);
    const evidence = await signer.download(() => signer.press(signer.texts.done.downloadEvidence));
    expect(sha256Hex(evidence.bytes)).toBe(
      sha256Hex((await setup.stage.client.get(`/api/v1/signatures/${request.id}/evidence.pdf`)).bytes),
    );
    expect(setup.stage.service.mails(person.email)).toHaveLength(mailsBefore);
    expect(tab.errors).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'three signers with different languages and devices get one sealed document',
  async () => {
    const request = await setup.stage.send(3, {
      signers: LOCALES.slice(1, 4).map((locale) => ({
        email: `${locale}@three.example`,
        name: `Name ${locale}`,
        locale,
      })),
    });
    const visitors: Visitor[] = [];
    for (const [index, person] of request.signers.entries()) {
      const visitor = await setup.openMail(person, LOCALES[index + 1] ?? 'en', index % 2 ? DESKTOP : PHONE);
      const { signer } = visitor;
      await toSigning(visitor);
      await signer.agree();
      await signer.sign();
      const left = 2 - index;
      if (left > 0) await signer.seesText(signer.texts.done.waiting(left));
      await takeScreenshot(visitor, `three-${index + 1}-done`);
      visitors.push(visitor);
    }
    for (const visitor of visitors) {
      await visitor.tab.page.reload();
      await downloadsSealedDocument(visitor, request);
    }
    await setup.stage.untilTold(request.id, 'signature_request.completed');
    await setup.stage.untilTold(request.id, 'signer.signed', 3);
  },
  TIMEOUT_MS,
);

it(
  'the signing link leads to the sealed document after the sealing too, with a new code',
  async () => {
    const request = await setup.stage.send();
    const person = first(request.signers);
    await setup.stage.sign(person);
    // Later mails than this one contain the code.
    await setup.stage.untilMail(person.email, /sealed/);
    // A new browser context has no session.
    const visitor = await setup.openMail(person);
    const { signer } = visitor;
    await signer.open(person.sign_url);
    await signer.seesHeading(signer.texts.code.headingSigned);
    await takeScreenshot(visitor, 'later-1-code');
    await signer.press(signer.texts.code.send);
    await signer.seesText(signer.texts.code.sent);
    await signer.enterCode(setup.newestMail(person).code);
    await signer.seesHeading(signer.texts.done.heading);
    await downloadsSealedDocument(visitor, request);
    await takeScreenshot(visitor, 'later-4-done');
  },
  TIMEOUT_MS,
);

it(
  'a reload shows the same step with everything that was entered',
  async () => {
    const request = await setup.stage.send();
    const visitor = await setup.openMail(first(request.signers));
    const { signer, tab, link, code } = visitor;
    const { page } = tab;
    await signer.open(link);
    await page.reload();
    await signer.enterCode(code);
    await signer.readDocument();
    await page.reload();
    await signer.readDocument();
    await signer.toSign();
    await page.getByLabel(signer.texts.sign.name).fill('Aino Maria');
    await signer.draw();
    await page.reload();
    await signer.seesHeading(signer.texts.sign.heading);
    expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe('Aino Maria');
    await signer.agree();
    await signer.sign();
    await page.reload();
    await signer.seesHeading(signer.texts.done.heading);
    await downloadsSealedDocument(visitor, request);
    const [entry] = await setup.stage.trail(request.id, 'signer_signed');
    expect(entry?.details).toMatchObject({ name: 'Aino Maria', signature_type: 'drawn' });
    // Several reloads count as one opening.
    expect(await setup.stage.trail(request.id, 'link_opened')).toHaveLength(1);
  },
  TIMEOUT_MS,
);

it(
  'back and forward move between the steps, but not back to signing after the signature',
  async () => {
    const request = await setup.stage.send(2);
    const visitor = await setup.openMail(first(request.signers), 'en', DESKTOP);
    const { signer, tab } = visitor;
    await toSigning(visitor);
    await tab.page.goBack();
    await signer.seesHeading(signer.texts.document.heading);
    await tab.page.goForward();
    await signer.seesHeading(signer.texts.sign.heading);
    await signer.agree();
    await signer.sign();
    for (const move of ['goBack', 'goForward'] as const) {
      await tab.page[move]();
      await signer.seesHeading(signer.texts.done.heading);
    }
    expect(await setup.stage.trail(request.id, 'signer_signed')).toHaveLength(1);
  },
  TIMEOUT_MS,
);

it(
  'two signers who sign at the same moment cause one seal and one completion event',
  async () => {
    const request = await setup.stage.send(2);
    const visitors: Visitor[] = [];
    for (const person of request.signers) {
      const visitor = await setup.openMail(person);
      await toSigning(visitor);
      await visitor.signer.agree();
      visitors.push(visitor);
    }
    await Promise.all(visitors.map(({ signer }) => signer.sign()));
    for (const visitor of visitors) {
      await visitor.tab.page.reload();
      await downloadsSealedDocument(visitor, request);
    }
    await setup.stage.untilTold(request.id, 'signer.signed', 2);
    await setup.stage.untilTold(request.id, 'signature_request.completed');
    for (const type of ['seal_queued', 'document_sealed'])
      expect([type, (await setup.stage.trail(request.id, type)).length]).toEqual([type, 1]);
  },
  TIMEOUT_MS,
);

it(
  'a double click followed by Enter signs once',
  async () => {
    const request = await setup.stage.send();
    const visitor = await setup.openMail(first(request.signers));
    const { signer, tab } = visitor;
    await toDocument(visitor);
    await signer.toSign();
    await signer.agree();
    let calls = 0;
    tab.page.on('request', (sent) => {
      if (sent.url().endsWith('/sign') && sent.method() === 'POST') calls += 1;
    });
    const button = tab.page.locator('button[type=submit]');
    await button.dblclick({ noWaitAfter: true });
    await tab.page.keyboard.press('Enter');
    await signer.seesHeading(signer.texts.done.heading);
    await setup.stage.untilStatus(request.id, 'signed');
    expect(calls).toBe(1);
    expect(await setup.stage.trail(request.id, 'signer_signed')).toHaveLength(1);
    await setup.stage.untilTold(request.id, 'signer.signed');
  },
  TIMEOUT_MS,
);
