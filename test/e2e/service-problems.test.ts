import { DAY } from '../../shared/runtime/time.ts';
import { first, wrongCode } from '../support/signing-stage.ts';
import { accessibilityFindings, DESKTOP, PHONE, SMALL_PHONE } from './browser.ts';
import { serviceSetup, takeScreenshot, toDocument, toSigning, type Visitor } from './service-setup.ts';

/** Problems during signing, over the whole service. */

const setup = serviceSetup();
const TIMEOUT_MS = 120_000;

/** The page says why the link has ended, without accessibility findings, and again after a reload. */
async function expectEnded(
  visitor: Visitor,
  reason: keyof Visitor['signer']['texts']['ended'],
  name: string,
) {
  const { signer, tab } = visitor;
  await signer.seesHeading(signer.texts.ended[reason].heading);
  await takeScreenshot(visitor, name);
  expect(await accessibilityFindings(tab.page)).toEqual([]);
  await tab.page.reload();
  await signer.seesHeading(signer.texts.ended[reason].heading);
  expect(tab.errors).toEqual([]);
}

it(
  'when one signer declines with a reason, the request ends for the other',
  async () => {
    const request = await setup.stage.send(2);
    const [one, two] = request.signers;
    if (!one || !two) throw new Error('Two signers were asked for.');
    const [declining, other] = [await setup.openMail(one), await setup.openMail(two, 'en', DESKTOP)];
    await toSigning(other);
    await toDocument(declining);
    const { signer, tab } = declining;
    await signer.toDecline();
    const reason = 'The rent is not <b>the agreed one</b>.';
    await tab.page.getByLabel(signer.texts.decline.reason).fill(reason);
    await takeScreenshot(declining, 'decline-3');
    expect(await accessibilityFindings(tab.page)).toEqual([]);
    // A double click declines once.
    await tab.page.getByRole('button', { name: signer.texts.decline.submit }).dblclick();
    await expectEnded(declining, 'link_declined', 'decline-5');
    await other.signer.agree();
    await other.signer.press(other.signer.texts.sign.submit);
    await expectEnded(other, 'link_invalidated', 'decline-5-other');
    const [told] = await setup.stage.untilTold(request.id, 'signature_request.declined');
    expect(told).toMatchObject({ decline_reason: reason, signer_email: one.email });
    expect(await setup.stage.statuses(request.id)).toEqual(['declined', 'invalidated']);
  },
  TIMEOUT_MS,
);

it(
  'a signer learns at the next step that the request was cancelled, and nothing is signed',
  async () => {
    const request = await setup.stage.send();
    const visitor = await setup.openMail(first(request.signers));
    await toSigning(visitor);
    await visitor.signer.agree();
    expect((await setup.stage.cancel(request.id)).status).toBe(200);
    await visitor.signer.press(visitor.signer.texts.sign.submit);
    await expectEnded(visitor, 'link_cancelled', 'cancelled-5');
    expect(await setup.stage.trail(request.id, 'signer_signed')).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'a signer who comes back to the tab learns that the request was cancelled',
  async () => {
    const request = await setup.stage.send();
    const visitor = await setup.openMail(first(request.signers));
    await toDocument(visitor);
    await setup.stage.cancel(request.id);
    await visitor.tab.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await visitor.signer.seesHeading(visitor.signer.texts.ended.link_cancelled.heading);
  },
  TIMEOUT_MS,
);

it(
  'five wrong codes lock the link, and a resend by the sender unlocks it',
  async () => {
    const request = await setup.stage.send();
    const person = first(request.signers);
    const visitor = await setup.openMail(person, 'en', SMALL_PHONE);
    const { signer, tab, link, code } = visitor;
    await signer.open(link);
    for (const left of [4, 3, 2, 1]) {
      await signer.enterCode(wrongCode(code));
      await signer.seesText(signer.texts.code.wrong(left));
    }
    await takeScreenshot(visitor, 'locked-1-last-try');
    await signer.enterCode(wrongCode(code));
    await signer.seesHeading(signer.texts.code.lockedHeading);
    await takeScreenshot(visitor, 'locked-1');
    expect(await accessibilityFindings(tab.page)).toEqual([]);
    await tab.page.reload();
    await signer.seesHeading(signer.texts.code.lockedHeading);
    expect((await setup.stage.resend(request.id, person.id)).status).toBe(200);
    await signer.press(signer.texts.code.lockedCheck);
    await signer.seesHeading(signer.texts.code.heading);
    await signer.enterCode(setup.newestMail(person).code);
    await signer.readDocument();
    expect(tab.errors).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'a new code replaces the one in the invitation',
  async () => {
    const person = first((await setup.stage.send()).signers);
    const visitor = await setup.openMail(person);
    const { signer, tab, link } = visitor;
    await signer.open(link);
    await signer.press(signer.texts.code.sendAgain);
    await signer.seesText(signer.texts.code.sent);
    const again = tab.page.getByRole('button', { name: /ask for a new code in \d\d? s/ });
    expect(await again.isDisabled()).toBe(true);
    await takeScreenshot(visitor, 'new-code-1');
    expect(setup.stage.service.mails(person.email)).toHaveLength(2);
    await signer.enterCode(setup.newestMail(person).code);
    await signer.readDocument();
  },
  TIMEOUT_MS,
);

describe('connection lost at signing', () => {
  it(
    'a connection lost before the call arrives is reported, and the retry signs once',
    async () => {
      const request = await setup.stage.send();
      const visitor = await setup.openMail(first(request.signers));
      const { signer, tab } = visitor;
      const { page } = tab;
      await toSigning(visitor);
      await page.getByLabel(signer.texts.sign.name).fill('Aino Maria');
      await signer.agree();
      await page.context().setOffline(true);
      await signer.press(signer.texts.sign.submit);
      await signer.seesText(signer.texts.connection.lost);
      await takeScreenshot(visitor, 'offline-3');
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await setup.stage.trail(request.id, 'signer_signed')).toEqual([]);
      await page.context().setOffline(false);
      await signer.seesHeading(signer.texts.done.heading);
      const entries = await setup.stage.trail(request.id, 'signer_signed');
      expect(entries.map(({ details }) => details.name)).toEqual(['Aino Maria']);
    },
    TIMEOUT_MS,
  );

  it(
    'a connection lost after the call has arrived does not sign twice',
    async () => {
      const request = await setup.stage.send();
      const visitor = await setup.openMail(first(request.signers), 'en', DESKTOP);
      const { signer, tab } = visitor;
      await toSigning(visitor);
      await signer.agree();
      let lost = 0;
      await tab.page.route('**/api/signing/v1/sign', async (route) => {
        const answer = await route.fetch();
        lost += 1;
        if (lost > 2) return route.fulfill({ response: answer });
        return route.abort('connectionreset');
      });
      await signer.press(signer.texts.sign.submit);
      await signer.seesText(signer.texts.connection.lost);
      await signer.seesHeading(signer.texts.done.heading);
      expect(lost).toBe(3);
      await setup.stage.untilStatus(request.id, 'signed');
      expect(await setup.stage.trail(request.id, 'signer_signed')).toHaveLength(1);
      expect(await setup.stage.trail(request.id, 'document_sealed')).toHaveLength(1);
      await setup.stage.untilTold(request.id, 'signer.signed');
      await setup.stage.untilTold(request.id, 'signature_request.completed');
    },
    TIMEOUT_MS,
  );
});

it(
  'after a session ended, a new code leads back to everything that was entered',
  async () => {
    const person = first((await setup.stage.send()).signers);
    const visitor = await setup.openMail(person);
    const { signer, tab } = visitor;
    const { page } = tab;
    await toSigning(visitor);
    await page.getByLabel(signer.texts.sign.name).fill('Aino Maria');
    await signer.agree();
    await page.context().clearCookies();
    await signer.press(signer.texts.sign.submit);
    await signer.seesHeading(signer.texts.code.headingAgain);
    await takeScreenshot(visitor, 'again-1-code');
    await signer.press(signer.texts.code.send);
    await signer.seesText(signer.texts.code.sent);
    await signer.enterCode(setup.newestMail(person).code);
    await signer.seesHeading(signer.texts.sign.heading);
    expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe('Aino Maria');
    await signer.sign();
  },
  TIMEOUT_MS,
);

it(
  'an incomplete link says that it does not work',
  async () => {
    const visitor = await setup.openMail(first((await setup.stage.send()).signers));
    await visitor.signer.open(visitor.link.slice(0, -3));
    await expectEnded(visitor, 'not_found', 'not-found-5');
  },
  TIMEOUT_MS,
);

// This test is the last one, because it moves the clock.
it(
  'a link expires after thirty days, whether or not the daily job has run',
  async () => {
    const request = await setup.stage.send(2);
    const [one, two] = request.signers;
    if (!one || !two) throw new Error('Two signers were asked for.');
    const [open, late] = [await setup.openMail(one), await setup.openMail(two, 'en', PHONE)];
    await toSigning(open);
    await open.signer.agree();
    setup.stage.service.advance(31 * DAY);
    await open.signer.press(open.signer.texts.sign.submit);
    await expectEnded(open, 'link_expired', 'expired-5-open');
    await setup.stage.service.runSchedule('expir');
    await late.signer.open(late.link);
    await expectEnded(late, 'link_expired', 'expired-5');
    expect(await setup.stage.get(request.id)).toMatchObject({ status: 'expired' });
  },
  TIMEOUT_MS,
);
