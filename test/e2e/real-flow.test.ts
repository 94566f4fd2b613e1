import { LOCALES, type Locale } from '../../shared/contract/fields.ts';
import { sha256Hex } from '../../shared/store/keys.ts';
import { first, type Sent } from '../support/signing-stage.ts';
import { axeFindings, DESKTOP, PHONE } from './browser.ts';
import { look, realStage, toDocument, toSigning, type Visitor } from './real-stage.ts';

/** From the mail in the inbox to the sealed document, over the whole service. */

const at = realStage();
const LONG = 120_000;

const inLanguage = (locale: Locale) => ({ locale, title: 'Lease agreement', message: 'As we agreed.' });

/** The copy that the done page hands over is the sealed document whose hash is recorded. */
async function takesTheSealedCopy({ signer }: Visitor, { id }: Sent) {
  await signer.seesText(signer.texts.done.sealed);
  const { bytes } = await signer.download(() => signer.press(signer.texts.done.download));
  const { document_hash } = await at.stage.get(id);
  expect(sha256Hex(bytes)).toBe(document_hash);
  expect(bytes.subarray(0, at.stage.pdf.length).equals(at.stage.pdf)).toBe(true);
}

describe('one signer, from the inbox to the sealed document', () => {
  it.each([
    ['en', 'phone', 'typed'],
    ['fi', 'desktop', 'drawn'],
    ['fr', 'desktop', 'typed'],
    ['de', 'phone', 'drawn'],
  ] as const)(
    'in %s on a %s with a %s signature, each step free of findings',
    async (locale, device, way) => {
      const request = await at.stage.send(1, inLanguage(locale));
      const visitor = await at.receive(first(request.signers), locale, device === 'phone' ? PHONE : DESKTOP);
      const { signer, visit, link, code } = visitor;
      const step = async (name: string) => {
        await look(visitor, `${locale}-${device}-${name}`);
        expect({ name, findings: await axeFindings(visit.page) }).toEqual({ name, findings: [] });
      };
      await signer.open(link);
      await signer.sees(signer.texts.code.heading);
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
      await takesTheSealedCopy(visitor, request);
      const { body } = await at.stage.client.get(`/api/v1/signatures/${request.id}/signers`);
      expect(body.data[0]).toMatchObject({ status: 'signed', locale, name_as_signed: visitor.person.name });
      const [entry] = await at.stage.trail(request.id, 'signer_signed');
      expect(entry?.details).toMatchObject({ signature_type: way, consent_locale: locale });
      expect(visit.complaints).toEqual([]);
    },
    LONG,
  );
});

it(
  'three signers, each in a language and on a device of their own, get one sealed document',
  async () => {
    const request = await at.stage.send(3, {
      signers: LOCALES.slice(1).map((locale) => ({
        email: `${locale}@three.example`,
        name: `Name ${locale}`,
        locale,
      })),
    });
    const visitors: Visitor[] = [];
    for (const [index, person] of request.signers.entries()) {
      const visitor = await at.receive(person, LOCALES[index + 1] ?? 'en', index % 2 ? DESKTOP : PHONE);
      const { signer } = visitor;
      await toSigning(visitor);
      await signer.agree();
      await signer.sign();
      const left = 2 - index;
      if (left > 0) await signer.seesText(signer.texts.done.waiting(left));
      await look(visitor, `three-${index + 1}-done`);
      visitors.push(visitor);
    }
    for (const visitor of visitors) {
      // Those who signed first come back to the tab, or load it again.
      await visitor.visit.page.reload();
      await takesTheSealedCopy(visitor, request);
    }
    await at.stage.untilTold(request.id, 'signature_request.completed');
    await at.stage.untilTold(request.id, 'signer.signed', 3);
  },
  LONG,
);

it(
  'the mail after the sealing leads, with a fresh code, to the sealed document',
  async () => {
    const request = await at.stage.send();
    const person = first(request.signers);
    await at.stage.sign(person);
    const mail = await at.stage.untilMail(person.email, /sealed/);
    // Another device, which has no session.
    const visitor = await at.receive(person);
    const { signer } = visitor;
    expect(mail.text).toContain(visitor.link);
    await signer.open(visitor.link);
    await signer.sees(signer.texts.code.headingSigned);
    await look(visitor, 'later-1-code');
    await signer.press(signer.texts.code.send);
    await signer.seesText(signer.texts.code.sent);
    await signer.enterCode(at.mailTo(person).code);
    await signer.sees(signer.texts.done.heading);
    await takesTheSealedCopy(visitor, request);
    await look(visitor, 'later-4-done');
  },
  LONG,
);

it(
  'each step is where it was after a reload, with what was entered',
  async () => {
    const request = await at.stage.send();
    const visitor = await at.receive(first(request.signers));
    const { signer, visit, link, code } = visitor;
    const { page } = visit;
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
    await signer.sees(signer.texts.sign.heading);
    expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe('Aino Maria');
    await signer.agree();
    await signer.sign();
    await page.reload();
    await signer.sees(signer.texts.done.heading);
    await takesTheSealedCopy(visitor, request);
    const [entry] = await at.stage.trail(request.id, 'signer_signed');
    expect(entry?.details).toMatchObject({ name: 'Aino Maria', signature_type: 'drawn' });
    // Reloads, and one opening.
    expect(await at.stage.trail(request.id, 'link_opened')).toHaveLength(1);
  },
  LONG,
);

it(
  'back and forward move between the steps, and never behind the signature',
  async () => {
    const request = await at.stage.send(2);
    const visitor = await at.receive(first(request.signers), 'en', DESKTOP);
    const { signer, visit } = visitor;
    await toSigning(visitor);
    await visit.page.goBack();
    await signer.sees(signer.texts.document.heading);
    await visit.page.goForward();
    await signer.sees(signer.texts.sign.heading);
    await signer.agree();
    await signer.sign();
    for (const move of ['goBack', 'goForward'] as const) {
      await visit.page[move]();
      await signer.sees(signer.texts.done.heading);
    }
    expect(await at.stage.trail(request.id, 'signer_signed')).toHaveLength(1);
  },
  LONG,
);

it(
  'two signers who finish at the same moment get one seal and one completion',
  async () => {
    const request = await at.stage.send(2);
    const visitors: Visitor[] = [];
    for (const person of request.signers) {
      const visitor = await at.receive(person);
      await toSigning(visitor);
      await visitor.signer.agree();
      visitors.push(visitor);
    }
    await Promise.all(visitors.map(({ signer }) => signer.sign()));
    for (const visitor of visitors) {
      await visitor.visit.page.reload();
      await takesTheSealedCopy(visitor, request);
    }
    await at.stage.untilTold(request.id, 'signer.signed', 2);
    await at.stage.untilTold(request.id, 'signature_request.completed');
    for (const type of ['seal_queued', 'document_sealed'])
      expect([type, (await at.stage.trail(request.id, type)).length]).toEqual([type, 1]);
  },
  LONG,
);

it(
  'pressing twice, and Enter besides, signs once',
  async () => {
    const request = await at.stage.send();
    const visitor = await at.receive(first(request.signers));
    const { signer, visit } = visitor;
    await toDocument(visitor);
    await signer.toSign();
    await signer.agree();
    let calls = 0;
    visit.page.on('request', (sent) => {
      if (sent.url().endsWith('/sign') && sent.method() === 'POST') calls += 1;
    });
    const button = visit.page.locator('button[type=submit]');
    await button.dblclick({ noWaitAfter: true });
    await visit.page.keyboard.press('Enter');
    await signer.sees(signer.texts.done.heading);
    await at.stage.untilStatus(request.id, 'signed');
    expect(calls).toBe(1);
    expect(await at.stage.trail(request.id, 'signer_signed')).toHaveLength(1);
    await at.stage.untilTold(request.id, 'signer.signed');
  },
  LONG,
);
